// The panels below the plots: confusion matrix and class separation by step.

import { element, svgElement } from "../shared/dom.js";

export const COUNTED = { test: 3, validation: 2, labelled: 1, all: -1 };
const percent = (value) => (value == null ? "–" : `${(100 * value).toFixed(1)} %`);
const decimal = (value) => (value == null ? "–" : value.toFixed(2).replace("-", "−"));

export function separationWords(frame) {
  const { silhouette, knn } = frame.features;
  return `${frame.k}-NN accuracy ${percent(knn)} · silhouette ${decimal(silhouette)}`;
}

export class Matrix {
  constructor(pick) {
    this.pick = pick;
    this.counted = element("select", { "aria-label": "Nodes counted in the matrix" });
    for (const name of Object.keys(COUNTED)) this.counted.append(element("option", { value: name }, `${name} nodes`));
    this.table = element("table");
    this.note = element("p");
    this.root = element("section", { class: "card matrix", "aria-label": "Confusion matrix" },
      element("div", { class: "line" }, element("h5", {}, "Confusion matrix"), this.counted), element("div", { class: "scroll" }, this.table), this.note);
  }

  // Rows: true classes, columns: predicted classes; a click on a cell selects its nodes.
  show(replay, frame, chosen) {
    const part = COUNTED[this.counted.value], c = replay.classes.length;
    this.cells = Array.from({ length: c * c }, () => []);
    let counted = 0, right = 0;
    for (let i = 0; i < replay.nodes.length; i += 1) {
      const y = replay.y[i], p = frame.predicted[i];
      if (y < 0 || (part >= 0 && replay.part[i] !== part)) continue;
      this.cells[y * c + p].push(i);
      counted += 1;
      right += y === p;
    }
    const names = replay.classes.map((name) => name.replaceAll("_", " "));
    const short = replay.classes.map((_, i) => String.fromCharCode(65 + i));
    const head = element("tr", {}, element("th", { scope: "col" }, element("small", {}, "true ↓ predicted →")),
      ...names.map((name, i) => element("th", { scope: "col", title: name }, short[i])));
    const rows = names.map((name, y) => {
      const whole = Math.max(1, replay.classes.reduce((sum, _, p) => sum + this.cells[y * c + p].length, 0));
      return element("tr", {}, element("th", { scope: "row", title: name }, `${short[y]} ${name}`), ...names.map((other, p) => {
        const nodes = this.cells[y * c + p], cell = `${y}-${p}`;
        const label = `${nodes.length} ${this.counted.value} node${nodes.length === 1 ? "" : "s"} of class ${name} predicted as ${other}`;
        const button = element("button", { type: "button", "data-cell": cell, "aria-label": label, title: label, "aria-pressed": chosen === cell }, nodes.length ? String(nodes.length) : "·");
        button.style.setProperty("--share", nodes.length / whole);
        button.className = y === p ? "right" : "wrong";
        button.disabled = !nodes.length;
        button.addEventListener("click", () => this.pick(cell, nodes, label));
        return element("td", {}, button);
      }));
    });
    const focused = this.table.contains(document.activeElement) ? document.activeElement.dataset.cell : null;
    this.table.replaceChildren(element("thead", {}, head), element("tbody", {}, ...rows));
    if (focused) this.table.querySelector(`[data-cell="${focused}"]`)?.focus();
    const there = part < 0 ? replay.count : replay.masks[part - 1];
    const sample = counted < there ? ` Only nodes in the sample are counted, of ${there.toLocaleString("en")} in the graph.` : "";
    this.note.textContent = counted
      ? `${right.toLocaleString("en")} of ${counted.toLocaleString("en")} ${this.counted.value} nodes correct: ${percent(right / counted)}.${sample}`
      : `No ${this.counted.value} nodes in the sample.`;
  }
}

export class Curves {
  constructor(goTo) {
    this.goTo = goTo;
    this.svg = svgElement("svg", { viewBox: "0 0 360 190", role: "img", "aria-label": "Class separation by accepted step" });
    this.note = element("p");
    this.root = element("section", { class: "card curves", "aria-label": "Separation by step" }, element("h5", {}, "Class separation"), this.svg, this.note);
  }

  show(steps, cursor) {
    const lines = [["knn", "features", "--accepted", ""], ["knn", "mapped", "--accepted", "4 3"], ["silhouette", "features", "--rejected", ""], ["silhouette", "mapped", "--rejected", "4 3"]];
    const values = steps.flatMap((step) => (step.features ? lines.map(([what, where]) => step[where][what]) : [])).filter((v) => v != null);
    const low = Math.min(0, Math.floor(10 * Math.min(0, ...values)) / 10);
    const x = (i) => 36 + (steps.length > 1 ? (i * 310) / (steps.length - 1) : 155), y = (v) => 160 - (148 * (v - low)) / (1 - low);
    this.svg.replaceChildren();
    for (const v of [low, 0, 0.5, 1].filter((v, i, all) => all.indexOf(v) === i)) {
      svgElement("line", { x1: 34, x2: 350, y1: y(v), y2: y(v), class: "grid" }, this.svg);
      svgElement("text", { x: 30, y: y(v) + 4, class: "tick" }, this.svg).textContent = v.toFixed(1).replace("-", "−");
    }
    svgElement("line", { x1: x(cursor), x2: x(cursor), y1: 10, y2: 162, class: "cursor" }, this.svg);
    for (const [what, where, colour, dash] of lines) {
      const points = steps.map((step, i) => (step.features && step[where][what] != null ? `${x(i)},${y(step[where][what])}` : null)).filter(Boolean);
      svgElement("polyline", { points: points.join(" "), style: `stroke: var(${colour})`, "stroke-dasharray": dash }, this.svg);
      if (!dash) for (const point of points) svgElement("circle", { cx: point.split(",")[0], cy: point.split(",")[1], r: what === "knn" ? 3 : 2.2, style: `fill: var(${colour})` }, this.svg);
    }
    steps.forEach((step, i) => {
      const hit = svgElement("rect", { x: x(i) - 10, y: 8, width: 20, height: 156, class: "hit" }, this.svg);
      svgElement("title", {}, hit).textContent = `${step.title}\n${step.features ? separationWords(step) : "not computed yet"}`;
      hit.addEventListener("click", () => this.goTo(i));
      if (steps.length <= 16 || i % 5 === 0) svgElement("text", { x: x(i), y: 176, class: "tick middle" }, this.svg).textContent = step.number;
    });
    svgElement("text", { x: 193, y: 189, class: "tick middle" }, this.svg).textContent = "accepted step";
    this.note.replaceChildren(
      mark("--accepted", "solid"), `accuracy of ${steps[0].k} nearest neighbours (${steps[0].k}-NN) `, mark("--rejected", "solid"), "silhouette, by true class of the nodes shown. ",
      `Solid: logits; dashed: ${steps[0].dimensions ?? 2}-D embedding.`);
  }
}

function mark(colour, line) {
  const node = element("i");
  node.style.borderTop = `2px ${line} var(${colour})`;
  return node;
}
