// The data beside the network: a sample of the graph, its nodes in the colours of the classes that the network of the
// step predicts, so that one sees what a block changed.

import { element, svgElement } from "../shared/dom.js";
import { CLASS_COLOURS, isDark, themed } from "../shared/palette.js";

const RADIUS = 13; // of 1000
const PART_NAMES = ["outside the split", "training node", "validation node", "test node"];
const MOST_CLASSES = 8;

const classes = (text) => Array.from(text, (letter) => letter.charCodeAt(0) - 48); // -1 where unknown

export class GraphView {
  constructor() {
    this.words = element("p");
    this.size = element("span", { class: "facts" });
    this.svg = svgElement("svg", { class: "graph", role: "img" });
    this.legend = element("div", { class: "key" });
    this.figure = element("figure", { class: "data" },
      element("figcaption", { class: "caption" }, element("div", { class: "line" }, element("strong", {}, "The data"), this.size), this.words),
      this.svg, this.legend);
    this.fitting = new ResizeObserver(() => this.fit());
    this.fitting.observe(this.svg);
    this.svg.addEventListener("pointerover", ({ target }) => this.explain(target.closest(".node")));
  }

  show(replay, frame) {
    const { data } = replay;
    this.figure.hidden = !data;
    if (!data) return;
    const another = this.drawn !== data.id;
    if (another) this.draw(data);
    if (!data.id) return;
    const dark = isDark(this.figure), colour = (of) => themed(CLASS_COLOURS[of % CLASS_COLOURS.length], dark);
    const now = predictedAt(data, frame.network), before = predictedAt(data, frame.network - 1);
    const isNew = frame.kind === "accepted" && frame.network in data.predicted;
    let right = 0, asked = 0, changed = 0;
    this.nodes.forEach((node, i) => {
      const labelled = data.part[i] === "1", known = now ? now[i] : labelled ? this.truth[i] : -1;
      const wrong = now !== null && this.truth[i] >= 0 && now[i] !== this.truth[i];
      const moved = isNew && now !== null && before !== null && now[i] !== before[i];
      node.style.fill = known < 0 ? "" : colour(known);
      node.setAttribute("class", ["node", labelled && "labelled", wrong && "wrong", moved && "changed"].filter(Boolean).join(" "));
      if (!labelled && this.truth[i] >= 0) [asked, right] = [asked + 1, right + !wrong];
      changed += moved;
    });
    this.predicted = now;
    const none = frame.network ? "Predictions are being computed; training nodes show their true class." : "Before the first block only training nodes have a colour.";
    this.words.textContent = now === null ? none
      : `${right} of ${asked} nodes without a training label are predicted correctly${isNew && before ? `; ${changed} changed class` : ""}.`;
    this.svg.setAttribute("aria-label", `A sample of the graph. ${this.words.textContent}`);
    const entries = data.classes.length > MOST_CLASSES ? [] : data.classes.map((name, i) => key("dot", name.replaceAll("_", " "), colour(i)));
    this.legend.replaceChildren(...entries, key("dot wrong", "wrong"), key("square", "training node"));
    if (another) this.fit(); // now that the legend has its room
  }

  draw(data) {
    this.drawn = data.id;
    this.svg.replaceChildren();
    this.legend.replaceChildren();
    this.nodes = [];
    this.size.textContent = "";
    if (!data.id) return void (this.words.textContent = "The graph is being drawn.");
    this.data = data;
    this.truth = classes(data.y);
    this.size.textContent = `${data.nodes.length} of ${data.count.toLocaleString("en")} nodes`;
    this.edges = svgElement("path", { class: "edges" }, this.svg);
    this.nodes = data.nodes.map((_, i) => {
      const place = data.part[i] === "1" ? { x: -RADIUS, y: -RADIUS, width: 2 * RADIUS, height: 2 * RADIUS } : { r: RADIUS };
      const node = svgElement(data.part[i] === "1" ? "rect" : "circle", { ...place, "data-node": i }, svgElement("g", {}, this.svg));
      svgElement("title", {}, node);
      return node;
    });
  }

  // The drawing is as wide as its room; nodes stay round.
  fit() {
    if (!this.nodes?.length || !this.svg.clientHeight) return;
    const wide = Math.max(0.5, Math.min(2, this.svg.clientWidth / this.svg.clientHeight));
    const { at: [x, y], edges: [from, to] } = this.data, place = (i) => `${Math.round(x[i] * wide)} ${y[i]}`;
    this.svg.setAttribute("viewBox", `-25 -25 ${1000 * wide + 50} 1050`);
    this.edges.setAttribute("d", from.map((a, i) => `M${place(a)}L${place(to[i])}`).join(""));
    this.nodes.forEach((node, i) => node.parentNode.setAttribute("transform", `translate(${place(i)})`));
  }

  destroy() {
    this.fitting.disconnect();
  }

  explain(node) {
    if (!node) return;
    const i = Number(node.dataset.node), name = (of) => this.data.classes[of] ?? "unknown";
    const predicted = this.predicted ? `predicted ${name(this.predicted[i])}, is ${name(this.truth[i])}` : `is ${name(this.truth[i])}`;
    node.querySelector("title").textContent = `Node ${this.data.nodes[i]}, ${PART_NAMES[this.data.part[i]]}: ${predicted}`;
  }
}

// The predictions of a network, or of the last one before it for which they are computed; null before the first.
function predictedAt(data, network) {
  for (let step = network; step > 0; step -= 1) if (data.predicted[step]) return classes(data.predicted[step]);
  return null;
}

function key(mark, text, colour = "") {
  const dot = element("i", { class: mark });
  dot.style.background = colour;
  return element("span", {}, dot, text);
}
