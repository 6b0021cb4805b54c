// The table of stored runs: rows that are chosen, sorted and, where they are a batch, unfolded. A real table, so that
// a keyboard and a screen reader find their way. Rows are kept while only the selection changes.

import { element, svgElement } from "../shared/dom.js";

const MORE = 200, LONG = 50; // rows that are drawn at a time; characters from which a text takes several lines
const words = new Intl.Collator("en", { numeric: true });

// What was not measured comes last, whichever way the others are sorted.
const missing = (value) => value === null || value === "" || value === "–";
function inOrder([, a], [, b], way) {
  if (missing(a) || missing(b)) return missing(a) - missing(b);
  return way * (typeof a === "number" && typeof b === "number" ? a - b : words.compare(a, b));
}

export class RunsTable {
  constructor(root) {
    Object.assign(this, { root, drawn: "", unfolded: new Set(), most: MORE, by: null, way: 1, selected: [], sent: [] });
    this.holder = element("div", { class: "holder", tabindex: 0, role: "region", "aria-label": "Stored runs" });
    root.append(this.holder);
  }

  update({ columns, rows, selected }, trigger) {
    this.trigger = trigger;
    const state = JSON.stringify([columns, rows]);
    // An answer to an earlier click, while a later one is on its way, would undo that for a moment.
    const late = this.sent.findIndex((sent) => sent === selected.join());
    if (late < 0 || late === this.sent.length - 1) {
      this.selected = selected;
      this.sent = [];
    } else this.sent.splice(0, late + 1);
    if (state !== this.drawn) {
      this.drawn = state;
      Object.assign(this, { columns, rows });
      for (const row of rows) if (row.runs.some(({ id }) => selected.includes(id))) this.unfolded.add(row.id);
      this.draw();
    }
    this.mark();
  }

  draw() {
    const focused = this.holder.contains(document.activeElement) ? document.activeElement.dataset.focus : null;
    const rows = this.by === null ? this.rows : [...this.rows].sort((a, b) => inOrder(a.cells[this.by], b.cells[this.by], this.way));
    this.boxes = new Map();
    this.shown = rows.slice(0, this.most);
    const body = this.shown.flatMap((row) => [this.row(row), ...(this.unfolded.has(row.id) ? row.runs.map((run) => this.row(run, true)) : [])]);
    this.holder.replaceChildren(element("table", {}, element("thead", {}, this.head()), element("tbody", {}, ...body)));
    if (rows.length > this.most) {
      const more = element("button", { type: "button", class: "more", "data-focus": "more" }, `Show ${Math.min(MORE, rows.length - this.most)} more of ${rows.length}`);
      more.addEventListener("click", () => { this.most += MORE; this.draw(); this.mark(); });
      this.holder.append(more);
    }
    if (focused) this.holder.querySelector(`[data-focus="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
  }

  head() {
    this.all = element("input", { type: "checkbox", "aria-label": "Select all", "data-focus": "all" });
    this.all.addEventListener("change", () => this.choose(this.all.checked ? this.shown.map(({ id }) => id) : []));
    const line = element("tr", {}, element("th", { class: "pick", scope: "col" }, this.all), element("th", { class: "name", scope: "col" }, "name"));
    this.columns.forEach(([name, isNumber], i) => {
      const sorted = this.by === i;
      const button = element("button", { type: "button", "data-focus": `sort ${name}`, title: `Sort by ${name}` }, name, element("span", { "aria-hidden": "true" }, sorted ? (this.way > 0 ? " ▲" : " ▼") : ""));
      button.addEventListener("click", () => {
        // Numbers first from the largest; a third click restores the order of time.
        const first = isNumber ? -1 : 1;
        if (this.by !== i) Object.assign(this, { by: i, way: first });
        else if (this.way === first) this.way = -first;
        else this.by = null;
        this.draw();
        this.mark();
      });
      const order = sorted ? (this.way > 0 ? "ascending" : "descending") : "none";
      line.append(element("th", { scope: "col", class: isNumber ? "number" : "", "aria-sort": order }, button));
    });
    return line;
  }

  row({ id, name, cells, runs }, inside = false) {
    const box = element("input", { type: "checkbox", "aria-label": `Select ${name}`, "data-focus": `pick ${id}` });
    box.addEventListener("change", () => this.choose(box.checked ? [...this.selected, id] : this.selected.filter((other) => other !== id)));
    const open = element("button", { type: "button", class: "open", "data-focus": `open ${id}`, title: name }, name);
    open.addEventListener("click", () => this.choose([id]));
    const first = element("div");
    if (runs.length) {
      const unfolded = this.unfolded.has(id);
      const fold = element("button", { type: "button", class: "fold", "data-focus": `fold ${id}`, "aria-expanded": String(unfolded), "aria-label": `${runs.length} runs of ${name}` });
      svgElement("path", { d: unfolded ? "M1 4h12L7 11z" : "M4 1v12L11 7z" }, svgElement("svg", { viewBox: "0 0 14 14", "aria-hidden": "true" }, fold));
      fold.addEventListener("click", () => {
        if (!this.unfolded.delete(id)) this.unfolded.add(id);
        this.draw();
        this.mark();
      });
      first.append(fold);
    }
    first.append(open);
    const others = cells.map(([text], i) => element("td", { class: this.columns[i][1] ? "number" : "" }, text.length > LONG ? element("div", {}, text) : text));
    const line = element("tr", { class: inside ? "inside" : runs.length ? "batch" : "" }, element("td", { class: "pick" }, box), element("th", { class: "name", scope: "row" }, first), ...others);
    this.boxes.set(id, { box, line });
    return line;
  }

  mark() {
    for (const [id, { box, line }] of this.boxes) {
      box.checked = this.selected.includes(id);
      line.classList.toggle("chosen", box.checked);
    }
    const chosen = this.shown.filter(({ id }) => this.selected.includes(id)).length;
    this.all.checked = chosen > 0 && chosen === this.shown.length;
    this.all.indeterminate = chosen > 0 && chosen < this.shown.length;
  }

  choose(selected) {
    this.selected = selected;
    this.sent.push(selected.join());
    this.mark();
    this.trigger("selection", selected);
  }
}
