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
    responsive: true, toImageButtonOptions: { filename: name, scale: 2 },
  });
}

// Tools come where a pointer hovers. Without one, Plotly would show them for ever, on top of the data.
const hasTools = () => matchMedia("(hover: hover) and (min-width: 700px)").matches;

const hasValues = (traces, { shapes = [] }) =>
  traces.some(({ type, x, y }) => (type === "histogram" ? x : y)?.some((value) => value !== null)) || shapes.some(({ yref }) => yref !== "paper");
