// The tools above the plots.

import { element } from "../shared/dom.js";
import { COLOURINGS } from "./colours.js";

export class Tools {
  constructor({ shared, recolour, find, drags, zoom }) {
    this.shared = shared;
    this.colour = element("select", { "aria-label": "Colour by" });
    for (const [name, words] of Object.entries(COLOURINGS)) this.colour.append(element("option", { value: name }, words));
    this.colour.addEventListener("change", recolour);
    this.search = element("input", { type: "search", placeholder: "node id", "aria-label": "Find a node by its id", size: 9 });
    this.search.addEventListener("keydown", (event) => { if (event.key === "Enter") find(this.search.value.trim()); });
    this.search.addEventListener("input", () => this.complain(""));
    this.modes = {
      lassoing: this.mode("lassoing", "Lasso", "Draw around nodes to select them; hold shift to add", drags),
      moving: this.mode("moving", "Pan", "Drag to pan, scroll to zoom", drags),
    };
    const button = (words, about, by) => {
      const made = element("button", { type: "button", title: about, "aria-label": about }, words);
      made.addEventListener("click", () => zoom(by));
      return made;
    };
    this.root = element("div", { class: "tools" }, element("label", {}, "Colour by ", this.colour), element("label", {}, "Find ", this.search),
      element("span", { class: "zoom" }, ...Object.values(this.modes)),
      element("span", { class: "zoom" }, button("+", "Zoom in", 1.4), button("−", "Zoom out", 1 / 1.4), button("1:1", "Reset zoom and turn", 0)));
  }

  // What dragging does: one mode at a time, none at first.
  mode(name, words, about, drags) {
    const made = element("button", { type: "button", "aria-pressed": false, title: about }, words);
    made.addEventListener("click", () => {
      const on = !this.shared[name];
      for (const [other, node] of Object.entries(this.modes)) {
        this.shared[other] = on && other === name;
        node.setAttribute("aria-pressed", this.shared[other]);
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
