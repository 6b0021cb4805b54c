// The transport of whatever plays: buttons, scrubber, speed and keys that move a cursor, and the clock that advances it.
// A player has a root, a cursor, the last step it can go to, goTo(step), toggle(), advance() and dwell() in milliseconds.
// While its root is marked as live it has one clock, that of training: only the scrubber is left.

import { element, svgElement } from "./dom.js";

const ICONS = {
  first: "M4 3h2v10H4zM14 3v10L7 8z", back: "M12 3v10L5 8z", play: "M4 2l10 6-10 6z", pause: "M4 2h3v12H4zM9 2h3v12H9z",
  forward: "M4 3l7 5-7 5zM11 3h2v10h-2z",
};
const SPEEDS = [0.5, 1, 2, 4, 8];

export class Transport {
  constructor(player, { label = "Step of the run", buttons = ["first", "back", "play", "forward"], speeds = SPEEDS } = {}) {
    Object.assign(this, { player, playing: false, speed: 1, timer: null });
    const step = (by) => player.goTo(player.cursor + by);
    const actions = {
      first: ["To the beginning", () => player.goTo(0)], back: ["Step back", () => step(-1)],
      play: ["Play", () => player.toggle()], forward: ["Step forward", () => step(1)],
    };
    this.keys = {
      ArrowLeft: () => step(-1), ArrowRight: () => step(1), Home: () => player.goTo(0), End: () => player.goTo(player.last),
      " ": () => player.toggle(),
    };
    const made = Object.fromEntries(buttons.map((name) => [name, iconButton(name, ...actions[name])]));
    for (const button of Object.values(made)) button.classList.add("replaying");
    this.playButton = made.play;
    this.playButton.classList.add("play");
    this.scrubber = element("input", { type: "range", min: 0, value: 0, "aria-label": label });
    this.scrubber.addEventListener("input", () => player.goTo(Number(this.scrubber.value)));
    this.where = element("output");
    this.bar = element("div", { class: "transport" }, ...Object.values(made), this.scrubber, this.where);
    if (speeds.length) this.bar.append(this.speedMenu(speeds));
  }

  speedMenu(speeds) {
    const menu = element("select", { class: "replaying", "aria-label": "Speed", title: "Speed" });
    for (const speed of speeds) menu.append(element("option", { value: speed }, `${speed}×`));
    menu.value = "1";
    menu.addEventListener("change", () => {
      this.speed = Number(menu.value);
      if (this.playing) this.schedule();
    });
    return menu;
  }

  setPlaying(playing) {
    this.playing = playing;
    this.player.root.dataset.playing = playing;
    const label = playing ? "Pause" : "Play";
    this.playButton.setAttribute("aria-label", label);
    this.playButton.title = label;
    this.playButton.querySelector("path").setAttribute("d", ICONS[playing ? "pause" : "play"]);
    this.stopClock();
    if (playing) this.schedule();
  }

  // The player's next step, unless it has been removed from the page by then.
  schedule() {
    this.stopClock();
    this.timer = setTimeout(() => {
      this.timer = null;
      if (!this.player.root.isConnected) this.player.destroy();
      else if (this.playing) this.player.advance();
    }, Math.max(60, this.player.dwell() / this.speed));
  }

  stopClock() {
    clearTimeout(this.timer);
    this.timer = null;
  }

  // Where the cursor is, in words for the eye and for a screen reader.
  show(where, spoken) {
    this.scrubber.max = this.player.last;
    this.scrubber.value = this.player.cursor;
    this.scrubber.setAttribute("aria-valuetext", spoken);
    this.where.replaceChildren(...[where].flat());
  }

  key(event, others = {}) {
    const action = { ...this.keys, ...others }[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  }
}

function iconButton(icon, label, action) {
  const button = element("button", { type: "button", "aria-label": label, title: label });
  const svg = svgElement("svg", { viewBox: "0 0 16 16", "aria-hidden": "true" }, button);
  svgElement("path", { d: ICONS[icon] }, svg);
  button.addEventListener("click", action);
  return button;
}
