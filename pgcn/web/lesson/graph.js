// A small graph whose nodes can be hovered, focused with the keyboard and chosen.

import { element, svgElement as svg } from "../shared/dom.js";
import { SHAPES, place } from "./draw.js";

const RADIUS = 9;

export class GraphView {
  constructor(parent, graph, { width = 560, height = 400, onHover = null, onChoose = null, label = "The graph" } = {}) {
    this.graph = graph;
    this.onHover = onHover;
    this.onChoose = onChoose;
    this.view = svg("svg", { viewBox: `0 0 ${width} ${height}`, class: "graph", role: "group", "aria-label": label }, parent);
    const pad = 24;
    this.positions = graph.x.map((x, i) => [pad + x * (width - 2 * pad), pad + graph.y[i] * (height - 2 * pad)]);
    this.edges = graph.edges.map(([i, j]) => {
      const [[a, b], [c, d]] = [this.positions[i], this.positions[j]];
      return svg("path", { d: `M${a} ${b}L${c} ${d}`, class: "edge" }, this.view);
    });
    this.nodes = this.positions.map((at, i) => this.node(at, i));
  }

  node([x, y], i) {
    const group = svg("g", { class: "node", "data-node": i, tabindex: i === 0 ? 0 : -1, role: "button", "aria-label": `Node ${i}` }, this.view);
    place(group, x, y);
    const ring = svg("path", { class: "ring", d: SHAPES[0](RADIUS + 6) }, group);
    const body = svg("path", { class: "body", d: SHAPES[0](RADIUS) }, group);
    const cross = svg("path", { class: "wrong", d: "M6 -12L14 -4M14 -12L6 -4" }, group);
    const name = svg("text", { class: "name", y: 3.5 }, group, i);
    if (this.onHover) {
      group.addEventListener("pointerenter", () => this.onHover(i));
      group.addEventListener("focus", () => this.onHover(i));
      group.addEventListener("pointerleave", () => this.onHover(null));
      group.addEventListener("blur", () => this.onHover(null));
      group.addEventListener("click", () => this.choose(i));
      group.addEventListener("keydown", (event) => this.key(event, i));
    }
    return { group, ring, body, cross, name };
  }

  choose(i) {
    this.focusable(i);
    this.onChoose?.(i);
    this.onHover(i);
  }

  key(event, i) {
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (step) {
      const next = (i + step + this.nodes.length) % this.nodes.length;
      this.focusable(next);
      this.nodes[next].group.focus();
    } else if (event.key === "Enter" || event.key === " ") this.choose(i);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  focusable(i) {
    this.nodes.forEach(({ group }, j) => group.setAttribute("tabindex", i === j ? 0 : -1));
  }

  // shape and tone: a class, or null where it is hidden.
  paint(i, { tone = null, shape = tone, size = 1, ring = false, wrong = false, faint = false, lit = false, strength = null }) {
    const { group, ring: halo, body, cross } = this.nodes[i];
    group.setAttribute("class", `node ${tone === null ? "plain" : `class-${tone}`}${faint ? " faint" : ""}${lit ? " lit" : ""}`);
    body.setAttribute("d", SHAPES[shape ?? 0](RADIUS * size));
    halo.setAttribute("d", SHAPES[shape ?? 0]((RADIUS + 5) * Math.max(1, size)));
    halo.style.visibility = ring ? "visible" : "hidden";
    cross.style.visibility = wrong ? "visible" : "hidden";
    body.style.setProperty("--strength", strength === null ? "" : `${Math.round(100 * strength)}%`);
    body.classList.toggle("graded", strength !== null);
  }

  // Highlight the edges of a node; null highlights none.
  highlight(i) {
    this.graph.edges.forEach(([a, b], e) => this.edges[e].classList.toggle("lit", i !== null && (a === i || b === i)));
  }

  showEdges(shown) {
    for (const edge of this.edges) edge.classList.toggle("hidden", !shown);
  }

  neighbours(i) {
    return this.graph.edges.filter((edge) => edge.includes(i)).map(([a, b]) => (a === i ? b : a)).sort((a, b) => a - b);
  }
}

export const sentenceOf = (graph, i) =>
  `${graph.split[i] === "labelled" ? "labelled" : `${graph.split[i]} node`}, ${graph.classes[graph.class[i]]}`;

export const details = () => element("div", { class: "details", "aria-live": "polite" });
