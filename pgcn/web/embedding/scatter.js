// One scatter plot: points in two or three dimensions that glide to their new positions.

import { element, reducedMotion } from "../shared/dom.js";
import { drawShape } from "./colours.js";
import { listen } from "./gestures.js";
import { MANY, paintPixels } from "./pixels.js";

const ease = (t) => (t < 0.5 ? 4 * t * t * t : 1 - (2 - 2 * t) ** 3 / 2);
const MARGIN = 12; // pixels around the farthest points
export const BOX = { left: -1, right: 1, bottom: -1, top: 1 };
const PLAIN = 0, LABELLED = 1, CHOSEN = 2;

export class Scatter {
  // shared: state of all plots (colouring, selection, hidden entries, chosen node, turn); on: handlers of what happens here.
  constructor(name, shared, on) {
    Object.assign(this, { shared, on, dimensions: 2, box: BOX });
    this.canvas = element("canvas", { tabindex: 0, role: "img" });
    this.title = element("strong");
    this.facts = element("span", { class: "facts" });
    this.missing = element("p", { class: "missing" });
    this.root = element("figure", { class: `view ${name}` },
      element("figcaption", {}, this.title, this.facts), element("div", { class: "sheet" }, this.canvas, this.missing));
    this.context = this.canvas.getContext("2d");
    this.dots = window.devicePixelRatio || 1;
    this.of = shared.of; // the legend entry of each node in this plot
    this.zoom = { scale: 1, x: 0, y: 0 };
    this.sprites = new Map();
    this.resize = new ResizeObserver(() => this.fit());
    this.resize.observe(this.canvas.parentElement);
    listen(this);
  }

  // Show points [n, dimensions]; they glide from where they were, unless the reader prefers reduced motion.
  show(points, dimensions, box, length = 0) {
    const from = this.points, same = this.dimensions === dimensions;
    Object.assign(this, { box, dimensions, target: points });
    cancelAnimationFrame(this.gliding);
    this.gliding = null;
    if (!points) { this.points = null; return void this.draw(); }
    if (!from || !same || from.length !== points.length || reducedMotion.matches || !length) { this.points = points; return void this.draw(); }
    const start = Float32Array.from(from), now = new Float32Array(points.length), began = performance.now();
    this.points = now;
    const step = (time) => {
      const t = Math.max(0, Math.min(1, (time - began) / length)), s = ease(t);
      for (let i = 0; i < now.length; i += 1) now[i] = start[i] + s * (points[i] - start[i]);
      this.paint();
      this.gliding = t < 1 ? requestAnimationFrame(step) : null;
      if (!this.gliding) { this.points = points; this.paint(); }
    };
    this.gliding = requestAnimationFrame(step);
  }

  fit() {
    const { width, height } = this.canvas.parentElement.getBoundingClientRect();
    const dots = window.devicePixelRatio || 1;
    if (!width || (this.canvas.width === Math.round(width * dots) && this.canvas.height === Math.round(height * dots))) return;
    this.canvas.width = Math.round(width * dots);
    this.canvas.height = Math.round(height * dots);
    this.dots = dots;
    this.sprites.clear();
    this.draw();
  }

  draw() {
    if (this.gliding || this.waiting) return; // it will be painted anyway
    this.waiting = requestAnimationFrame(() => { this.waiting = null; this.paint(); });
  }

  recolour() { this.sprites.clear(); this.draw(); }

  // Pixels for each unit of the embedding.
  get size() {
    const { left, right, bottom, top } = this.box, { width, height } = this.canvas, margin = 2 * MARGIN * this.dots;
    return Math.min((width - margin) / (right - left || 1), (height - margin) / (top - bottom || 1)) * this.zoom.scale;
  }

  // Where points are seen, in pixels, [n, 2]; unless the reader looks closer, none is outside.
  see() {
    const n = this.points.length / this.dimensions, { width, height } = this.canvas, { size, zoom, box } = this;
    if (this.depth?.length !== n) Object.assign(this, { depth: new Float32Array(n), turned: new Float32Array(2 * n), seen: new Float32Array(2 * n) });
    if (this.dimensions === 3) this.shared.turn.project(this.points, this.turned, this.depth);
    const flat = this.dimensions === 3 ? this.turned : this.points, whole = zoom.scale === 1 && !zoom.x && !zoom.y, edge = (MARGIN * this.dots) / 2;
    const middle = (box.left + box.right) / 2 + zoom.x, level = (box.bottom + box.top) / 2 + zoom.y;
    for (let i = 0; i < n; i += 1) {
      const x = width / 2 + (flat[2 * i] - middle) * size, y = height / 2 - (flat[2 * i + 1] - level) * size;
      this.seen[2 * i] = whole ? Math.max(edge, Math.min(width - edge, x)) : x;
      this.seen[2 * i + 1] = whole ? Math.max(edge, Math.min(height - edge, y)) : y;
    }
  }

  at(i) { return [this.seen[2 * i], this.seen[2 * i + 1]]; }

  get radius() {
    const n = this.of.length, room = Math.min(this.canvas.width, this.canvas.height) / this.dots / 440;
    return (n > 8000 ? 2.2 : n > 1000 ? 3 : 4.5) * Math.max(0.6, Math.min(1.3, room)) * this.dots * Math.min(1.8, Math.sqrt(this.zoom.scale));
  }

  // A point drawn once for each entry: plain, as a labelled node (larger, set off), or as one that is chosen.
  sprite(entry, kind) {
    const key = `${entry.colour}${entry.shape}${kind}`;
    let sheet = this.sprites.get(key);
    if (!sheet) {
      const { shared, dots } = this, r = this.radius * [1, shared.stress, 1.35][kind], size = Math.ceil(2.6 * r + 4 * dots);
      sheet = element("canvas", { width: size, height: size });
      const context = sheet.getContext("2d");
      if (kind !== PLAIN) {
        context.fillStyle = kind === CHOSEN ? shared.ink : shared.paper;
        drawShape(context, entry.shape, size / 2, size / 2, r + 1.2 * dots);
      }
      context.fillStyle = entry.colour;
      drawShape(context, entry.shape, size / 2, size / 2, r);
      this.sprites.set(key, sheet);
    }
    return sheet;
  }

  paint() {
    const { context, shared } = this, { width, height } = this.canvas;
    if (!width) return;
    context.clearRect(0, 0, width, height);
    if (!this.points) return;
    this.see();
    if (this.gliding && this.of.length > MANY && this.radius < 7) return void paintPixels(this);
    const { selected, near, close, node } = shared, some = selected.size > 0 || node >= 0;
    this.drawPoints(shared.order, some ? 0.16 : 0.82, PLAIN);
    this.drawPoints(shared.labelled, some ? 0.3 : 1, LABELLED); // last, so that none is covered
    if (node >= 0) this.edges(near);
    this.drawPoints(selected, 1, CHOSEN);
    if (node >= 0) this.drawPoints([...close, ...near, node], 1, CHOSEN);
    if (node >= 0) this.ring(node, 2.4);
    if (shared.hover >= 0) this.ring(shared.hover, 1.6);
    if (this.lasso) this.outline();
  }

  drawPoints(only, alpha, kind) {
    const { context, of, seen, depth } = this, { entries, hidden } = this.shared, sheets = entries.map((entry) => this.sprite(entry, kind));
    const deep = this.dimensions === 3, from = deep ? [...only].sort((a, b) => depth[a] - depth[b]) : only;
    context.globalAlpha = alpha;
    for (const i of from) {
      if (hidden.has(of[i])) continue;
      const sheet = sheets[of[i]], near = deep ? Math.max(0, Math.min(1, (depth[i] / this.box.right + 1) / 2)) : 0.5; // 1 is nearest
      const side = deep ? sheet.width * (0.6 + 0.8 * near) : sheet.width;
      if (deep) context.globalAlpha = alpha * (0.45 + 0.55 * near);
      context.drawImage(sheet, Math.round(seen[2 * i] - side / 2), Math.round(seen[2 * i + 1] - side / 2), side, side);
    }
    context.globalAlpha = 1;
  }

  edges(near) {
    const { context } = this, [x, y] = this.at(this.shared.node);
    context.strokeStyle = this.shared.ink;
    context.lineWidth = 1.2 * this.dots;
    context.globalAlpha = 0.55;
    context.beginPath();
    for (const other of near) { context.moveTo(x, y); context.lineTo(...this.at(other)); }
    context.stroke();
    context.globalAlpha = 1;
  }

  ring(i, strength) {
    const { context } = this, [x, y] = this.at(i);
    context.strokeStyle = this.shared.ink;
    context.lineWidth = strength * this.dots;
    context.beginPath();
    context.arc(x, y, this.radius + 4 * this.dots, 0, 2 * Math.PI);
    context.stroke();
  }

  outline() {
    const { context } = this;
    context.beginPath();
    this.lasso.forEach(([x, y], i) => (i ? context.lineTo(x, y) : context.moveTo(x, y)));
    context.closePath();
    context.fillStyle = this.shared.accent;
    context.globalAlpha = 0.12;
    context.fill();
    context.globalAlpha = 1;
    context.setLineDash([5 * this.dots, 4 * this.dots]);
    context.strokeStyle = this.shared.accent;
    context.lineWidth = 1.5 * this.dots;
    context.stroke();
    context.setLineDash([]);
  }

  nearest(x, y) {
    if (!this.points || !this.seen) return -1;
    let best = -1, least = (14 * this.dots) ** 2;
    for (let i = 0; i < this.of.length; i += 1) {
      if (this.shared.hidden.has(this.of[i])) continue;
      const [a, b] = this.at(i), far = (a - x) ** 2 + (b - y) ** 2;
      if (far < least) [best, least] = [i, far];
    }
    return best;
  }

  inside(corners) {
    const found = [];
    for (let i = 0; i < this.of.length; i += 1) {
      if (this.shared.hidden.has(this.of[i])) continue;
      const [x, y] = this.at(i);
      let odd = false;
      for (let j = 0, k = corners.length - 1; j < corners.length; k = j, j += 1) {
        const [ax, ay] = corners[j], [bx, by] = corners[k];
        if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) odd = !odd;
      }
      if (odd) found.push(i);
    }
    return found;
  }

  scale(by) {
    this.zoom = by ? { ...this.zoom, scale: Math.max(1, Math.min(30, this.zoom.scale * by)) } : { scale: 1, x: 0, y: 0 };
    if (this.zoom.scale === 1) this.zoom = { scale: 1, x: 0, y: 0 };
    this.sprites.clear();
    this.draw();
  }

  destroy() {
    this.resize.disconnect();
    cancelAnimationFrame(this.gliding);
    cancelAnimationFrame(this.waiting);
  }
}
