// Runs with and without a break: a marker for each run, a bar for the mean.

import { element, svgElement as svg } from "../shared/dom.js";
import { SHAPES, key, narrow, place } from "./draw.js";

const ROWS = [["labelled", "labelled nodes"], ["val", "validation nodes"], ["test", "test nodes"]];
const ARMS = [["plain", 0, "class-0"], ["broken", 1, "class-1"]];

export function compare(board, data) {
  const width = narrow() ? 400 : 640, left = 118, right = 20, low = data.from, x = (share) => left + ((share - low) / (1 - low)) * (width - left - right);
  const view = svg("svg", { viewBox: `0 0 ${width} 300`, class: "strips", role: "img", "aria-label": "Accuracy of every run" }, board);
  for (let tick = low; tick <= 1.001; tick += 0.1) {
    svg("path", { d: `M${x(tick)} 8V264`, class: "grid" }, view);
    svg("text", { x: x(tick), y: 282, class: "tick" }, view, `${Math.round(100 * tick)} %`);
  }
  svg("text", { x: (left + width - right) / 2, y: 298, class: "title" }, view, "accuracy");
  ROWS.forEach(([name, title], row) => {
    const top = 14 + row * 86;
    svg("text", { x: left - 12, y: top + 40, class: "tick end" }, view, title);
    ARMS.forEach(([arm, shape, style], a) => {
      const y = top + 20 + a * 36, values = data[arm].map((run) => run[name]);
      values.forEach((value, i) => {
        const mark = svg("path", { d: SHAPES[shape](5.5), class: `seed ${style}` }, view);
        place(mark, x(Math.max(low, value)), y + ((i % 3) - 1) * 5);
        svg("title", {}, mark, `seed ${data[arm][i].seed}: ${(100 * value).toFixed(1)} %, network ${data[arm][i].topology.join(" → ")}`);
      });
      if (values.length) {
        const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
        svg("path", { d: `M${x(mean)} ${y - 14}V${y + 14}`, class: `mean ${style}` }, view);
      }
    });
  });
  board.append(key([[0, "swatch class-0", data.names[0]], [1, "swatch class-1", data.names[1]], ["line", "mean-key", "mean"]]));
  const list = (arm) => data[arm].map((run) => run.topology.join("→")).join(", ") || "none yet";
  board.append(element("p", { class: "topologies" }, `Topologies by seed. ${data.names[0]}: ${list("plain")}. ${data.names[1]}: ${list("broken")}.`));
  return { frames: 1, start: 0, draw: () => data.sentence };
}
