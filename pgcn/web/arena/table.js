// A table whose rows can be chosen and whose cells say where their number comes from.

import { element } from "../shared/dom.js";
import { symbolMark } from "./symbols.js";

const LONG = 18; // characters that stay in one line
const between = (low, value, high) => Math.max(low, Math.min(high, value));

export class ArenaTable {
  constructor(root) {
    this.root = root;
    this.holder = element("div", { class: "holder" });
    this.tip = element("div", { class: "tip", role: "tooltip" });
    this.drawn = "";
    root.append(this.holder, this.tip);
    root.addEventListener("pointerleave", () => this.hide());
  }

  update({ columns, rows }, trigger) {
    this.trigger = trigger;
    const state = JSON.stringify([columns, rows]);
    if (state === this.drawn) return;
    this.drawn = state;
    this.hide();
    const head = element("tr", {}, ...columns.map((name) => element("th", { scope: "col" }, name)));
    const body = rows.map((row) => this.row(row));
    this.holder.replaceChildren(element("table", {}, element("thead", {}, head), element("tbody", {}, ...body)));
  }

  row({ key, name, about, colour, symbol, cells, chosen }) {
    const label = [symbolMark(symbol, colour), element("span", {}, name)];
    const first = key
      ? element("button", { type: "button", "aria-label": `${name}: show its runs`, "aria-pressed": String(chosen) }, ...label)
      : element("span", { class: "nobody" }, ...label);
    if (key) first.addEventListener("click", () => this.trigger("row", key));
    const title = element("th", { scope: "row" }, first);
    this.explain(title, about);
    const others = cells.map(({ text, about: words, quiet }) => {
      const cell = element("td", { class: `${quiet ? "quiet" : ""} ${text.length > LONG ? "long" : ""}` }, element("span", {}, text));
      if (words) cell.setAttribute("aria-label", `${text}. ${words}`);
      this.explain(cell, words);
      return cell;
    });
    const row = element("tr", { class: `${key ? "open" : ""} ${chosen ? "chosen" : ""}` }, title, ...others);
    return row;
  }

  // A pointer that hovers shows the words at once, a tap after the tap.
  explain(cell, words) {
    if (!words) return;
    for (const event of ["pointerenter", "focusin", "click"]) cell.addEventListener(event, () => this.show(cell, words));
    for (const event of ["pointerleave", "focusout"]) cell.addEventListener(event, () => this.hide());
  }

  show(cell, words) {
    this.tip.textContent = words;
    const holder = this.root.getBoundingClientRect(), at = cell.getBoundingClientRect(), size = this.tip.getBoundingClientRect();
    const below = at.bottom - holder.top + 4, above = at.top - holder.top - size.height - 4;
    this.tip.style.left = `${between(0, at.left - holder.left, Math.max(0, holder.width - size.width))}px`;
    this.tip.style.top = `${above > 0 ? above : below}px`;
    this.tip.classList.add("shown");
  }

  hide() {
    this.tip.classList.remove("shown");
  }
}
