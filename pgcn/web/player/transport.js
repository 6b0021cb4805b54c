// The bar under whatever plays: to the beginning, back, play, forward, scrubber, where it stands, speed.

import { svgElement } from "./canvas.js";

const ICONS = {
  first: "M4 3h2v10H4zM14 3v10L7 8z", back: "M12 3v10L5 8z", play: "M4 2l10 6-10 6z", pause: "M4 2h3v12H4zM9 2h3v12H9z",
  forward: "M4 3l7 5-7 5zM11 3h2v10h-2z",
};
export const motionless = matchMedia("(prefers-reduced-motion: reduce)");

export function element(name, attributes = {}, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children);
  return node;
}

export function iconButton(icon, label, action) {
  const button = element("button", { type: "button", "aria-label": label, title: label });
  const svg = svgElement("svg", { viewBox: "0 0 16 16", "aria-hidden": "true" }, button);
  svgElement("path", { d: ICONS[icon] }, svg);
  button.addEventListener("click", action);
  return button;
}

// Start or stop whatever plays: it has a root, a play button, a timer, and schedules its own next step.
export function setPlaying(player, playing) {
  player.playing = playing;
  player.root.dataset.playing = playing;
  const label = playing ? "Pause" : "Play";
  player.playButton.setAttribute("aria-label", label);
  player.playButton.title = label;
  player.playButton.querySelector("path").setAttribute("d", ICONS[playing ? "pause" : "play"]);
  clearTimeout(player.timer);
  player.timer = null;
  if (playing) player.schedule();
}

export function transport({ goTo, by, toggle, pace }) {
  const playButton = iconButton("play", "Play", toggle);
  playButton.classList.add("play");
  const scrubber = element("input", { type: "range", min: 0, value: 0, "aria-label": "Step of the run" });
  scrubber.addEventListener("input", () => goTo(Number(scrubber.value)));
  const where = element("output");
  const speeds = element("select", { "aria-label": "Speed", title: "Speed" });
  for (const speed of [0.5, 1, 2, 4, 8]) speeds.append(element("option", { value: speed }, `${speed}×`));
  speeds.value = "1";
  speeds.addEventListener("change", () => pace(Number(speeds.value)));
  const bar = element("div", { class: "transport" },
    iconButton("first", "To the beginning", () => goTo(0)), iconButton("back", "Step back", () => by(-1)), playButton,
    iconButton("forward", "Step forward", () => by(1)), scrubber, where, speeds);
  return { bar, playButton, scrubber, where };
}
