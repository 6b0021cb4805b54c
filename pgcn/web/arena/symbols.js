// The symbols of Plotly's marks, drawn in a table: the table is the legend of its chart.

import { svgElement } from "../shared/dom.js";
import { themed } from "../shared/palette.js";

const polygon = (...points) => `M${points.map(([x, y]) => `${x.toFixed(2)} ${y.toFixed(2)}`).join("L")}Z`;
const star = (tips, outer, inner, turn = 0) => polygon(...Array.from({ length: 2 * tips }, (_, i) => {
  const angle = (Math.PI * i) / tips + turn - Math.PI / 2, r = i % 2 ? inner : outer;
  return [r * Math.cos(angle), r * Math.sin(angle)];
}));
const regular = (corners, r, turn = 0) => star(corners, r, r * Math.cos(Math.PI / corners), turn);

const PATHS = {
  circle: "M-5 0a5 5 0 1 0 10 0a5 5 0 1 0 -10 0Z",
  square: polygon([-4.6, -4.6], [4.6, -4.6], [4.6, 4.6], [-4.6, 4.6]),
  diamond: polygon([0, -6], [6, 0], [0, 6], [-6, 0]),
  "diamond-tall": polygon([0, -7], [3.6, 0], [0, 7], [-3.6, 0]),
  "diamond-wide": polygon([0, -3.6], [7, 0], [0, 3.6], [-7, 0]),
  "triangle-up": polygon([0, -6], [5.6, 4], [-5.6, 4]),
  "triangle-down": polygon([0, 6], [5.6, -4], [-5.6, -4]),
  star: star(5, 7, 2.9),
  "star-diamond": star(4, 7, 3.4),
  hexagon: regular(6, 5.8),
  hexagram: star(6, 6.6, 3.8),
  pentagon: regular(5, 6),
  x: "M-5.5 -3L-3 -5.5L0 -2.5L3 -5.5L5.5 -3L2.5 0L5.5 3L3 5.5L0 2.5L-3 5.5L-5.5 3L-2.5 0Z",
  cross: "M-1.9 -5.6H1.9V-1.9H5.6V1.9H1.9V5.6H-1.9V1.9H-5.6V-1.9H-1.9Z",
};

// A filled symbol, or a hollow one where its name ends in -open; in the shade that the chart has in either theme.
export function symbolMark(name, hue) {
  const colour = `light-dark(${themed(hue, false)}, ${themed(hue, true)})`;
  const hollow = name.endsWith("-open"), path = PATHS[name.replace("-open", "")] ?? PATHS.circle;
  const svg = svgElement("svg", { class: "mark", width: 16, height: 16, viewBox: "-8 -8 16 16", "aria-hidden": "true" });
  const style = `fill: ${hollow ? "none" : colour}; stroke: ${colour}; stroke-width: ${hollow ? 1.8 : 0.6}`;
  svgElement("path", { d: path, style }, svg);
  return svg;
}
