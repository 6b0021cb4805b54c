// What stands under the maps: the confusion matrix, the numbers by step, and what is selected.

import { svgElement } from "../canvas.js";
import { element } from "../transport.js";
import { PARTS } from "./colours.js";

export const COUNTED = { test: 3, validation: 2, labelled: 1, all: -1 };
const percent = (value) => (value == null ? "–" : `${(100 * value).toFixed(1)} %`);
const plain = (value) => (value == null ? "–" : value.toFixed(2).replace("-", "−"));

export function separationWords(picture) {
  const { silhouette, knn } = picture.features;
  return `silhouette ${plain(silhouette)} · ${picture.k}-nearest-neighbour accuracy ${percent(knn)}`;
}

export class Matrix {
  constructor(pick) {
    this.pick = pick;
    this.counted = element("select", { "aria-label": "Nodes that the matrix counts" });
    for (const name of Object.keys(COUNTED)) this.counted.append(element("option", { value: name }, `${name} nodes`));
    this.table = element("table");
    this.note = element("p");
    this.root = element("section", { class: "card matrix", "aria-label": "Confusion matrix" },
      element("div", { class: "line" }, element("h5", {}, "Confusion matrix"), this.counted), element("div", { class: "scroll" }, this.table), this.note);
  }

  // Rows are true classes, columns predicted ones; a click on a cell selects its nodes.
  show(film, picture, chosen) {
    const part = COUNTED[this.counted.value], c = film.classes.length;
    this.cells = Array.from({ length: c * c }, () => []);
    let counted = 0, right = 0;
    for (let i = 0; i < film.nodes.length; i += 1) {
      const y = film.y[i], p = picture.predicted[i];
      if (y < 0 || (part >= 0 && film.part[i] !== part)) continue;
      this.cells[y * c + p].push(i);
      counted += 1;
      right += y === p;
    }
    const names = film.classes.map((name) => name.replaceAll("_", " "));
    const short = film.classes.map((_, i) => String.fromCharCode(65 + i));
    const head = element("tr", {}, element("th", { scope: "col" }, element("small", {}, "true ↓ predicted →")),
      ...names.map((name, i) => element("th", { scope: "col", title: name }, short[i])));
    const rows = names.map((name, y) => {
      const whole = Math.max(1, film.classes.reduce((sum, _, p) => sum + this.cells[y * c + p].length, 0));
      return element("tr", {}, element("th", { scope: "row", title: name }, `${short[y]} ${name}`), ...names.map((other, p) => {
        const nodes = this.cells[y * c + p], cell = `${y}-${p}`;
        const label = `${nodes.length} ${this.counted.value} nodes of class ${name} predicted as ${other}`;
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
    const there = part < 0 ? film.count : film.masks[part - 1];
    const sample = counted < there ? ` Of ${there.toLocaleString("en")} such nodes in the graph, those on the map are counted.` : "";
    this.note.textContent = counted
      ? `${right.toLocaleString("en")} of ${counted.toLocaleString("en")} ${this.counted.value} nodes are right: ${percent(right / counted)}.${sample}`
      : "No such node is on the map.";
  }
}

export class Curves {
  constructor(goTo) {
    this.goTo = goTo;
    this.svg = svgElement("svg", { viewBox: "0 0 360 190", role: "img" });
    this.note = element("p");
    this.root = element("section", { class: "card curves", "aria-label": "Separation by step" }, element("h5", {}, "How well classes separate"), this.svg, this.note);
  }

  show(steps, cursor) {
    const lines = [["knn", "features", "--kept", ""], ["knn", "mapped", "--kept", "4 3"], ["silhouette", "features", "--lost", ""], ["silhouette", "mapped", "--lost", "4 3"]];
    const values = steps.flatMap((step) => (step.map ? lines.map(([what, where]) => step[where][what]) : [])).filter((v) => v != null);
    const low = Math.min(0, Math.floor(10 * Math.min(0, ...values)) / 10);
    const x = (i) => 36 + (steps.length > 1 ? (i * 310) / (steps.length - 1) : 155), y = (v) => 160 - (148 * (v - low)) / (1 - low);
    this.svg.replaceChildren();
    for (const v of [low, 0, 0.5, 1].filter((v, i, all) => all.indexOf(v) === i)) {
      svgElement("line", { x1: 34, x2: 350, y1: y(v), y2: y(v), class: "grid" }, this.svg);
      svgElement("text", { x: 30, y: y(v) + 4, class: "tick" }, this.svg).textContent = v.toFixed(1).replace("-", "−");
    }
    svgElement("line", { x1: x(cursor), x2: x(cursor), y1: 10, y2: 162, class: "cursor" }, this.svg);
    for (const [what, where, colour, dash] of lines) {
      const points = steps.map((step, i) => (step.map && step[where][what] != null ? `${x(i)},${y(step[where][what])}` : null)).filter(Boolean);
      svgElement("polyline", { points: points.join(" "), style: `stroke: var(${colour})`, "stroke-dasharray": dash }, this.svg);
      if (!dash) for (const point of points) svgElement("circle", { cx: point.split(",")[0], cy: point.split(",")[1], r: what === "knn" ? 3 : 2.2, style: `fill: var(${colour})` }, this.svg);
    }
    steps.forEach((step, i) => {
      const hit = svgElement("rect", { x: x(i) - 10, y: 8, width: 20, height: 156, class: "hit" }, this.svg);
      svgElement("title", {}, hit).textContent = `${step.title}\n${step.map ? separationWords(step) : "not made yet"}`;
      hit.addEventListener("click", () => this.goTo(i));
      if (steps.length <= 16 || i % 5 === 0) svgElement("text", { x: x(i), y: 176, class: "tick middle" }, this.svg).textContent = step.number;
    });
    svgElement("text", { x: 193, y: 189, class: "tick middle" }, this.svg).textContent = "accepted step";
    this.note.replaceChildren(
      mark("--kept", "solid"), `${steps[0].k}-nearest-neighbour accuracy `, mark("--lost", "solid"), "silhouette, by true classes of the nodes shown. ",
      "Solid: in the logits; dashed: in the map.");
  }
}

function mark(colour, line) {
  const node = element("i");
  node.style.borderTop = `2px ${line} var(${colour})`;
  return node;
}

export class Selection {
  constructor({ save, clear, pick }) {
    Object.assign(this, { pick });
    this.words = element("p", { class: "words", role: "status" });
    this.list = element("ul", { class: "rows" });
    this.save = element("button", { type: "button", class: "plain save" }, "Download as CSV");
    this.clear = element("button", { type: "button", class: "plain" }, "Clear");
    this.save.addEventListener("click", save);
    this.clear.addEventListener("click", clear);
    this.root = element("section", { class: "card selection", "aria-label": "Selection" }, element("h5", {}, "Selection"), this.words, this.list,
      element("div", { class: "line" }, this.save, this.clear));
  }

  show(nodes, words, describe) {
    this.words.textContent = words;
    this.save.hidden = this.clear.hidden = !nodes.length;
    this.list.replaceChildren(...nodes.slice(0, 40).map((i) => {
      const button = element("button", { type: "button" }, describe(i));
      button.addEventListener("click", () => this.pick(i));
      return element("li", {}, button);
    }));
    if (nodes.length > 40) this.list.append(element("li", {}, element("small", {}, `and ${(nodes.length - 40).toLocaleString("en")} more: the file has all`)));
  }
}

// The nodes as a table to take away; made in the browser.
export function save(film, picture, nodes) {
  const quoted = (text) => `"${String(text).replaceAll('"', '""')}"`, name = (c) => quoted(c < 0 ? "" : film.classes[c]);
  const rows = nodes.map((i) => [film.nodes[i], film.y[i], name(film.y[i]), picture.predicted[i], name(picture.predicted[i]),
    (picture.confidence[i] / 255).toFixed(3), quoted(PARTS[film.part[i]]), film.degree[i], picture.number].join(","));
  const text = ["node,label,class,predicted,predicted_class,confidence,split,degree,step", ...rows, ""].join("\r\n");
  const link = element("a", { href: URL.createObjectURL(new Blob([text], { type: "text/csv" })), download: `pgcn-${film.file}-step${picture.number}.csv` });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}
