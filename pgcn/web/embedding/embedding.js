// The replay of a run's embeddings: scatter plots, matrix, curves and inspector of the same nodes, and a cursor on the steps.

import { element, reducedMotion } from "../shared/dom.js";
import { isDark } from "../shared/palette.js";
import { Transport } from "../shared/transport.js";
import { COLOURINGS, colouring } from "./colours.js";
import { saveNodes } from "./csv.js";
import { ARRAYS, bytes } from "./decode.js";
import { Frames } from "./frames.js";
import { Inspector, describeNode, placeOf } from "./inspector.js";
import { asChosen } from "./keep.js";
import { drawLegend, thousands } from "./legend.js";
import { lookUp, mixedOrder, neighboursOf } from "./lookup.js";
import { COUNTED, Curves, Matrix, separationWords } from "./panels.js";
import { BOX, Scatter } from "./scatter.js";
import { Tools } from "./tools.js";
import { Turn, outsideOf } from "./turn.js";

const DWELL_STEP = 1500, MORPH = 1000, BETWEEN = 450; // milliseconds: on a step, to the next, between two iterates
const NUDGE = 0.12; // radians for each press of a key
const KEYS = { ArrowLeft: [-NUDGE, 0], ArrowRight: [NUDGE, 0], ArrowUp: [0, -NUDGE], ArrowDown: [0, NUDGE] };

export class EmbeddingPlayer {
  constructor(root, replay, remember = () => {}) {
    Object.assign(this, { root, remember, cursor: 0, cell: null, why: "", iterates: 0, frames: new Frames() });
    this.shared = { of: new Uint8Array(0), entries: [], classes: [], hidden: new Set(), selected: new Set(), near: [], close: [], distances: [], node: -1, hover: -1,
      order: [], labelled: [], stress: 1.4, turn: new Turn() };
    this.build();
    this.update(replay);
  }

  build() {
    this.root.classList.add("pgcn", "embedding");
    this.root.player = this;
    const all = (act) => Object.values(this.views).forEach(act);
    const on = {
      hover: (i, event) => this.hover(i, event), pick: (i) => this.choose(i),
      turn: (yaw, pitch) => { this.shared.turn.by(yaw, pitch); all((view) => view.draw()); },
      key: (event, view) => {
        if (event.shiftKey && view.dimensions === 3 && KEYS[event.key]) { event.preventDefault(); on.turn(...KEYS[event.key]); }
        else this.transport.key(event, { Escape: () => this.select([], "") });
      },
      select: (nodes, more) => this.select(more ? [...this.shared.selected, ...nodes] : nodes, "Inside the lasso"),
    };
    this.views = { input: new Scatter("input", this.shared, on), step: new Scatter("step", this.shared, on), gcn: new Scatter("gcn", this.shared, on) };
    this.tools = new Tools({
      shared: this.shared, find: (text) => this.find(text), drags: (on) => this.root.classList.toggle("drags", on),
      recolour: () => { this.shared.hidden.clear(); this.show(); this.updateLink(); },
      zoom: (by) => { if (!by) this.shared.turn.reset(); all((view) => view.scale(by)); },
    });
    this.colour = this.tools.colour;
    this.legend = element("div", { class: "legend", role: "group", "aria-label": "Legend: click an entry to hide or show it" });
    this.tip = element("div", { class: "tip", role: "tooltip" });
    this.matrix = new Matrix((cell, nodes, label) => this.cellChosen(cell, nodes, label));
    this.matrix.counted.addEventListener("change", () => { this.cell = null; this.show(); this.updateLink(); });
    this.curves = new Curves((i) => this.goTo(i));
    this.inspector = new Inspector({ save: () => saveNodes(this.replay, this.frame, this.selectedNodes()), clear: () => this.select([], ""),
      pick: (i) => this.choose(i), hover: (i) => this.hover(i), measure: () => this.show() });
    this.transport = new Transport(this);
    this.badge = element("span", { class: "recorded" });
    this.sample = element("span", { class: "facts" });
    this.about = element("div", { class: "sample" }, this.sample, this.badge);
    const { input, step, gcn } = this.views;
    const stage = element("div", { class: "stage" }, element("div", { class: "side" }, input.root, this.legend), element("div", { class: "views" }, step.root, gcn.root));
    const panels = element("div", { class: "panels" }, this.matrix.root, this.curves.root);
    this.root.append(element("div", { class: "desk" }, element("div", { class: "left" }, this.about, this.tools.root, stage, this.transport.bar), this.inspector.root, panels), this.tip);
  }

  // A replay of the same id is a continuation: the cursor and all choices stay.
  update(replay) {
    const another = replay.id !== this.replay?.id, before = this.steps?.length ?? 0;
    if (!another && replay.state === this.replay.state) return;
    if (another) replay = asChosen(replay, this.replay, () => this.chosen);
    this.replay = { ...replay, termed: bytes(replay.termed ?? "", Int32Array) };
    for (const [name, Kind] of Object.entries(ARRAYS)) this.replay[name] = bytes(replay[name], Kind);
    if (another) this.frames.clear();
    Object.assign(this, this.frames.take(replay));
    if (another) this.begin(replay);
    else this.cursor = this.resting;
    this.badge.textContent = replay.badge;
    this.badge.hidden = !replay.badge;
    this.sample.textContent = replay.words;
    this.about.hidden = !replay.badge && !replay.words;
    this.views.gcn.root.hidden = !replay.gcn;
    if (another && replay.node != null) this.choose(this.replay.nodes.indexOf(replay.node));
    this.show();
    if (another) this.transport.setPlaying(Boolean(replay.autoplay) && replay.at == null && !reducedMotion.matches);
    else if (this.transport.playing && before !== this.steps.length) this.transport.schedule();
  }

  get chosen() {
    const { node } = this.shared, at = this.following ? null : this.wanted ?? this.cursor;
    return { at, node: node >= 0 ? this.replay.nodes[node] : null, colour: this.colour.value, counted: this.matrix.counted.value };
  }

  begin(replay) {
    const { shared } = this, { nodes, part } = this.replay;
    const mixed = mixedOrder(nodes.length);
    const labelled = mixed.filter((i) => part[i] === 1);
    shared.hidden.clear();
    Object.assign(shared, { selected: new Set(), node: -1, near: [], close: [], distances: [], hover: -1,
      order: mixed.filter((i) => part[i] !== 1), labelled, stress: labelled.length < nodes.length / 5 ? 1.5 : 1.2 });
    Object.assign(this, { cell: null, why: "" });
    this.colour.value = replay.colour in COLOURINGS ? replay.colour : "class";
    this.matrix.counted.value = replay.counted in COUNTED ? replay.counted : "test";
    const first = replay.autoplay && !reducedMotion.matches ? 0 : this.latest;
    this.cursor = Math.max(0, Math.min(replay.at ?? first, this.available));
    this.wanted = replay.at ?? null;
    this.following = replay.at == null && !replay.autoplay;
  }

  // Show an iterate of an embedding in the making: only points move, so that nothing is drawn anew under a click.
  follow(iterate) {
    if (!this.frames.follow(iterate)) return;
    const cursor = this.resting, moved = cursor !== this.cursor;
    Object.assign(this, { cursor, iterates: this.iterates + 1 });
    if (moved) return void this.show(BETWEEN);
    this.showViews(BETWEEN);
    this.note();
  }

  // The last step whose embedding is there, -1 before the first; and the last that can be shown, if only by a preview.
  get reached() { return this.steps.filter((step) => (step.map && !step.preview) || step.missing).length - 1; }
  get available() { return this.steps.filter((step) => step.map || step.missing).length - 1; }
  get last() { return this.steps.length - 1; }
  get frame() { return this.steps[this.cursor]; }
  // The step to look at: the one in the making; in the end, and of the picture before, the last that stands.
  get latest() {
    const before = this.reached < 0 && !this.frames.live && this.steps[this.replay.last]?.last;
    return Math.max(0, this.reached === this.last || before ? this.replay.last : Math.min(this.reached + 1, this.available));
  }

  // Where the cursor is while nobody moves it: at the latest step, or at the one asked for as soon as it can be shown.
  get resting() {
    if (this.transport.playing) return this.cursor;
    if (this.following) return this.latest;
    return this.wanted == null ? this.cursor : Math.max(0, Math.min(this.wanted, this.available));
  }

  show(glide = 0) {
    const { replay, frame, shared } = this, ready = Boolean(frame?.map && frame.predicted);
    const style = getComputedStyle(this.root), value = (name) => style.getPropertyValue(name).trim();
    const theme = isDark(this.root) ? "dark" : "light";
    Object.assign(shared, { ink: value("--ink"), paper: value("--paper"), accent: value("--accepted"), classes: colouring("class", replay, null, theme).entries });
    const coloured = ready || ["class", "degree", "part"].includes(this.colour.value) ? this.colour.value : "class";
    Object.assign(shared, colouring(coloured, replay, frame, theme));
    for (const view of Object.values(this.views)) view.of = shared.of;
    if (this.fixed.gcn?.predicted) this.views.gcn.of = colouring(coloured, replay, this.fixed.gcn, theme).of; // by its own predictions
    const nearest = shared.node >= 0 ? this.inspector.nearest(replay, frame, shared.node) ?? [] : [];
    Object.assign(shared, { close: nearest.map(({ node }) => node), distances: nearest.map(({ distance }) => distance) });
    this.showViews(glide);
    drawLegend(this.legend, shared, () => this.show());
    if (ready) this.matrix.show(replay, frame, this.cell);
    if (this.reached >= 0) this.curves.show(this.steps, this.cursor);
    this.root.classList.toggle("empty", !ready);
    this.inspector.show({ replay, frame, shared, nodes: this.selectedNodes(), why: this.why });
    this.transport.show(`step ${this.cursor + 1} of ${this.last + 1}`, frame?.title ?? "");
    this.root.dataset.theme = theme;
    this.note();
  }

  showViews(glide) {
    const { frame, fixed: { input, gcn } } = this;
    this.view("input", input, "Input features", input?.iterate ? glide : 0);
    this.view("step", frame, frame ? `Step ${frame.number} · ${frame.title}` : "", glide);
    if (this.replay.gcn) this.view("gcn", gcn, "GCN with 16 hidden neurons, seed 0", gcn?.iterate ? glide : 0);
  }

  // What is shown, for whoever looks at the page from outside.
  note() {
    const { cursor, last, reached, iterates, frame, replay, shared: { selected, node } } = this;
    Object.assign(this.root.dataset, { cursor, steps: last, reached, iterates, selected: selected.size, node: node >= 0 ? replay.nodes[node] : "", replay: replay.id,
      preview: frame?.preview ? (frame.iterate ? "iterate" : frame.last ? "last" : "pca") : "" });
  }

  view(name, frame, title, length) {
    const view = this.views[name], there = Boolean(frame?.map), turns = frame?.dimensions === 3 ? " Shift and arrow keys turn it." : "";
    view.title.textContent = title + (frame?.stands === false ? " (rejected later with its layer)" : "");
    const box = this.frames.boxFor(frame), far = there ? outsideOf(frame.map, frame.dimensions, box) : 0;
    const words = !there ? [] : frame.preview ? [this.previewWords(frame)] : `${name === "input" ? "" : "Logits: "}${separationWords(frame)}`.split(" · ");
    if (there && frame.dimensions === 3) words.push("drag to turn");
    if (far) words.push(`${thousands(far)} far node${far === 1 ? "" : "s"} ${frame.dimensions === 3 ? "can be" : "drawn"} on the edge`);
    view.facts.textContent = name === "input" ? words[0] ?? "" : words.join(" · ");
    view.facts.title = words.join(" · ");
    view.root.classList.toggle("preview", Boolean(there && frame.preview));
    Object.assign(view.title, { title: view.title.textContent });
    view.missing.textContent = there ? "" : frame?.missing || this.replay.waiting;
    view.canvas.setAttribute("aria-label", `Embedding of ${title}: ${thousands(this.replay.nodes.length)} nodes. Arrow keys step, space plays, escape clears the selection.${turns}`);
    if (!there) view.show(null, 2, BOX);
    else if (view.target !== frame.map || view.box !== box) view.show(frame.map, frame.dimensions, box, length);
    view.recolour();
  }

  previewWords(frame) {
    const { method, stopped } = this.replay, of = frame.of ?? "PCA";
    if (frame.iterate) return `${method} is being computed`;
    if (stopped) return of === method ? "previous embedding" : `${of}: ${method} has not been computed`;
    if (!frame.last && of === method) return "class separation is being computed";
    return of === method ? "previous embedding, until the new one is ready" : `${of}, until ${method} is ready`;
  }

  selectedNodes() {
    const { selected, node, near } = this.shared;
    return [...new Set([...(node >= 0 ? [node, ...near] : []), ...[...selected].sort((a, b) => a - b)])];
  }

  select(nodes, why, cell = null) {
    Object.assign(this, { why, cell });
    Object.assign(this.shared, { selected: new Set(nodes), node: -1, near: [] });
    this.show();
    this.updateLink();
  }

  cellChosen(cell, nodes, label) {
    if (this.cell === cell) return void this.select([], "");
    this.select(nodes, label.replace(/^\d+ (.)/, (_, first) => first.toUpperCase()), cell);
  }

  // Choose one node: its edges are drawn in every plot.
  choose(i) {
    const { shared } = this, chosen = i === shared.node ? -1 : i;
    if (chosen < 0 && shared.node < 0 && shared.selected.size) { shared.selected = new Set(); this.cell = null; }
    Object.assign(shared, { node: chosen, near: chosen < 0 ? [] : neighboursOf(this.replay, chosen) });
    this.show();
    this.updateLink();
  }

  find(text) {
    const { i, why } = text ? lookUp(this.replay, text) : { i: this.shared.node };
    this.tools.complain(why ?? "");
    if (i >= 0 && i !== this.shared.node) this.choose(i);
  }

  hover(i, event = null) {
    if (i !== this.shared.hover) {
      this.shared.hover = i;
      Object.values(this.views).forEach((other) => other.draw());
    }
    this.tip.classList.toggle("shown", i >= 0 && Boolean(event));
    if (i < 0 || !event) return;
    this.tip.textContent = `${describeNode(this.replay, this.frame, i)}\n${placeOf(this.replay, i)}`;
    const box = this.root.getBoundingClientRect(), x = event.clientX - box.left, y = event.clientY - box.top;
    this.tip.style.left = `${Math.max(0, Math.min(x + 14, box.width - this.tip.offsetWidth - 4))}px`;
    this.tip.style.top = `${y + 16}px`;
  }

  goTo(step) {
    this.transport.setPlaying(false);
    this.wanted = null;
    const next = Math.max(0, Math.min(this.available, step));
    this.following = next === this.latest;
    const moved = next !== this.cursor;
    this.cursor = next;
    this.cell = null;
    this.show(moved ? MORPH / this.transport.speed : 0);
    this.updateLink();
  }

  toggle() {
    const { playing } = this.transport;
    this.wanted = null;
    if (!playing && this.cursor >= this.available) { this.cursor = 0; this.show(MORPH / this.transport.speed); }
    this.transport.setPlaying(!playing);
  }

  dwell() { return DWELL_STEP; }

  advance() {
    if (this.cursor < this.available) {
      this.cursor += 1;
      this.cell = null;
      this.show(MORPH / this.transport.speed);
      this.transport.schedule();
    } else if (this.available === this.last) { this.transport.setPlaying(false); this.updateLink(); }
    else this.transport.schedule(); // the next embedding is being computed
  }

  updateLink() {
    const { replay, shared } = this;
    this.remember({ at: String((this.wanted ?? this.cursor) + 1), colour: this.colour.value === "class" ? null : this.colour.value,
      counted: this.matrix.counted.value === "test" ? null : this.matrix.counted.value, node: shared.node >= 0 ? String(replay.nodes[shared.node]) : null });
  }

  redraw() { this.show(); }

  destroy() {
    this.transport.stopClock();
    Object.values(this.views).forEach((view) => view.destroy());
  }
}
