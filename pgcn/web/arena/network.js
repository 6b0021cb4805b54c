// An architecture that a search has found, on the canvas on which Grow draws networks: a block for every attention head.

import { Canvas } from "../player/canvas.js";
import { element } from "../shared/dom.js";

export class ArchitectureNetwork {
  constructor(root) {
    const tip = element("div", { class: "tip", role: "tooltip" });
    root.tabIndex = -1; // Escape leads from the blocks to it
    this.canvas = new Canvas(root, tip);
    root.append(tip);
  }

  update(values) {
    const state = JSON.stringify(values);
    if (state === this.state) return;
    const first = this.state === undefined;
    this.state = state;
    this.canvas.show(values, values.frame, first);
  }
}
