// The event log: one row for each block, from its proposal to its judgement. A click moves the cursor; the numbers and
// the formula behind a decision unfold.

import { element } from "../shared/dom.js";
import { typeset } from "../shared/formula.js";

const MARKS = { start: "●", proposed: "◻", accepted: "■", rejected: "✕", layer: "▲", end: "■", asked: "?", undone: "↶" };

export class Log {
  constructor(moveTo) {
    this.moveTo = moveTo;
    this.list = element("ol", { class: "log" });
    this.panel = element("section", { class: "log-panel", "aria-label": "Event log" }, element("h3", {}, "Event log"), this.list);
    this.rows = [];
  }

  clear() {
    this.list.replaceChildren();
    this.rows = [];
  }

  // Takes all frames so far; rows that say what they said stay as they are.
  update(replay) {
    const last = new Map(), tried = new Map();
    replay.frames.forEach((frame, step) => {
      last.set(frame.row, step);
      if (frame.kind === "proposed") tried.set(frame.row, frame.tried);
    });
    for (const [number, step] of last) {
      const row = (this.rows[number] ??= this.add(number)), frame = replay.frames[step];
      const block = replay.blocks[tried.get(number)];
      row.step = step;
      const said = [frame.kind, frame.short, frame.sentence].join("\n");
      if (row.said === said) continue;
      row.said = said;
      row.button.className = frame.kind;
      row.mark.textContent = MARKS[frame.kind];
      typeset(row.text, frame.short);
      row.more.hidden = frame.kind === "proposed" || frame.kind === "asked";
      typeset(row.facts, block && frame.kind !== "undone" ? block.about.at(-1).split("\n").slice(1).join("\n") : frame.sentence);
    }
  }

  add(number) {
    const mark = element("span", { class: "mark", "aria-hidden": "true" }), text = element("span");
    const button = element("button", { type: "button" }, mark, text), facts = element("p");
    const more = element("button", { type: "button", class: "more", "aria-label": "Details", title: "Details" });
    const unfold = (open) => {
      facts.hidden = !open;
      more.setAttribute("aria-expanded", open);
      more.textContent = open ? "▾" : "▸";
    };
    unfold(false);
    more.addEventListener("click", () => unfold(facts.hidden));
    button.addEventListener("click", () => this.moveTo(this.rows[number].step));
    this.list.append(element("li", {}, button, more, facts));
    return { button, mark, text, more, facts };
  }

  // Marks the row of a frame, and scrolls to it within the log.
  mark(frame) {
    const { button } = this.rows[frame.row];
    if (button === this.current) return; // whoever has scrolled it stays there
    this.current?.removeAttribute("aria-current");
    this.current = button;
    button.setAttribute("aria-current", "true");
    this.list.scrollTop = button.offsetTop - this.list.offsetTop - this.list.clientHeight / 2;
  }
}
