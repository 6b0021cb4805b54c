// An architecture that a search has found, drawn as Grow draws networks: a block for every attention head.

import { svgElement } from "../shared/dom.js";

const PAIRS = 36; // with more pairs of blocks between two layers, all bundles run through one point
const number = (value) => value.toLocaleString("en");

export class ArchitectureDiagram {
  constructor(root) {
    this.svg = svgElement("svg", { class: "network", role: "img" }, root);
    this.resize = new ResizeObserver(() => this.values && this.draw());
    this.resize.observe(this.svg);
  }

  update(values) {
    const state = JSON.stringify(values);
    if (state === this.state) return;
    this.state = state;
    this.values = values;
    this.draw();
  }

  draw() {
    const { features, classes, layers, text } = this.values;
    const width = this.svg.clientWidth || 600, height = this.svg.clientHeight || 230;
    this.svg.replaceChildren();
    this.svg.setAttribute("aria-label", `The architecture: ${text || "none yet"}`);
    const lines = svgElement("g", {}, this.svg), margin = Math.max(38, width * 0.07);
    const step = (width - 2 * margin) / (layers.length + 1), top = 30, bottom = height - 58, middle = (top + bottom) / 2;
    let before = [this.end(margin, middle, (bottom - top) * 0.8, features, "features")];
    layers.forEach((layer, i) => {
      const blocks = this.layer(layer, i, margin + (i + 1) * step, { top, bottom, middle, step, height });
      this.connect(lines, before, blocks);
      before = blocks;
    });
    this.connect(lines, before, [this.end(width - margin, middle, (bottom - top) * 0.5, classes, "classes")]);
  }

  end(x, middle, h, count, unit) {
    const group = svgElement("g", { class: "end" }, this.svg);
    svgElement("rect", { x: x - 9, y: middle - h / 2, width: 18, height: h }, group);
    svgElement("text", { class: "label", x, y: middle + h / 2 + 16 }, group, number(count));
    svgElement("text", { class: "label small", x, y: middle + h / 2 + 30 }, group, unit);
    return { x, y: middle, half: 9, spread: h * 0.4 };
  }

  layer({ heads, hidden, names }, i, x, { top, bottom, middle, step, height }) {
    const group = svgElement("g", {}, this.svg), gap = heads > 8 ? 2 : 4;
    const h = Math.min(22, (bottom - top) / heads - gap), w = Math.max(26, Math.min(76, step * 0.4));
    svgElement("text", { class: "label", x, y: 16 }, group, `Layer ${i + 1}: ${heads} × ${hidden}`);
    const blocks = Array.from({ length: heads }, (_, k) => {
      const y = middle + (k - (heads - 1) / 2) * (h + gap);
      svgElement("rect", { class: "block", x: x - w / 2, y: y - h / 2, width: w, height: h, rx: 4 }, group);
      if (h >= 11) svgElement("text", { class: "count", x, y: y + 4 }, group, hidden);
      return { x, y, half: w / 2, spread: 0 };
    });
    // In two lines where they are too long for one.
    const rows = step < 170 && names.length > 1 ? [names.slice(0, 2), names.slice(2)] : [names];
    rows.forEach((row, k) =>
      svgElement("text", { class: "label small", x, y: height - 28 + 15 * k }, group, row.join(" · ")));
    return blocks;
  }

  connect(lines, left, right) {
    if (left.length * right.length > PAIRS) {
      const waist = [{ x: (left[0].x + right[0].x) / 2, y: (left[0].y + left.at(-1).y) / 2, half: 0, spread: 0 }];
      this.connect(lines, left, waist);
      return this.connect(lines, waist, right);
    }
    for (const a of left) for (const b of right) {
      const x0 = a.x + a.half, x1 = b.x - b.half, bend = (x1 - x0) * 0.45;
      const y0 = a.y + Math.max(-a.spread, Math.min(a.spread, (b.y - a.y) * 0.8));
      const y1 = b.y + Math.max(-b.spread, Math.min(b.spread, (a.y - b.y) * 0.8));
      svgElement("path", { class: "bundle", d: `M${x0} ${y0}C${x0 + bend} ${y0} ${x1 - bend} ${y1} ${x1} ${y1}` }, lines);
    }
  }
}
