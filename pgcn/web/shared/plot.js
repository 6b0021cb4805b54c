// A Plotly chart that is created once and then updated in place.

// Its tools are configured once, when it is created: configured again, Plotly would rebuild the whole chart, and two
// updates at a time would undo each other endlessly.
export function drawPlot(plot, traces, layout, name) {
  const { Plotly } = window;
  if (!hasTools()) layout.dragmode = false; // a finger scrolls the page
  layout.modebar ??= { bgcolor: "rgba(0,0,0,0)", orientation: "v" };
  if (!hasValues(traces, layout)) // without values Plotly invents a scale
    for (const axis of Object.keys(layout).filter((key) => key.startsWith("yaxis")))
      layout[axis] = { ...layout[axis], showticklabels: false, minor: {} };
  if (plot.data) return void Plotly.react(plot, traces, layout);
  const asSvg = { name: "svg", title: "Download as SVG", icon: Plotly.Icons.disk,
    click: () => Plotly.downloadImage(plot, { format: "svg", filename: name }) };
  Plotly.newPlot(plot, traces, layout, { // few tools, since they lie on the data: dragging zooms without any
    displayModeBar: hasTools() ? "hover" : false, modeBarButtons: [["resetScale2d", "toImage", asSvg]], displaylogo: false, showTips: false,
    toImageButtonOptions: { filename: name, scale: 2 },
  });
  sizes.observe(plot);
}

// Plotly by itself follows the window only: not the sidebar, which makes room for a chart, or takes it, by sliding. And it
// leaves a legend where that was before its lines became fewer, until all is drawn once more.
const sizes = new ResizeObserver((entries) => {
  for (const { target: plot } of entries) {
    const { width, height } = plot._fullLayout ?? {};
    if (plot.clientWidth && width && (plot.clientWidth !== width || plot.clientHeight !== height)) window.Plotly.Plots.resize(plot).then(() => plot.isConnected && window.Plotly.redraw(plot));
  }
});

// Tools come where a pointer hovers. Without one, Plotly would show them for ever, on top of the data.
const hasTools = () => matchMedia("(hover: hover) and (min-width: 700px)").matches;

const hasValues = (traces, { shapes = [] }) =>
  traces.some(({ type, x, y }) => (type === "histogram" ? x : y)?.some((value) => value !== null)) || shapes.some(({ yref }) => yref !== "paper");
