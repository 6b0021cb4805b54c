// The maps of a run: a cursor on its steps; views, matrix, curves and selection that all show the same nodes.

import { element, motionless, setPlaying, transport } from "../transport.js";
import { COLOURINGS, PARTS, colouring } from "./colours.js";
import { COUNTED, Curves, Matrix, Selection, save, separationWords } from "./panels.js";
import { Scatter } from "./scatter.js";
import { Tools, drawLegend, thousands } from "./tools.js";

const STAY = 1500, MORPH = 1000;
const ARRAYS = { nodes: Int32Array, y: Int16Array, part: Uint8Array, degree: Int32Array, edges: Int32Array };

function bytes(text, Kind) {
  const raw = atob(text), data = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; i += 1) data[i] = raw.charCodeAt(i);
  return new Kind(data.buffer);
}

export class Maps {
  constructor(root, film, remember = () => {}) {
    Object.assign(this, { root, remember, cursor: 0, playing: false, speed: 1, cell: null, why: "" });
    this.look = { of: new Uint8Array(0), entries: [], hidden: new Set(), selected: new Set(), near: [], node: -1, hover: -1, order: [] };
    this.decoded = new Map();
    this.build();
    this.update(film);
  }

  build() {
    this.root.classList.add("pgcn", "maps");
    this.root.maps = this;
    const tell = {
      hover: (i, event, view) => this.hover(i, event, view), pick: (i) => this.choose(i), key: (event) => this.key(event),
      select: (nodes, more) => this.select(more ? [...this.look.selected, ...nodes] : nodes, "inside the lasso"),
    };
    this.views = { input: new Scatter("input", this.look, tell), step: new Scatter("step", this.look, tell), gcn: new Scatter("gcn", this.look, tell) };
    this.tools = new Tools({
      look: this.look, find: (text) => this.find(text), drags: (on) => this.root.classList.toggle("drags", on),
      recolour: () => { this.look.hidden.clear(); this.show(); this.keepLink(); },
      zoom: (by) => Object.values(this.views).forEach((view) => view.scale(by)),
    });
    this.colour = this.tools.colour;
    this.legend = element("div", { class: "legend", role: "group", "aria-label": "Legend: press an entry to hide or show it" });
    this.tip = element("div", { class: "tip", role: "tooltip" });
    this.matrix = new Matrix((cell, nodes, label) => this.cellChosen(cell, nodes, label));
    this.matrix.counted.addEventListener("change", () => { this.cell = null; this.show(); this.keepLink(); });
    this.curves = new Curves((i) => this.goTo(i));
    this.selection = new Selection({ save: () => save(this.film, this.picture, this.selectedNodes()), clear: () => this.select([], ""), pick: (i) => this.choose(i) });
    Object.assign(this, transport({
      goTo: (step) => this.goTo(step), by: (steps) => this.goTo(this.cursor + steps), toggle: () => this.toggle(),
      pace: (speed) => { this.speed = speed; if (this.playing) this.schedule(); },
    }));
    const panels = element("div", { class: "panels" }, this.matrix.root, this.curves.root, this.selection.root);
    this.badge = element("span", { class: "recorded" });
    this.sample = element("span", { class: "facts" });
    this.root.append(this.tools.root, element("div", { class: "sample" }, this.sample, this.badge), element("div", { class: "views" }, ...Object.values(this.views).map((view) => view.root)), this.legend, this.bar, panels, this.tip);
  }

  // A film of the same id is a continuation: the cursor and all choices stay.
  update(film) {
    const another = film.id !== this.film?.id, before = this.steps?.length ?? 0;
    if (!another && film.state === this.film.state) return;
    this.film = { ...film };
    for (const [name, Kind] of Object.entries(ARRAYS)) this.film[name] = bytes(film[name], Kind);
    const ready = film.pictures.map((picture) => this.read(picture));
    this.pictures = { input: ready.find((picture) => picture.kind === "input"), gcn: ready.find((picture) => picture.kind === "gcn") };
    this.steps = ready.filter((picture) => picture.kind === "step");
    const { look } = this, reached = this.reached;
    if (another) {
      this.position = new Map(Array.from(this.film.nodes, (id, i) => [id, i]));
      look.order = Array.from(this.film.nodes, (_, i) => i).sort((a, b) => ((a * 7919) % 10007) - ((b * 7919) % 10007)); // no class always on top
      look.hidden.clear();
      Object.assign(look, { selected: new Set(), node: -1, near: [], hover: -1 });
      Object.assign(this, { cell: null, why: "", decoded: new Map() });
      this.colour.value = film.colour in COLOURINGS ? film.colour : "class";
      this.matrix.counted.value = film.counted in COUNTED ? film.counted : "test";
      this.cursor = Math.max(0, Math.min(film.at ?? (film.autoplay && !motionless.matches ? 0 : film.last), reached));
      this.following = film.at == null && !film.autoplay;
    } else if (this.following && !this.playing) this.cursor = Math.max(0, Math.min(film.last, reached));
    this.scrubber.max = this.steps.length - 1;
    this.badge.textContent = film.badge;
    this.badge.hidden = !film.badge;
    this.sample.textContent = film.words;
    this.views.gcn.root.hidden = !film.gcn;
    if (another && film.node != null) this.choose(this.position.get(film.node) ?? -1);
    this.show();
    if (another) setPlaying(this, Boolean(film.autoplay) && film.at == null && !motionless.matches);
    else if (this.playing && before !== this.steps.length) this.schedule();
  }

  // Decoded once: a picture that is there does not change.
  read(picture) {
    if (!picture.map) return picture;
    if (!this.decoded.has(picture.key)) {
      const short = bytes(picture.map, Int16Array), places = new Float32Array(short.length);
      for (let i = 0; i < short.length; i += 1) places[i] = (short[i] * this.film.reach) / 32767;
      const read = { ...picture, map: places };
      if (picture.predicted) Object.assign(read, { predicted: bytes(picture.predicted, Uint8Array), confidence: bytes(picture.confidence, Uint8Array) });
      this.decoded.set(picture.key, read);
    }
    return this.decoded.get(picture.key);
  }

  // The last step whose map is there, -1 before the first.
  get reached() { return this.steps.filter((step) => step.map || step.missing).length - 1; }
  get picture() { return this.steps[this.cursor]; }

  show(glide = false) {
    const { film, picture, look } = this, ready = Boolean(picture?.map);
    const style = getComputedStyle(this.root);
    Object.assign(look, { ink: style.getPropertyValue("--ink").trim() || style.color, accent: style.getPropertyValue("--kept").trim() });
    const basis = ready ? picture : { predicted: new Uint8Array(film.nodes.length), confidence: new Uint8Array(film.nodes.length) };
    const coloured = ready || ["class", "degree", "part"].includes(this.colour.value) ? this.colour.value : "class";
    Object.assign(look, colouring(coloured, film, basis));
    for (const view of Object.values(this.views)) view.of = look.of;
    if (this.pictures.gcn?.map) this.views.gcn.of = colouring(coloured, film, this.pictures.gcn).of; // by its own predictions
    const length = glide ? MORPH / this.speed : 0;
    this.view("input", this.pictures.input, "Input features", 0);
    this.view("step", picture, picture ? `Step ${picture.number} · ${picture.title}` : "", length);
    if (film.gcn) this.view("gcn", this.pictures.gcn, "GCN with 16 hidden neurons, seed 0", 0);
    drawLegend(this.legend, look, () => this.show());
    if (ready) this.matrix.show(film, picture, this.cell);
    if (this.steps.length && this.reached >= 0) this.curves.show(this.steps, this.cursor);
    this.root.classList.toggle("empty", !ready);
    this.showSelection();
    const last = this.steps.length - 1;
    this.scrubber.value = this.cursor;
    this.scrubber.setAttribute("aria-valuetext", picture?.title ?? "");
    this.where.textContent = this.reached < last ? `step ${this.cursor + 1} of ${this.reached + 1} so far` : `step ${this.cursor + 1} of ${last + 1}`;
    Object.assign(this.root.dataset, { cursor: this.cursor, steps: last, reached: this.reached, selected: look.selected.size, node: look.node >= 0 ? film.nodes[look.node] : "", film: film.id });
  }

  view(name, picture, title, length) {
    const view = this.views[name], there = Boolean(picture?.map);
    view.title.textContent = title + (picture?.stands === false ? " (rejected later, with its layer)" : "");
    view.facts.textContent = there ? `${name === "input" ? "" : "Before the softmax: "}${separationWords(picture)}` : "";
    view.missing.textContent = there ? "" : picture?.missing || this.film.waiting;
    view.canvas.setAttribute("aria-label", `Map of ${title}: ${thousands(this.film.nodes.length)} nodes. Left and right arrow step, space plays, escape clears the selection.`);
    if (!there) view.show(null, 1);
    else if (view.target !== picture.map || view.frame !== this.film.frames[name]) view.show(picture.map, this.film.frames[name], length);
    view.recolour();
  }

  describe(i) {
    const { film, picture } = this, name = (c) => (c < 0 ? "class not known" : film.classes[c].replaceAll("_", " "));
    if (!picture?.map) return `node ${film.nodes[i]}: ${name(film.y[i])}`;
    const right = picture.predicted[i] === film.y[i];
    const guess = right ? "predicted right" : `predicted ${name(picture.predicted[i])}`;
    return `node ${film.nodes[i]}: ${name(film.y[i])}, ${guess} (${Math.round((100 * picture.confidence[i]) / 255)} %)`;
  }

  about(i) {
    const { film } = this;
    return `${this.describe(i)}\n${PARTS[film.part[i]]} · ${film.degree[i]} neighbour${film.degree[i] === 1 ? "" : "s"}`;
  }

  showSelection() {
    const { look } = this, nodes = this.selectedNodes();
    let words = "Drag around nodes, click on one, on a cell of the matrix, or find one by its number.";
    if (look.node >= 0) {
      const shown = look.near.length, all = this.film.degree[look.node];
      words = `${this.about(look.node)}, ${shown === all ? "all" : `${shown} of them`} on the map${shown ? " and listed below" : ""}.`;
      if (look.selected.size) words += `\nSelected besides: ${thousands(look.selected.size)} nodes.`;
    } else if (nodes.length) words = `${thousands(nodes.length)} node${nodes.length === 1 ? "" : "s"} ${this.why}.`;
    this.selection.show(nodes, words, (i) => this.describe(i));
  }

  selectedNodes() {
    const { selected, node, near } = this.look;
    return [...new Set([...(node >= 0 ? [node, ...near] : []), ...[...selected].sort((a, b) => a - b)])];
  }

  select(nodes, why, cell = null) {
    Object.assign(this, { why, cell });
    this.look.selected = new Set(nodes);
    this.look.node = -1;
    this.look.near = [];
    this.show();
    this.keepLink();
  }

  cellChosen(cell, nodes, label) {
    if (this.cell === cell) return void this.select([], "");
    this.select(nodes, `selected: ${label.replace(/^\d+ /, "")}`, cell);
  }

  // One node: its edges are drawn in every view.
  choose(i) {
    const { look, film } = this, near = [];
    if (i === look.node || i < 0) i = -1;
    else for (let e = 0, m = film.edges.length / 2; e < m; e += 1) {
      if (film.edges[e] === i) near.push(film.edges[m + e]);
      else if (film.edges[m + e] === i) near.push(film.edges[e]);
    }
    if (i < 0 && look.node < 0 && look.selected.size) { look.selected = new Set(); this.cell = null; }
    Object.assign(look, { node: i, near: near.sort((a, b) => a - b) });
    this.show();
    this.keepLink();
  }

  find(text) {
    const id = Number(text), whole = /^\d+$/.test(text), i = whole ? this.position.get(id) : undefined;
    this.tools.complain("");
    if (i !== undefined && i !== this.look.node) this.choose(i);
    else if (i === undefined && text) this.tools.complain(whole && id < this.film.count
      ? `Node ${id} is not in the sample. Ask for all nodes to see it.` : `Nodes are numbered 0 to ${this.film.count - 1}.`);
  }

  hover(i, event, view) {
    if (i !== this.look.hover) {
      this.look.hover = i;
      Object.values(this.views).forEach((other) => other.draw());
    }
    this.tip.classList.toggle("shown", i >= 0);
    if (i < 0 || !event) return;
    this.tip.textContent = this.about(i);
    const box = this.root.getBoundingClientRect(), x = event.clientX - box.left, y = event.clientY - box.top;
    this.tip.style.left = `${Math.max(0, Math.min(x + 14, box.width - this.tip.offsetWidth - 4))}px`;
    this.tip.style.top = `${y + 16}px`;
  }

  key(event) {
    const action = { ArrowLeft: () => this.goTo(this.cursor - 1), ArrowRight: () => this.goTo(this.cursor + 1), Home: () => this.goTo(0),
      End: () => this.goTo(this.steps.length - 1), " ": () => this.toggle(), Escape: () => this.select([], "") }[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  }

  goTo(step) {
    setPlaying(this, false);
    const next = Math.max(0, Math.min(this.reached, step));
    this.following = next === this.reached;
    const one = Math.abs(next - this.cursor) > 0;
    this.cursor = next;
    if (this.cell) this.cell = null;
    this.show(one);
    this.keepLink();
  }

  toggle() {
    if (!this.playing && this.cursor >= this.reached) { this.cursor = 0; this.show(true); }
    setPlaying(this, !this.playing);
  }

  schedule() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.advance(), STAY / this.speed);
  }

  advance() {
    if (!this.root.isConnected) return void this.destroy();
    if (!this.playing) return;
    if (this.cursor < this.reached) {
      this.cursor += 1;
      this.cell = null;
      this.show(true);
      this.schedule();
    } else if (this.reached === this.steps.length - 1) { setPlaying(this, false); this.keepLink(); }
    else this.schedule(); // the next map is being made
  }

  keepLink() {
    const { film, look } = this;
    this.remember({ at: String(this.cursor + 1), colour: this.colour.value === "class" ? null : this.colour.value,
      counted: this.matrix.counted.value === "test" ? null : this.matrix.counted.value, node: look.node >= 0 ? String(film.nodes[look.node]) : null });
  }

  redraw() { this.show(); }

  destroy() {
    clearTimeout(this.timer);
    Object.values(this.views).forEach((view) => view.destroy());
  }
}
