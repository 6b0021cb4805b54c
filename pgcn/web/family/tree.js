// The family of a run as a tree of links: each leads to a run, by mouse, by Tab or with the arrow keys. And the link of
// a branch to its parent. A click with Ctrl or the middle button opens another tab, as with any link.

import { element } from "../shared/dom.js";

export class Family {
  constructor(root) {
    Object.assign(this, { root: element("div"), drawn: "" });
    root.append(this.root); // the style is beside it
    this.root.addEventListener("click", (event) => this.click(event));
    this.root.addEventListener("keydown", (event) => this.key(event));
  }

  update({ from, rows }, trigger) {
    this.trigger = trigger;
    const state = JSON.stringify([from, rows]);
    if (state === this.drawn) return;
    this.drawn = state;
    const focused = this.root.contains(document.activeElement) ? document.activeElement.dataset.run : null;
    this.root.replaceChildren(...(from ? [origin(from)] : []), ...(rows?.length ? [tree(rows)] : []));
    this.links.find((link) => link.dataset.run === focused)?.focus({ preventScroll: true });
  }

  get links() { return [...this.root.querySelectorAll("a[data-run]")]; }

  click(event) {
    const link = event.target.closest("a[data-run]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey || event.button) return;
    event.preventDefault();
    const { run, at } = link.dataset;
    this.trigger("open", { run, at: at === undefined ? null : Number(at) });
  }

  // Up and down along the rows, left to the parent, right to the first branch.
  key(event) {
    const link = event.target.closest?.(".tree a[data-run]"), { links } = this;
    if (!link || event.ctrlKey || event.metaKey || event.altKey) return;
    const place = links.indexOf(link), item = link.closest("li");
    const goal = {
      ArrowUp: () => links[place - 1], ArrowDown: () => links[place + 1], Home: () => links[0], End: () => links.at(-1),
      ArrowLeft: () => item.parentElement.closest("li")?.querySelector("a"), ArrowRight: () => item.querySelector("ul a"),
    }[event.key];
    if (!goal) return;
    event.preventDefault();
    goal()?.focus();
  }
}

function linkTo(run, at, ...words) {
  const query = new URLSearchParams(at == null ? { run } : { run, at });
  const link = element("a", { href: `?${query}`, target: "_self", "data-run": run, ...(at == null ? {} : { "data-at": at }) }, ...words);
  return link;
}

function origin({ run, at, name, point }) {
  const words = point ? `${name} at ${point}` : name;
  return element("p", { class: "from" }, "Branched from ", run ? linkTo(run, at, words) : words);
}

function tree(rows) {
  const top = element("ul"), items = []; // the last of each depth
  for (const row of rows) {
    items.length = row.depth;
    const above = items.at(-1), item = element("li", {}, line(row));
    (above ? above.querySelector(":scope > ul") ?? above.appendChild(element("ul")) : top).append(item);
    items.push(item);
  }
  return element("nav", { class: "tree", "aria-label": "Family of this run" }, element("h3", {}, "Family"), top);

  function line(row) {
    const said = [row.name && element("b", {}, row.name), row.point && `from ${row.point}: ${row.changes}`].filter(Boolean);
    const link = linkTo(row.id, null, ...said.flatMap((part, i) => (i ? [" ", part] : [part])));
    if (row.all) link.title = row.all;
    if (row.shown) link.setAttribute("aria-current", "page");
    return element("div", { class: row.shown ? "row shown" : "row" }, link, element("span", {}, row.reached));
  }
}
