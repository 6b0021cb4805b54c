// A chart of Plotly's that is made once and then updated in place.

// How its tools look is said when it is made, and never again: Plotly would make the whole chart anew, and of two
// updates at a time each would undo the other's without end.
export function drawPlot(plot, traces, layout, name, tools = {}) {
  const { Plotly } = window;
  if (!isMeasured(traces, layout)) // Plotly would make up a scale
    for (const axis of Object.keys(layout).filter((key) => key.startsWith("yaxis")))
      layout[axis] = { ...layout[axis], showticklabels: false, minor: {} };
  if (plot.data) return void Plotly.react(plot, traces, layout);
  const asSvg = { name: "svg", title: "Download as SVG", icon: Plotly.Icons.disk,
    click: () => Plotly.downloadImage(plot, { format: "svg", filename: name }) };
  Plotly.newPlot(plot, traces, layout, {
    displaylogo: false, responsive: true, modeBarButtonsToAdd: [asSvg], modeBarButtonsToRemove: ["select2d", "lasso2d"],
    toImageButtonOptions: { filename: name, scale: 2 }, ...tools,
  });
}

const isMeasured = (traces, { shapes = [] }) =>
  traces.some(({ y }) => y?.some((value) => value !== null)) || shapes.some(({ yref }) => yref !== "paper");
