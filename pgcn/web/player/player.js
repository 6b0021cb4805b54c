// A run as it grows, or its replay: frames, and a cursor. While the run is live there is one clock, that of training:
// the cursor follows it, the scrubber looks back, "Live" returns. In a replay the transport moves the cursor.

import { element, reducedMotion, svgElement } from "../shared/dom.js";
import { typeset } from "../shared/formula.js";
import { Transport } from "../shared/transport.js";
import { Canvas } from "./canvas.js";
import { Charts } from "./charts.js";
import { GraphView } from "./graph.js";
import { Log } from "./log.js";
import { Presentation } from "./present.js";
import { saveDrawing } from "./save.js";
import { Zoom } from "./zoom.js";

const DWELL = { proposed: 800, accepted: 800, rejected: 1000, layer: 900, asked: 900, undone: 900, start: 300, end: 900 };
const CATCH_UP = 400; // milliseconds in which the cursor passes the frames that came at once
const FAR = 8; // with more new frames than these it skips to the last two
const LARGE = 1.7; // the type of a presentation

function swatch(status, text) {
  const svg = svgElement("svg", { width: 22, height: 14, class: "swatch" });
  const group = svgElement("g", { class: `block ${status}`, transform: "translate(11 7)" }, svg);
  svgElement("rect", { class: "body", x: -9, y: -5, width: 18, height: 10 }, group);
  if (status === "rejected") svgElement("path", { class: "cross", d: "M-5 -5L5 5M5 -5L-5 5" }, group);
  return element("span", {}, svg, text);
}

export class Player {
  constructor(root, replay, onBranch = null) { // where a page can grow on from a step
    this.root = root;
    this.onBranch = onBranch;
    this.cursor = 0;
    this.build();
    this.update(replay);
  }

  build() {
    this.root.classList.add("pgcn", "player");
    this.title = element("strong");
    this.facts = element("span", { class: "facts" });
    this.sentence = element("p");
    this.badge = element("span", { class: "recorded" });
    const caption = element("figcaption", { class: "caption" },
      element("div", { class: "line" }, element("span", {}, this.title, " ", this.badge), this.facts), this.sentence);
    const tip = element("div", { class: "tip", role: "tooltip" });
    this.stage = element("figure", { class: "canvas", tabindex: 0, "aria-label": "The network; arrow keys step, space plays, F presents" }, caption);
    this.zoom = new Zoom(this.stage);
    this.canvas = new Canvas(this.zoom.pan, tip);
    this.tally = element("span");
    this.within = element("span", { class: "within" }, element("span", { class: "strips" }, "Columns: neurons; rows: classes; stronger colour: higher mean activation. "),
      "Bars: neurons by top class. Links: readout weights, dashed if negative.");
    this.stage.append(element("div", { class: "key" },
      swatch("candidate", "candidate"), swatch("accepted", "accepted"), swatch("rejected", "rejected"), this.tally, this.zoom.controls, this.within), tip);
    this.stage.addEventListener("keydown", (event) => this.key(event));
    this.graph = new GraphView();
    this.log = new Log((step) => this.goTo(step));
    const charts = element("div", { class: "charts" });
    this.root.append(element("div", { class: "stage" }, this.stage, this.graph.figure), this.controls(),
      element("div", { class: "below" }, this.log.panel, charts), this.foot());
    this.charts = new Charts(charts, (judged) => this.goTo(this.frames.findIndex((frame) => frame.judged === judged)));
  }

  controls() {
    this.transport = new Transport(this);
    this.live = element("button", { type: "button", class: "live", title: "To the newest step" }, "● Live");
    this.live.addEventListener("click", () => this.goTo(this.last));
    this.presentation = new Presentation(this.root, this.transport.keys, () => { this.resize(); this.sayFacts(); });
    this.branch = element("button", { type: "button", class: "branch" });
    this.branch.addEventListener("click", () => this.onBranch?.(this.frame.network));
    this.transport.bar.append(this.live, this.branch, this.presentation.button);
    return this.transport.bar;
  }

  foot() {
    const button = (text, action) => {
      const node = element("button", { type: "button" }, text);
      node.addEventListener("click", action);
      return node;
    };
    const save = (kind) => button(`Save network as ${kind.toUpperCase()}`, () => saveDrawing(this.canvas.svg, this.paper, kind));
    const expert = element("input", { type: "checkbox" });
    expert.addEventListener("change", () => this.charts.setExpert(expert.checked));
    const label = element("label", { class: "expert", title: "Shows the training loss and the error E" }, expert, "Expert");
    this.copy = button("Copy link to this step", () => this.copyLink());
    return element("div", { class: "foot" }, label, this.copy, save("svg"), save("png"));
  }

  // A continuation of the replay shown keeps the cursor; another replay starts at its beginning, a live run at its end.
  update(replay) {
    const another = replay.id !== this.replay?.id;
    this.replay = replay;
    if (another) {
      const still = reducedMotion.matches || !replay.autoplay || replay.live;
      this.cursor = replay.at ?? (still ? this.last : Math.min(1, this.last)); // the first block at once
      this.following = replay.live && replay.at == null;
      this.log.clear();
    }
    this.cursor = Math.min(this.cursor, this.last);
    this.log.update(replay);
    this.badge.textContent = replay.badge ?? "";
    this.badge.hidden = !replay.badge;
    this.show(!another);
    if (another) this.transport.setPlaying(!replay.live && Boolean(replay.autoplay) && replay.at == null && !reducedMotion.matches);
    else if (this.following && !this.catchingUp) this.catchUp();
  }

  get frames() { return this.replay.frames; }
  get frame() { return this.frames[this.cursor]; }
  get last() { return this.frames.length - 1; }
  get paper() { return getComputedStyle(this.root).getPropertyValue("--paper"); }

  // Shows the frames that came since, one after the other, so that none is missed.
  catchUp() {
    clearTimeout(this.catchingUp);
    this.catchingUp = null;
    if (!this.root.isConnected || !this.following) return;
    if (this.cursor < this.last) {
      this.cursor = Math.max(this.cursor + 1, this.last - this.cursor > FAR ? this.last - 1 : 0);
      this.show();
    }
    if (this.cursor < this.last) this.catchingUp = setTimeout(() => this.catchUp(), Math.max(60, CATCH_UP / (this.last - this.cursor + 1)));
    else if (!this.replay.live) {
      this.following = false;
      this.show(true);
    }
  }

  // What a header above the player says of the newest step is not said again, but where the player is alone.
  sayFacts() {
    const said = this.replay.headed && this.cursor === this.last && !this.presentation.on;
    this.facts.textContent = said ? this.frame.newest : this.frame.facts;
  }

  show(same = false) {
    const { frame, replay, last } = this;
    Object.assign(this.root.dataset, { cursor: this.cursor, steps: last, topology: frame.topology.join("-"), live: replay.live, replay: replay.id, network: frame.network });
    this.graph.show(replay, frame);
    const learned = this.canvas.learn(replay, frame); // before the other side of ||: it is to be told in any case
    this.within.style.visibility = this.canvas.inside.at(frame) ? "" : "hidden"; // its room is there before anything is known
    if (!same || learned || this.drawn !== this.cursor) this.canvas.show(replay, frame);
    this.drawn = this.cursor;
    this.charts.show(replay, frame);
    this.title.textContent = frame.title;
    typeset(this.sentence, frame.sentence);
    this.sayFacts();
    this.tally.textContent = frame.tally;
    this.transport.show(this.where(), frame.title);
    this.live.hidden = !replay.live;
    this.live.setAttribute("aria-pressed", Boolean(this.following));
    this.showBranch();
    this.copy.style.visibility = replay.shareable ? "visible" : "hidden"; // its room stays
    this.log.mark(frame);
    if (!same) cancelAnimationFrame(this.filling);
    if (this.cursor === last) this.canvas.setProgress(replay.progress ?? 0);
    else if (!same && frame.kind === "proposed") this.fillUp();
  }

  where() {
    if (!this.last) return this.replay.live ? "starting" : "no step yet";
    return this.following ? `step ${this.cursor}` : `step ${this.cursor} of ${this.last}`;
  }

  // From the accepted network of this step a branch can grow on.
  showBranch() {
    const { frame, replay } = this, key = frame.blocks.findLast(([, status]) => status === 1)?.[0];
    this.branch.hidden = !this.onBranch || replay.live;
    this.branch.disabled = !frame.network || key === undefined;
    const last = this.branch.disabled ? null : replay.blocks[key];
    this.branch.textContent = last ? `Branch from L${last.layer}·B${last.number}` : "Branch from here";
    this.branch.title = last ? "Grow on from this accepted block with other settings" : "No block has been accepted up to this step";
  }

  // The candidate block fills up while its training is replayed.
  fillUp() {
    if (!this.transport.playing || reducedMotion.matches) return void this.canvas.setProgress(0.5);
    const began = performance.now(), length = DWELL.proposed / this.transport.speed;
    const step = (now) => {
      this.canvas.setProgress(Math.max(0, Math.min(1, (now - began) / length)));
      if (now - began < length) this.filling = requestAnimationFrame(step);
    };
    this.filling = requestAnimationFrame(step);
  }

  dwell() { return DWELL[this.frame.kind]; }

  advance() {
    if (this.cursor < this.last) {
      this.cursor += 1;
      this.show();
      this.transport.schedule();
    } else this.transport.setPlaying(false);
  }

  toggle() {
    if (this.replay.live) return; // training has its own buttons
    const { playing } = this.transport;
    if (!playing && this.cursor === this.last) { this.cursor = 0; this.show(); }
    this.transport.setPlaying(!playing);
  }

  goTo(step) {
    this.transport.setPlaying(false);
    this.cursor = Math.max(0, Math.min(this.last, step));
    this.following = this.replay.live && this.cursor === this.last;
    this.show();
  }

  key(event) {
    if (event.target === this.stage) this.transport.key(event);
  }

  async copyLink() {
    const link = new URL(location.href);
    link.searchParams.set("at", this.cursor);
    await navigator.clipboard.writeText(link.href);
    this.copy.textContent = "Copied";
    setTimeout(() => { this.copy.textContent = "Copy link to this step"; }, 1500);
  }

  resize() {
    this.canvas.scale = this.presentation.on ? LARGE : 1;
    this.redraw();
  }

  redraw() {
    this.canvas.show(this.replay, this.frame, true);
    this.graph.show(this.replay, this.frame);
    this.charts.show(this.replay, this.frame, true);
  }

  destroy() {
    this.transport.stopClock();
    clearTimeout(this.catchingUp);
    cancelAnimationFrame(this.filling);
    this.canvas.destroy();
    this.graph.destroy();
    this.charts.destroy();
  }
}
