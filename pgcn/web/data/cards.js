// Data sets at a glance: a drawn sample in the colours of its classes, how many nodes have how many neighbours, and how
// large the classes are. All words are set as text: names come from other people's files.

import { element, svgElement } from "../shared/dom.js";
import { CLASS_COLOURS, isDark, themed } from "../shared/palette.js";

const WIDE = 1.6, MOST = 8;

export function draw(root, { kind, ...values }, trigger) {
  const dark = isDark(root), colour = (of) => themed(CLASS_COLOURS[of % CLASS_COLOURS.length], dark);
  const made = { cards, detail, table }[kind](values, colour, trigger);
  root.replaceChildren(made);
}

function cards({ cards }, colour, trigger) {
  return element("ul", { class: "cards" }, ...cards.map((card) => {
    const button = element("button", { type: "button", class: "card" }, picture(card.portrait, colour),
      element("strong", {}, card.title), element("span", { class: "facts" }, card.facts),
      card.portrait ? strip(card.portrait, colour) : "", element("span", { class: "quiet" }, card.about));
    button.addEventListener("click", () => trigger("choice", card.name));
    return element("li", {}, button);
  }));
}

function picture(portrait, colour) {
  const svg = svgElement("svg", { class: "sample", viewBox: `-30 -30 ${1000 * WIDE + 60} 1060`, "aria-hidden": "true" });
  if (!portrait) return svg;
  const { at: [x, y], edges: [from, to], y: letters, part } = portrait.sample, place = (i) => `${Math.round(x[i] * WIDE)} ${y[i]}`;
  svgElement("path", { class: "edges", d: from.map((a, i) => `M${place(a)}L${place(to[i])}`).join("") }, svg);
  const groups = new Map(); // one path for the nodes of a class: a point is a line of no length
  Array.from(letters, (letter, i) => {
    const key = `${letter.charCodeAt(0) - 48} ${part[i] === "1"}`;
    groups.set(key, (groups.get(key) ?? "") + `M${place(i)}h0`);
  });
  for (const [key, d] of groups) {
    const [of, labelled] = key.split(" "), path = svgElement("path", { d, class: labelled === "true" ? "nodes labelled" : "nodes" }, svg);
    if (Number(of) >= 0) path.style.stroke = colour(Number(of));
  }
  return svg;
}

function strip({ degrees, sizes, class_names: names }, colour) {
  const most = Math.max(1, ...degrees.map(([, count]) => count)), total = Math.max(1, sizes.reduce((a, b) => a + b, 0));
  const bars = element("span", { class: "bars", title: "Degree distribution" }, ...degrees.map(([, count]) => sized("height", count / most)));
  const classes = element("span", { class: "classes", title: "Sizes of the classes" }, ...sizes.map((size, i) => {
    const part = sized("width", size / total);
    part.style.background = colour(i);
    part.title = `${names[i]}: ${size.toLocaleString("en")}`;
    return part;
  }));
  const part = (drawn, words) => element("span", { class: "part" }, drawn, element("small", {}, words));
  return element("span", { class: "strip" }, part(bars, "degree"), part(classes, "by class"));
}

function sized(side, share) {
  const bar = element("i");
  bar.style[side] = `${Math.max(share > 0 ? 2 : 0, 100 * share)}%`;
  return bar;
}

function detail({ portrait }, colour) {
  const figure = element("figure", { class: "detail" }, picture(portrait, colour));
  if (!portrait) return figure;
  const { sample, class_names: names, sizes, trained, degrees } = portrait;
  const svg = figure.querySelector("svg");
  sample.nodes.forEach((node, i) => {
    const of = sample.y.charCodeAt(i) - 48;
    const spot = svgElement("circle", { class: "spot", r: 16, cx: Math.round(sample.at[0][i] * WIDE), cy: sample.at[1][i] }, svg);
    svgElement("title", {}, spot, `${sample.names?.[i] ?? `Node ${node}`}: ${names[of] ?? "class unknown"}`);
  });
  const largest = Math.max(1, ...sizes), most = Math.max(1, ...degrees.map(([, count]) => count));
  const rows = (title, entries) => element("div", { class: "rows" }, element("strong", {}, title), ...entries.map(([name, count, share, tone, about]) => {
    const bar = sized("width", share);
    bar.style.background = tone;
    return element("div", { title: about }, element("span", { class: "name" }, name), element("span", { class: "bar" }, bar), element("span", { class: "count" }, count.toLocaleString("en")));
  }));
  const shown = names.slice(0, MOST + 4).map((name, i) => [name, sizes[i], sizes[i] / largest, colour(i), `${name}: ${sizes[i]} known, ${trained[i]} of them for training`]);
  figure.append(element("figcaption", {}, rows("Classes", shown), rows("Degree", degrees.map(([words, count]) => [words, count, count / most, "", `degree ${words}: ${count} node${count === 1 ? "" : "s"}`]))));
  return figure;
}

function table({ columns, rows, badges, caption }) {
  const head = element("tr", {}, ...columns.map((name, i) => element("th", { scope: "col" }, name, element("em", {}, badges[i]))));
  const body = rows.map((row) => element("tr", {}, ...row.map((cell) => element("td", {}, cell))));
  return element("div", { class: "preview", tabindex: 0, role: "region", "aria-label": caption }, element("table", {}, element("thead", {}, head), element("tbody", {}, ...body)));
}
