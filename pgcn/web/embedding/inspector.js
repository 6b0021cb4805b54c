// What is known of the node or the nodes that are chosen: always in view beside the plots.

import { element } from "../shared/dom.js";
import { PARTS } from "./colours.js";
import { METRICS, nearestByLogits, probabilities } from "./decode.js";
import { swatchOf, thousands } from "./legend.js";

const LISTED = 40, NEAREST = 10;
const HINT = "Click a node or a cell of the matrix, draw around nodes, or find a node by its id.";
const named = (text) => text.replaceAll("_", " ");
const percentOf = (share) => `${share > 0.995 && share < 0.9995 ? (100 * share).toFixed(1) : Math.round(100 * share)} %`;

export class Inspector {
  // on: save, clear, pick(i), hover(i), measure: the metric has been changed.
  constructor(on) {
    this.on = on;
    this.title = element("h5", { tabindex: -1 }, "Inspector");
    this.words = element("p", { class: "words", role: "status" });
    this.body = element("div", { class: "body" });
    this.save = element("button", { type: "button", class: "plain save" }, "Download as CSV");
    this.clear = element("button", { type: "button", class: "plain" }, "Clear");
    this.metric = element("select", { "aria-label": "Distance between logits" });
    for (const [name, words] of Object.entries(METRICS)) this.metric.append(element("option", { value: name }, words));
    this.metric.addEventListener("change", on.measure);
    this.save.addEventListener("click", on.save);
    this.clear.addEventListener("click", () => { on.clear(); this.title.focus(); });
    this.root = element("section", { class: "card inspector", "aria-label": "Inspector" },
      element("div", { class: "line" }, this.title, this.clear), this.words, this.body, this.save);
  }

  // The nodes nearest to one by logits, nearest first; null where its logits are not there.
  nearest(replay, frame, node) {
    return frame?.logits ? nearestByLogits(frame.logits, node, replay.classes.length, this.metric.value, NEAREST) : null;
  }

  show(state) {
    const { replay, frame, shared, nodes, why } = state;
    this.save.hidden = this.clear.hidden = !nodes.length;
    this.save.disabled = !frame?.predicted;
    this.entries = shared.classes;
    const focused = this.body.contains(document.activeElement);
    if (shared.node >= 0) this.showNode(replay, frame, shared);
    else {
      this.title.textContent = nodes.length ? `${thousands(nodes.length)} node${nodes.length === 1 ? "" : "s"}` : "Inspector";
      this.words.textContent = nodes.length ? `${why}.` : HINT;
      this.body.replaceChildren(...(nodes.length ? [this.shares(replay, nodes), this.list(replay, frame, nodes)] : []));
    }
    if (focused) this.title.focus();
  }

  showNode(replay, frame, shared) {
    const i = shared.node, c = replay.classes.length, name = replay.names?.[i];
    this.title.textContent = `Node ${replay.nodes[i]}${name ? `: ${name}` : ""}`;
    this.words.textContent = `${verdictOn(replay, frame, i)} · ${placeOf(replay, i)}.`;
    if (shared.selected.size) this.words.textContent += ` Also selected: ${thousands(shared.selected.size)} nodes.`;
    const parts = [];
    if (frame?.logits) parts.push(this.bars(probabilities(frame.logits, i, c), replay));
    const terms = termsOf(replay, i);
    if (terms.length) parts.push(element("h6", {}, "Features"), element("p", {}, terms.join(", ")));
    const far = new Map(shared.close.map((other, at) => [other, shared.distances[at]]));
    parts.push(element("div", { class: "line" }, element("h6", {}, "Nearest by logits"), this.metric));
    parts.push(frame?.logits ? this.list(replay, frame, shared.close, (other) => far.get(other).toPrecision(2)) : element("p", {}, "The logits of this step are not available."));
    const shown = shared.near.length, all = replay.degree[i];
    parts.push(element("h6", {}, `Neighbours in the graph: ${thousands(all)}${shown === all ? "" : `, ${thousands(shown)} of them in the sample`}`));
    parts.push(this.list(replay, frame, shared.near));
    this.body.replaceChildren(...parts);
  }

  // The most likely classes of a node.
  bars(chances, replay) {
    const order = chances.map((chance, k) => [chance, k]).sort((a, b) => b[0] - a[0]).slice(0, 4).filter(([chance]) => chance >= 0.005);
    return element("ul", { class: "chances", "aria-label": "Probabilities of classes" }, ...order.map(([chance, k]) => this.bar(k, chance, percentOf(chance), replay)));
  }

  // How many of some nodes are of each class.
  shares(replay, nodes) {
    const counts = new Map();
    for (const i of nodes) counts.set(replay.y[i], (counts.get(replay.y[i]) ?? 0) + 1);
    const order = [...counts].sort((a, b) => b[1] - a[1]);
    return element("ul", { class: "chances", "aria-label": "True classes" }, ...order.map(([k, count]) => this.bar(k, count / nodes.length, thousands(count), replay)));
  }

  bar(k, share, words, replay) {
    const bar = element("i"), row = element("li", {}, element("span", {}, k < 0 ? "class unknown" : named(replay.classes[k])), element("small", {}, words), bar);
    bar.style.width = `${100 * share}%`;
    if (k >= 0) bar.style.background = this.entries[k].colour;
    return row;
  }

  list(replay, frame, nodes, distance = null) {
    const list = element("ul", { class: "rows" }, ...nodes.slice(0, LISTED).map((i) => element("li", {}, this.row(replay, frame, i, distance))));
    if (nodes.length > LISTED) list.append(element("li", {}, element("small", {}, `and ${thousands(nodes.length - LISTED)} more (all are in the CSV)`)));
    return list;
  }

  // A node as a button: its class by colour and name, and what it was taken for.
  row(replay, frame, i, distance) {
    const y = replay.y[i], wrong = frame?.predicted && y >= 0 && frame.predicted[i] !== y;
    const button = element("button", { type: "button", title: describeNode(replay, frame, i) }, y < 0 ? "" : swatchOf(this.entries[y]),
      element("b", {}, String(replay.nodes[i])), element("span", {}, y < 0 ? "class unknown" : named(replay.classes[y]), wrong ? element("em", {}, ` ✗ ${named(replay.classes[frame.predicted[i]])}`) : ""));
    if (distance) button.append(element("small", {}, distance(i)));
    button.addEventListener("click", () => this.on.pick(i));
    for (const [kind, over] of [["pointerenter", i], ["focus", i], ["pointerleave", -1], ["blur", -1]]) button.addEventListener(kind, () => this.on.hover(over));
    return button;
  }
}

// The names of a node's features, the largest first; none where the graph has no names for them.
function termsOf({ termed, terms, nodes }, i) {
  const width = termed.length / nodes.length;
  return Array.from(termed.subarray(i * width, (i + 1) * width)).filter((term) => term >= 0).map((term) => terms[term]);
}

// What a node is, and what it was taken for.
function verdictOn(replay, frame, i) {
  const name = (c) => (c < 0 ? "class unknown" : named(replay.classes[c]));
  if (!frame?.predicted) return name(replay.y[i]);
  const guess = frame.predicted[i] === replay.y[i] ? "predicted correctly" : `predicted as ${name(frame.predicted[i])}`;
  return `${name(replay.y[i])}, ${guess} (${percentOf(frame.confidence[i])})`;
}

export function describeNode(replay, frame, i) {
  return `node ${replay.nodes[i]}${replay.names?.[i] ? ` (${replay.names[i]})` : ""}: ${verdictOn(replay, frame, i)}`;
}

// Its place in the split and in the graph.
export function placeOf(replay, i) {
  return `${PARTS[replay.part[i]]} · ${replay.degree[i]} neighbour${replay.degree[i] === 1 ? "" : "s"}`;
}
