// A Plotly chart that is updated in place.

import { drawPlot } from "../player/plot.js";
import { plotly } from "./plotly.js";

export function show(parentElement, figure, height, about, trigger) {
  const root = parentElement.querySelector("div");
  root.style.height = `${height}px`;
  root.latest = { ...figure, about };
  root.trigger = trigger;
  plotly().then(() => {
    const style = getComputedStyle(parentElement);
    const rule = style.getPropertyValue("--st-border-color").trim() || "#d7dee5";
    const layout = {
      ...root.latest.layout,
      paper_bgcolor: "rgba(0,0,0,0)",
      plot_bgcolor: "rgba(0,0,0,0)",
      font: { color: style.color, family: style.fontFamily, size: 13 },
      uirevision: root.latest.about,
    };
    for (const name of Object.keys(layout).filter((key) => /^[xy]axis/.test(key)))
      layout[name] = { gridcolor: rule, linecolor: rule, zeroline: false, automargin: true, ...layout[name] };
    drawPlot(root, root.latest.data, layout, "pgcn");
    if (root.answers) return;
    root.answers = true;
    root.on("plotly_click", ({ points: [mark] }) => mark.customdata && root.trigger("point", mark.customdata));
  });
}
