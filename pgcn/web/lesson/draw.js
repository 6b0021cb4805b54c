// Tables of numbers, keys and small charts: what the figures of the tour are made of.

import { element, svgElement as svg } from "../shared/dom.js";

// A minus sign as wide as a plus sign, so that columns stay in line.
export function number(value, digits = 2) {
  if (value === null || value === undefined) return "–";
  const text = value.toFixed(digits);
  return (Number(text) === 0 ? text.replace("-", "") : text).replace("-", "−");
}

// Text in which _b becomes a subscript.
export function rich(text) {
  return text.split(/(_\w)/).map((part) => (/^_\w$/.test(part) ? element("sub", {}, part[1]) : part));
}

// On a phone figures are drawn narrower, not smaller, so that their text stays readable.
export const phone = matchMedia("(max-width: 699.98px)");
export const narrow = () => phone.matches;

export const percent = (share) => `${(100 * share).toFixed(0)} %`;

// The three classes differ in shape as well as in colour. All shapes cover about the same area.
export const SHAPES = [
  (r) => `M${-r} 0a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`,
  (r) => `M${-0.9 * r} ${-0.9 * r}h${1.8 * r}v${1.8 * r}h${-1.8 * r}z`,
  (r) => `M0 ${-1.25 * r}L${1.15 * r} ${0.75 * r}H${-1.15 * r}z`,
];

export function key(entries) {
  const list = element("div", { class: "key" });
  for (const [shape, style, text] of entries) {
    const box = svg("svg", { width: 18, height: 16, viewBox: "-9 -8 18 16", "aria-hidden": "true" });
    if (shape === "line") svg("path", { d: "M-9 0H9", class: style }, box);
    else if (shape === "cross") svg("path", { d: "M-4 -4L4 4M4 -4L-4 4", class: style }, box);
    else svg("path", { d: SHAPES[shape](5.5), class: style }, box);
    list.append(element("span", {}, box, text));
  }
  return list;
}

// A table of numbers with cells tinted by value: blue above zero, orange below.
export function matrix(values, { digits = 2, title = "", rows = null, columns = null, most = null, cell = null, label = title } = {}) {
  const top = most ?? Math.max(1e-12, ...values.flat().map(Math.abs));
  const table = element("table", { class: "matrix", "aria-label": label });
  if (columns) {
    const head = element("tr", {}, ...(rows ? [element("td")] : []));
    columns.forEach((name) => head.append(element("th", { scope: "col" }, name)));
    table.append(head);
  }
  values.forEach((row, i) => {
    const line = element("tr", {}, ...(rows ? [element("th", { scope: "row" }, rows[i])] : []));
    row.forEach((value, j) => {
      const share = Math.round(70 * Math.min(1, Math.abs(value) / top));
      const box = element("td", { style: `--tint: ${share}%`, class: value < 0 ? "minus" : "plus" }, number(value, digits));
      cell?.(box, i, j);
      line.append(box);
    });
    table.append(line);
  });
  return element("figure", { class: "table" }, ...(title ? [element("figcaption", {}, ...rich(title))] : []), table);
}

// A chart with two axes; `x` and `y` turn values into positions.
export function chart(parent, { width = 420, height = 250, xs, ys, log = false, xTitle = "", yTitle = "", xTicks, yTicks, format = String, label }) {
  const box = { left: 56, right: 14, top: 12, bottom: 42 };
  const view = svg("svg", { viewBox: `0 0 ${width} ${height}`, class: "chart-lines", role: "img", "aria-label": label ?? yTitle }, parent);
  const scale = (value) => (log ? Math.log10(Math.max(value, 1e-9)) : value);
  const x = (value) => box.left + ((value - xs[0]) / (xs[1] - xs[0] || 1)) * (width - box.left - box.right);
  const y = (value) => height - box.bottom - ((scale(value) - scale(ys[0])) / (scale(ys[1]) - scale(ys[0]) || 1)) * (height - box.top - box.bottom);
  for (const tick of yTicks) {
    svg("path", { d: `M${box.left} ${y(tick)}H${width - box.right}`, class: "grid" }, view);
    svg("text", { x: box.left - 6, y: y(tick) + 4, class: "tick end" }, view, format(tick));
  }
  for (const tick of xTicks) svg("text", { x: x(tick), y: height - box.bottom + 16, class: "tick" }, view, String(tick));
  svg("text", { x: (box.left + width - box.right) / 2, y: height - 6, class: "title" }, view, xTitle);
  svg("text", { transform: `translate(13 ${(box.top + height - box.bottom) / 2}) rotate(-90)`, class: "title" }, view, yTitle);
  const line = (style) => svg("path", { class: `curve ${style}` }, view);
  return {
    view, x, y, line, bottom: height - box.bottom, right: width - box.right, left: box.left,
    path: (points) => points.map(([a, b], i) => `${i ? "L" : "M"}${x(a).toFixed(1)} ${y(b).toFixed(1)}`).join(""),
    dot: (style, shape = 0, r = 5) => svg("path", { class: `dot ${style}`, d: SHAPES[shape](r) }, view),
  };
}

export const place = (node, x, y) => node.setAttribute("transform", `translate(${x.toFixed(1)} ${y.toFixed(1)})`);
