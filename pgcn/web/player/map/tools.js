// What stands around the maps: colour, search, lasso, zoom; and the legend.

import { element } from "../transport.js";
import { COLOURINGS, drawShape } from "./colours.js";

export const thousands = (number) => number.toLocaleString("en");

export class Tools {
  constructor({ look, recolour, find, drags, zoom }) {
    this.look = look;
    this.colour = element("select", { "aria-label": "Colour by" });
    for (const [name, words] of Object.entries(COLOURINGS)) this.colour.append(element("option", { value: name }, words));
    this.colour.addEventListener("change", recolour);
    this.search = element("input", { type: "search", inputmode: "numeric", placeholder: "node number", "aria-label": "Find a node by its number", size: 11 });
    this.search.addEventListener("keydown", (event) => { if (event.key === "Enter") find(this.search.value.trim()); });
    this.modes = {
      lassoing: this.mode("lassoing", "Lasso", "Draw around nodes to select them; with a mouse just drag, with shift to add", drags),
      moving: this.mode("moving", "Move", "Drag to move the map, turn the wheel to zoom", drags),
    };
    const button = (words, about, by) => {
      const made = element("button", { type: "button", title: about, "aria-label": about }, words);
      made.addEventListener("click", () => zoom(by));
      return made;
    };
    this.root = element("div", { class: "tools" }, element("label", {}, "Colour by ", this.colour), element("label", {}, "Find ", this.search),
      ...Object.values(this.modes), element("span", { class: "zoom" }, button("+", "Zoom in", 1.4), button("−", "Zoom out", 1 / 1.4), button("1:1", "Show all", 0)));
  }

  // What dragging does; one mode at a time, none at first.
  mode(name, words, about, drags) {
    const made = element("button", { type: "button", "aria-pressed": false, title: about }, words);
    made.addEventListener("click", () => {
      const on = !this.look[name];
      for (const [other, node] of Object.entries(this.modes)) {
        this.look[other] = on && other === name;
        node.setAttribute("aria-pressed", this.look[other]);
      }
      drags(on);
    });
    return made;
  }

  complain(words) {
    this.search.setCustomValidity(words);
    if (words) this.search.reportValidity();
  }
}

// One button for each entry; pressed again it hides its nodes.
export function drawLegend(holder, look, changed) {
  const counts = new Array(look.entries.length).fill(0);
  for (const entry of look.of) counts[entry] += 1;
  const focused = [...holder.children].indexOf(document.activeElement);
  holder.replaceChildren(...look.entries.map((entry, i) => {
    const shown = !look.hidden.has(i);
    const button = element("button", { type: "button", "aria-pressed": shown, title: `${thousands(counts[i])} nodes; press to ${shown ? "hide" : "show"} them` });
    button.append(swatchOf(entry), entry.name.replaceAll("_", " "), element("small", {}, thousands(counts[i])));
    button.addEventListener("click", () => { look.hidden[shown ? "add" : "delete"](i); changed(); });
    return button;
  }));
  if (focused >= 0) holder.children[focused]?.focus();
}

function swatchOf(entry) {
  const sheet = element("canvas", { width: 28, height: 28, class: "swatch", "aria-hidden": true }), context = sheet.getContext("2d");
  context.fillStyle = entry.colour;
  drawShape(context, entry.shape, 14, 14, 9);
  return sheet;
}
