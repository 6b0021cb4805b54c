// A figure of the tour: controls, a board below them, and a sentence; each keeps its place from stop to stop.
// A scene names the figure and holds its numbers; nothing is computed here but positions and colours.

import { element, reducedMotion } from "../shared/dom.js";
import { Transport } from "../shared/transport.js";
import { compare } from "./compare.js";
import { phone, rich } from "./draw.js";
import { block, convergence, layers, test } from "./growth.js";
import { convolution, graph, normalise } from "./propagation.js";
import { readout, tuning } from "./training.js";

// Shown until the numbers are there.
const waiting = (board, data) => ({ frames: 1, draw: () => void board.replaceChildren(element("p", { role: "status" }, data.sentence)) });

const FIGURES = { waiting, graph, normalise, convolution, readout, tuning, block, test, layers, convergence, compare };

export class Lesson {
  constructor(root, scene) {
    this.root = root;
    root.classList.add("pgcn", "lesson");
    root.dataset.kind = this.kind = scene.kind;
    this.board = element("div", { class: `board ${scene.kind}` });
    this.sentence = element("p", { class: "sentence", "aria-live": "polite" });
    this.draw(scene);
    this.turned = () => this.redraw();
    phone.addEventListener("change", this.turned);
    const { frames, name, start = 0, autoplay } = this.figure;
    if (frames > 1) this.transport = new Transport(this, { label: name, buttons: ["play", "back", "forward"], speeds: [] });
    const controls = element("div", { class: "controls" }, ...(this.transport ? [this.transport.bar] : []));
    this.parts = [controls, this.board, this.sentence];
    root.append(...this.parts); // beside the style sheet, which is there already
    this.show(scene.at ?? start);
    if (autoplay && scene.at == null && !reducedMotion.matches) this.transport.setPlaying(true);
  }

  destroy() {
    this.transport?.stopClock();
    phone.removeEventListener("change", this.turned);
    for (const part of this.parts) part.remove();
  }

  draw(scene) {
    this.drawn = JSON.stringify(scene.data);
    this.scene = scene;
    this.figure = FIGURES[scene.kind](this.board, scene.data, this, scene);
  }

  // Most figures never change; one that does is redrawn, with the cursor where it was.
  update(scene) {
    if (JSON.stringify(scene.data) !== this.drawn) this.redraw(scene);
  }

  // Also when a telephone is turned: figures are drawn for its width.
  redraw(scene = this.scene) {
    this.board.replaceChildren();
    this.draw(scene);
    this.show(this.cursor);
  }

  get last() { return this.figure.frames - 1; }

  show(frame) {
    this.cursor = Math.max(0, Math.min(this.last, frame));
    this.say(this.figure.draw(this.cursor) ?? "");
    this.root.dataset.at = this.cursor;
    if (!this.transport) return;
    const where = element("span", {}, ...rich(this.figure.label(this.cursor)));
    this.transport.show([...where.childNodes], where.textContent);
  }

  say(text) {
    this.sentence.replaceChildren(...rich(text));
  }

  goTo(frame) {
    this.transport.setPlaying(false);
    this.show(frame);
    this.remember("at", this.cursor);
  }

  toggle() {
    const { playing } = this.transport;
    if (!playing && this.cursor === this.last) this.show(0);
    this.transport.setPlaying(!playing);
  }

  dwell() { return this.figure.dwell; }

  advance() {
    this.show(this.cursor + 1);
    if (this.cursor < this.last) this.transport.schedule();
    else this.transport.setPlaying(false);
  }

  // What was chosen goes into the address, so that a link or a reload shows the same.
  remember(name, value) {
    const address = new URL(location.href);
    address.searchParams.set(name, value);
    history.replaceState(history.state, "", address);
  }
}
