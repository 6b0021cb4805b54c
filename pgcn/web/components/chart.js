// A Plotly chart that is updated in place.

import { isDark, themed } from "../shared/palette.js";
import { drawPlot } from "../shared/plot.js";
import { plotly } from "./plotly.js";
import { followTheme } from "./theme.js";

export function show(parentElement, figure, height, about, trigger) {
  const root = parentElement.querySelector("div");
  root.style.height = `${height}px`;
  root.latest = { ...figure, about };
  root.trigger = trigger;
  plotly().then(() => {
    if (!root.isConnected) return;
    draw(root);
    followTheme(root, () => draw(root));
  });
}

function draw(root) {
  const style = getComputedStyle(root), { about, ...latest } = root.latest;
  const rule = style.getPropertyValue("--st-border-color").trim() || "#d7dee5";
  const { data, layout: asked } = themed(latest, isDark(root));
  const layout = {
    ...asked,
    paper_bgcolor: "rgba(0,0,0,0)",
    plot_bgcolor: "rgba(0,0,0,0)",
    font: { color: style.color, family: style.fontFamily, size: 13 },
    uirevision: about,
  };
  for (const name of Object.keys(layout).filter((key) => /^[xy]axis/.test(key)))
    layout[name] = { gridcolor: rule, linecolor: rule, zeroline: false, automargin: true, ...layout[name] };
  drawPlot(root, data, layout, "pgcn");
  if (root.answers) return;
  root.answers = true;
  root.on("plotly_click", ({ points: [mark] }) => mark.customdata && root.trigger("point", mark.customdata));
}
