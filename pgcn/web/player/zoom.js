// The network drawn larger than its window, which then scrolls: blocks unfold as they get room.

import { element } from "../shared/dom.js";

const FACTORS = [1, 2, 4];

export class Zoom {
  constructor(stage) {
    this.pan = element("div", { class: "pan" });
    stage.append(this.pan);
    const button = (text, name, by) => {
      const node = element("button", { type: "button", "aria-label": name, title: name }, text);
      node.addEventListener("click", () => this.set(this.level + by));
      return node;
    };
    [this.less, this.more] = [button("−", "Zoom out", -1), button("+", "Zoom in: every block shows what its neurons have learned", 1)];
    this.said = element("output");
    this.controls = element("span", { class: "zoom" }, this.less, this.said, this.more);
    stage.addEventListener("keydown", (event) => {
      const by = { "+": 1, "-": -1 }[event.key];
      if (by && !event.ctrlKey && !event.metaKey && !event.target.matches("input, select")) this.set(this.level + by);
    });
    this.level = 0;
    this.set(0);
  }

  // What was in the middle stays there.
  set(level) {
    const { pan } = this, before = FACTORS[this.level];
    const middle = [(pan.scrollLeft + pan.clientWidth / 2) / before, (pan.scrollTop + pan.clientHeight / 2) / before];
    this.level = Math.max(0, Math.min(FACTORS.length - 1, level));
    const factor = FACTORS[this.level];
    pan.classList.toggle("zoomed", factor > 1);
    pan.style.setProperty("--zoom", factor);
    [pan.scrollLeft, pan.scrollTop] = [middle[0] * factor - pan.clientWidth / 2, middle[1] * factor - pan.clientHeight / 2];
    this.said.textContent = `${factor}×`;
    [this.less.disabled, this.more.disabled] = [this.level === 0, this.level === FACTORS.length - 1];
  }
}
