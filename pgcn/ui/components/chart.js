// A Plotly chart that is updated in place.

function script(address) {
  window.pgcnPlotly ??= new Promise((ready, failed) => {
    const node = document.createElement("script");
    node.src = address;
    node.onload = ready;
    node.onerror = failed;
    document.head.append(node);
  });
  return window.pgcnPlotly;
}

export default function ({ data, parentElement }) {
  const root = parentElement.querySelector("div");
  root.style.height = `${data.height}px`;
  root.latest = data.figure;
  script(new URL(data.places.plotly, document.baseURI).href).then(() => {
    const style = getComputedStyle(parentElement);
    const rule = style.getPropertyValue("--st-border-color").trim() || "#d7dee5";
    const layout = { ...root.latest.layout, paper_bgcolor: "rgba(0,0,0,0)", plot_bgcolor: "rgba(0,0,0,0)",
      font: { color: style.color, family: style.fontFamily, size: 13 }, uirevision: "kept" };
    for (const name of Object.keys(layout).filter((key) => /^[xy]axis/.test(key)))
      layout[name] = { gridcolor: rule, linecolor: rule, zeroline: false, automargin: true, ...layout[name] };
    window.Plotly.react(root, root.latest.data, layout, { displaylogo: false, responsive: true });
  });
}
