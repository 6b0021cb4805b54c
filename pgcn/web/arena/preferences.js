// What a controller prefers: a strip for every decision, the darker the likelier a choice is.

import { element } from "../shared/dom.js";

export class Preferences {
  constructor(root) {
    this.root = root;
    this.cells = new Map();
  }

  update({ rows }) {
    const names = JSON.stringify(rows.map(({ name, choices }) => [name, choices.map(({ name: choice }) => choice)]));
    if (names !== this.names) this.build(rows);
    this.names = names;
    for (const { name, choices } of rows)
      for (const { name: choice, share, likely } of choices) {
        const cell = this.cells.get(`${name} ${choice}`), text = `${(100 * share).toFixed(1)} %`;
        // Twice as likely as by chance is as dark as it gets.
        const dark = Math.max(0, Math.min(1, likely / 2));
        cell.style.setProperty("--dark", `${(6 + 64 * dark).toFixed(1)}%`);
        cell.classList.toggle("first", share === Math.max(...choices.map((other) => other.share)) && likely > 1.02);
        cell.lastChild.textContent = text;
        cell.setAttribute("aria-label", `${choice}: ${text}`);
      }
  }

  build(rows) {
    this.cells.clear();
    this.root.replaceChildren(...rows.map(({ name, choices }) => element("div", { class: "decision" },
      element("span", { class: "name" }, name),
      element("span", { class: "strip" }, ...choices.map(({ name: choice }) => {
        const cell = element("span", { class: "choice", role: "img" }, element("b", {}, choice), element("i", {}, ""));
        this.cells.set(`${name} ${choice}`, cell);
        return cell;
      })))));
  }
}
