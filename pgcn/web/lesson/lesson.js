// A picture of the tour: a board that a scene draws on, a sentence under it, and a cursor on the scene's frames.
// The numbers come with the scene; nothing is computed here but places and colours.

import { convolution, graph, normalise } from "./basics.js";
import { element, rich, svg } from "./draw.js";
import { block, convergence, layers, test } from "./growth.js";
import { compare } from "./compare.js";
import { readout, tuning } from "./training.js";

// Shown until the numbers are there.
const waiting = (board, data) => ({ frames: 1, draw: () => void board.replaceChildren(element("p", { role: "status" }, data.sentence)) });

const SCENES = { waiting, graph, normalise, convolution, readout, tuning, block, test, layers, convergence, compare };
const ICONS = { back: "M12 3v10L5 8z", play: "M4 2l10 6-10 6z", pause: "M4 2h3v12H4zM9 2h3v12H9z", forward: "M4 3l7 5-7 5zM11 3h2v10h-2z" };
const motionless = matchMedia("(prefers-reduced-motion: reduce)");
const lessons = new WeakMap();

export function show(parentElement, scene) {
  const root = parentElement.querySelector("div");
  const known = lessons.get(root);
  if (known?.kind === scene.kind) return void known.update(scene);
  known?.remove();
  lessons.set(root, new Lesson(root, scene));
}

class Lesson {
  constructor(root, scene) {
    this.root = root;
    root.classList.add("pgcn", "lesson");
    root.dataset.kind = this.kind = scene.kind;
    this.board = element("div", { class: `board ${scene.kind}` });
    this.sentence = element("p", { class: "sentence", "aria-live": "polite" });
    this.draw(scene);
    this.parts = [this.board, this.sentence, ...(this.picture.frames > 1 ? [this.controls()] : [])];
    root.append(...this.parts); // beside the style sheet, which is there already
    this.goTo(scene.at ?? this.picture.start ?? 0);
    if (this.picture.autoplay && scene.at == null && !motionless.matches) this.setPlaying(true);
  }

  remove() {
    clearTimeout(this.timer);
    for (const part of this.parts) part.remove();
  }

  draw(scene) {
    this.told = JSON.stringify(scene.data);
    this.picture = SCENES[scene.kind](this.board, scene.data, this, scene);
  }

  // Most scenes never change; one that does is drawn anew, without a new cursor.
  update(scene) {
    if (JSON.stringify(scene.data) === this.told) return;
    this.board.replaceChildren();
    this.draw(scene);
    this.goTo(Math.min(this.at, this.picture.frames - 1));
  }

  controls() {
    const button = (icon, label, action) => {
      const node = element("button", { type: "button", "aria-label": label, title: label });
      svg("path", { d: ICONS[icon] }, svg("svg", { viewBox: "0 0 16 16", "aria-hidden": "true" }, node));
      node.addEventListener("click", action);
      return node;
    };
    this.playButton = button("play", "Play", () => this.setPlaying(!this.playing));
    this.playButton.classList.add("play");
    this.slider = element("input", { type: "range", min: 0, max: this.picture.frames - 1, "aria-label": this.picture.name });
    this.slider.addEventListener("input", () => this.moved(Number(this.slider.value)));
    this.where = element("output");
    return element("div", { class: "transport" }, this.playButton,
      button("back", "Step back", () => this.moved(this.at - 1)), button("forward", "Step forward", () => this.moved(this.at + 1)),
      this.slider, this.where);
  }

  moved(at) {
    this.setPlaying(false);
    this.goTo(at);
    this.remember("at", this.at);
  }

  goTo(at) {
    this.at = Math.max(0, Math.min(this.picture.frames - 1, at));
    this.say(this.picture.draw(this.at) ?? "");
    this.root.dataset.at = this.at;
    if (!this.slider) return;
    this.slider.value = this.at;
    this.where.replaceChildren(...rich(this.picture.label(this.at)));
    this.slider.setAttribute("aria-valuetext", this.where.textContent);
  }

  say(text) {
    this.sentence.replaceChildren(...rich(text));
  }

  setPlaying(playing) {
    clearTimeout(this.timer);
    this.playing = playing;
    this.playButton.querySelector("path").setAttribute("d", playing ? ICONS.pause : ICONS.play);
    for (const name of ["aria-label", "title"]) this.playButton.setAttribute(name, playing ? "Pause" : "Play");
    if (!playing) return;
    if (this.at === this.picture.frames - 1) this.goTo(0);
    this.timer = setTimeout(() => this.advance(), this.picture.dwell);
  }

  advance() {
    if (!this.root.isConnected) return;
    this.goTo(this.at + 1);
    if (this.at < this.picture.frames - 1) this.timer = setTimeout(() => this.advance(), this.picture.dwell);
    else this.setPlaying(false);
  }

  // What was chosen goes into the address, so that a link or a reload shows the same.
  remember(name, value) {
    const address = new URL(location.href);
    address.searchParams.set(name, value);
    history.replaceState(history.state, "", address);
  }
}
