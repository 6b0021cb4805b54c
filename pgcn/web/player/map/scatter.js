// One map: points that glide to their new places, a lasso, and what is pointed at.

import { element, motionless } from "../transport.js";
import { drawShape } from "./colours.js";
import { MANY, paintRoughly } from "./rough.js";

const ease = (t) => (t < 0.5 ? 4 * t * t * t : 1 - (2 - 2 * t) ** 3 / 2);

export class Scatter {
  // look: what all maps share (colouring, selection, hidden entries, the node chosen); tell: what happened here.
  constructor(name, look, tell) {
    this.look = look;
    this.tell = tell;
    this.canvas = element("canvas", { tabindex: 0, role: "img" });
    this.title = element("strong");
    this.facts = element("span", { class: "facts" });
    this.missing = element("p", { class: "missing" });
    this.root = element("figure", { class: `view ${name}` },
      element("figcaption", {}, this.title, this.facts), element("div", { class: "sheet" }, this.canvas, this.missing));
    this.context = this.canvas.getContext("2d");
    this.dots = window.devicePixelRatio || 1;
    this.of = look.of; // the legend's entry of each node, here
    this.zoom = { scale: 1, x: 0, y: 0 };
    this.sprites = new Map();
    this.resize = new ResizeObserver(() => this.fit());
    this.resize.observe(this.canvas.parentElement);
    this.listen();
  }

  // Where the points shall be; where a map is there already they glide, unless motion is unwanted.
  show(places, frame, length = 0) {
    this.frame = frame;
    const from = this.places;
    this.target = places;
    cancelAnimationFrame(this.gliding);
    this.gliding = null;
    if (!places) { this.places = null; return void this.draw(); }
    if (!from || from.length !== places.length || motionless.matches || !length) { this.places = places; return void this.draw(); }
    const start = Float32Array.from(from), now = new Float32Array(places.length), began = performance.now();
    this.places = now;
    const step = (time) => {
      const t = Math.max(0, Math.min(1, (time - began) / length)), s = ease(t);
      for (let i = 0; i < now.length; i += 1) now[i] = start[i] + s * (places[i] - start[i]);
      this.paint();
      this.gliding = t < 1 ? requestAnimationFrame(step) : null;
      if (!this.gliding) { this.places = places; this.paint(); }
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
    if (this.gliding || this.waiting) return; // the next picture comes anyway
    this.waiting = requestAnimationFrame(() => { this.waiting = null; this.paint(); });
  }

  recolour() { this.sprites.clear(); this.draw(); }

  get size() { return Math.min(this.canvas.width, this.canvas.height) / 2 / this.frame * this.zoom.scale; }

  at(i) {
    const { width, height } = this.canvas, { size } = this;
    return [width / 2 + (this.places[2 * i] - this.zoom.x) * size, height / 2 - (this.places[2 * i + 1] - this.zoom.y) * size];
  }

  get radius() {
    const n = this.of.length;
    return (n > 8000 ? 2.2 : n > 1000 ? 3 : 4.5) * this.dots * Math.min(1.8, Math.sqrt(this.zoom.scale));
  }

  sprite(entry, bold) {
    const key = `${entry.colour}${entry.shape}${bold}`;
    let sheet = this.sprites.get(key);
    if (!sheet) {
      const r = this.radius * (bold ? 1.35 : 1), size = Math.ceil(2.6 * r + 2);
      sheet = element("canvas", { width: size, height: size });
      const context = sheet.getContext("2d");
      if (bold) { context.fillStyle = this.look.ink; drawShape(context, entry.shape, size / 2, size / 2, r + 1.2 * this.dots); }
      context.fillStyle = entry.colour;
      drawShape(context, entry.shape, size / 2, size / 2, r);
      this.sprites.set(key, sheet);
    }
    return sheet;
  }

  paint() {
    const { context, look } = this, { width, height } = this.canvas;
    if (!width) return;
    context.clearRect(0, 0, width, height);
    if (!this.places) return;
    if (this.gliding && this.of.length > MANY && this.radius < 7) return void paintRoughly(this);
    const { of } = this, { entries, hidden, selected, near } = look, some = selected.size > 0 || look.node >= 0;
    const points = (only, alpha, bold) => {
      context.globalAlpha = alpha;
      const sheets = entries.map((entry) => this.sprite(entry, bold));
      const size = this.size, left = width / 2 - this.zoom.x * size, top = height / 2 + this.zoom.y * size;
      for (const i of only) {
        if (hidden.has(of[i])) continue;
        const sheet = sheets[of[i]], half = sheet.width / 2;
        context.drawImage(sheet, Math.round(left + this.places[2 * i] * size - half), Math.round(top - this.places[2 * i + 1] * size - half));
      }
      context.globalAlpha = 1;
    };
    points(look.order, some ? 0.16 : 0.82, false);
    if (look.node >= 0) this.edges(near);
    points(selected, 1, true);
    if (look.node >= 0) points([...near, look.node], 1, true);
    if (look.node >= 0) this.ring(look.node, 2.4);
    if (look.hover >= 0) this.ring(look.hover, 1.6);
    if (this.lasso) this.outline();
  }

  edges(near) {
    const { context } = this, [x, y] = this.at(this.look.node);
    context.strokeStyle = this.look.ink;
    context.lineWidth = 1.2 * this.dots;
    context.globalAlpha = 0.55;
    context.beginPath();
    for (const other of near) { context.moveTo(x, y); context.lineTo(...this.at(other)); }
    context.stroke();
    context.globalAlpha = 1;
  }

  ring(i, strength) {
    const { context } = this, [x, y] = this.at(i);
    context.strokeStyle = this.look.ink;
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
    context.fillStyle = this.look.accent;
    context.globalAlpha = 0.12;
    context.fill();
    context.globalAlpha = 1;
    context.setLineDash([5 * this.dots, 4 * this.dots]);
    context.strokeStyle = this.look.accent;
    context.lineWidth = 1.5 * this.dots;
    context.stroke();
    context.setLineDash([]);
  }

  nearest(x, y) {
    if (!this.places) return -1;
    let best = -1, least = (14 * this.dots) ** 2;
    for (let i = 0; i < this.of.length; i += 1) {
      if (this.look.hidden.has(this.of[i])) continue;
      const [a, b] = this.at(i), far = (a - x) ** 2 + (b - y) ** 2;
      if (far < least) [best, least] = [i, far];
    }
    return best;
  }

  inside(polygon) {
    const found = [];
    for (let i = 0; i < this.of.length; i += 1) {
      if (this.look.hidden.has(this.of[i])) continue;
      const [x, y] = this.at(i);
      let odd = false;
      for (let j = 0, k = polygon.length - 1; j < polygon.length; k = j, j += 1) {
        const [ax, ay] = polygon[j], [bx, by] = polygon[k];
        if (ay > y !== by > y && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) odd = !odd;
      }
      if (odd) found.push(i);
    }
    return found;
  }

  listen() {
    const { canvas } = this, place = (event) => {
      const box = canvas.getBoundingClientRect();
      return [(event.clientX - box.left) * this.dots, (event.clientY - box.top) * this.dots];
    };
    canvas.addEventListener("pointerdown", (event) => {
      if (event.button || !this.places) return;
      const touch = event.pointerType !== "mouse";
      this.drag = { from: place(event), mode: this.look.moving ? "move" : touch && !this.look.lassoing ? "tap" : "lasso", zoom: { ...this.zoom } };
      if (this.drag.mode !== "tap") canvas.setPointerCapture(event.pointerId);
    });
    canvas.addEventListener("pointermove", (event) => {
      if (!this.places) return;
      const [x, y] = place(event);
      if (!this.drag) return void this.tell.hover(this.nearest(x, y), event, this);
      const [a, b] = this.drag.from;
      if (Math.hypot(x - a, y - b) > 5 * this.dots) this.drag.far = true;
      if (!this.drag.far) return;
      if (this.drag.mode === "move") {
        const { size } = this;
        this.zoom = { ...this.zoom, x: this.drag.zoom.x - (x - a) / size, y: this.drag.zoom.y + (y - b) / size };
        this.draw();
      } else if (this.drag.mode === "lasso") { (this.lasso ??= [[a, b]]).push([x, y]); this.draw(); }
    });
    const end = (event) => {
      const drag = this.drag, lasso = this.lasso;
      this.drag = this.lasso = null;
      if (!drag || event.type === "pointercancel") return void this.draw();
      if (lasso) this.tell.select(this.inside(lasso), event.shiftKey);
      else if (!drag.far) this.tell.pick(this.nearest(...place(event)));
      this.draw();
    };
    canvas.addEventListener("pointerup", end);
    canvas.addEventListener("pointercancel", end);
    canvas.addEventListener("pointerleave", () => this.tell.hover(-1, null, this));
    canvas.addEventListener("keydown", (event) => this.tell.key(event));
    canvas.addEventListener("wheel", (event) => {
      if (!event.ctrlKey && !this.look.moving) return; // the page scrolls
      event.preventDefault();
      this.scale(event.deltaY < 0 ? 1.2 : 1 / 1.2);
    }, { passive: false });
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
