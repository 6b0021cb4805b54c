// What colours and shapes mean: one button for each entry, which hides or shows its nodes, or a colour bar.

import { element } from "../shared/dom.js";
import { drawShape } from "./colours.js";

export const thousands = (number) => number.toLocaleString("en");
const BARS = 24;

export function drawLegend(holder, shared, changed) {
  const note = shared.labelled.length ? [element("p", {}, `Larger points: ${thousands(shared.labelled.length)} training nodes.`)] : [];
  if (shared.scale) return void holder.replaceChildren(colourBar(shared), ...note);
  const counts = new Array(shared.entries.length).fill(0);
  for (const entry of shared.of) counts[entry] += 1;
  const focused = [...holder.children].indexOf(document.activeElement);
  holder.replaceChildren(...shared.entries.map((entry, i) => {
    const shown = !shared.hidden.has(i);
    const button = element("button", { type: "button", "aria-pressed": shown, title: `${thousands(counts[i])} nodes; click to ${shown ? "hide" : "show"}` });
    button.append(swatchOf(entry), element("span", {}, entry.name.replaceAll("_", " ")), element("small", {}, thousands(counts[i])));
    button.addEventListener("click", () => { shared.hidden[shown ? "add" : "delete"](i); changed(); });
    return button;
  }), ...note);
  if (focused >= 0) holder.children[focused]?.focus();
}

// How many nodes there are along the scale, its colours, and what these mean.
function colourBar({ scale, of, entries }) {
  const counts = new Array(BARS).fill(0);
  for (const entry of of) counts[Math.min(BARS - 1, Math.floor((entry * BARS) / entries.length))] += 1;
  const most = Math.max(1, ...counts), histogram = element("div", { class: "histogram", "aria-hidden": true });
  for (const count of counts) {
    const bar = element("i", { title: `${thousands(count)} nodes` });
    bar.style.height = `${count ? Math.max(4, (100 * count) / most) : 0}%`;
    histogram.append(bar);
  }
  const colours = element("div", { class: "ramp" }), ticks = element("div", { class: "ticks" });
  colours.style.background = `linear-gradient(to right, ${scale.ramp.join(", ")})`;
  for (const { share, text } of scale.ticks) {
    const tick = element("span", {}, text);
    tick.style.left = `${100 * share}%`;
    if (share > 0.9) tick.className = "end";
    else if (share < 0.08) tick.className = "start";
    ticks.append(tick);
  }
  return element("div", { class: "bar", role: "img", "aria-label": `${scale.about}: ${scale.ticks.map((tick) => tick.text).join(", ")}` },
    histogram, colours, ticks, element("small", {}, scale.about));
}

export function swatchOf(entry) {
  const sheet = element("canvas", { width: 28, height: 28, class: "swatch", "aria-hidden": true }), context = sheet.getContext("2d");
  context.fillStyle = entry.colour;
  drawShape(context, entry.shape, 14, 14, 9);
  return sheet;
}
