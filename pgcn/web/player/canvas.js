// The growing network as SVG: the input, hidden layers of blocks, the output, and bundles of connections.
// Each frame has its own layout; everything glides from its old position to the new one.

import { reducedMotion, svgElement } from "../shared/dom.js";
import { typeset } from "../shared/formula.js";
import { keepTabStop, moveFocus } from "./focus.js";
import { Inside } from "./inside.js";

const STATUS = ["candidate", "accepted", "rejected"];
const GLIDE = 420; // milliseconds
const PAIRS = 36; // with more pairs of blocks between two layers, all bundles run through one point

const number = (value) => value.toLocaleString("en");
const between = (low, value, high) => Math.max(low, Math.min(high, value));

export class Canvas {
  constructor(holder, tip) {
    this.tip = tip;
    this.svg = svgElement("svg", { class: "network", role: "group", "aria-label": "The network" }, holder);
    this.svg.addEventListener("keydown", (event) => moveFocus(this.standing, event));
    this.bundles = svgElement("g", {}, this.svg);
    this.labels = svgElement("g", {}, this.svg);
    this.ends = svgElement("g", {}, this.svg);
    this.blocks = svgElement("g", {}, this.svg);
    this.shown = new Map(); // key of a block -> its elements, where it is and where it goes
    this.lines = new Map();
    this.inside = new Inside();
    this.progress = 0;
    this.scale = 1; // of what is written and of the room for it
    this.resize = new ResizeObserver(() => this.replay && this.show(this.replay, this.frame, true));
    this.resize.observe(this.svg);
  }

  destroy() {
    this.resize.disconnect();
    cancelAnimationFrame(this.animation);
  }

  // Takes the class profiles that have come; says whether they change what a frame shows.
  learn(replay, frame) {
    if (this.replay?.id !== replay.id) this.inside.forget();
    return this.inside.learn(replay.inside, frame);
  }

  show(replay, frame, atOnce = false) {
    this.learn(replay, frame);
    if (this.replay?.id !== replay.id) for (const key of [...this.shown.keys()]) this.remove(key);
    this.replay = replay;
    this.frame = frame;
    const plan = this.plan(replay, frame);
    this.inside.open(this.svg, plan.columns, frame);
    plan.fits = plan.sites.slice(1, -1).map((site) => this.inside.fits(site));
    this.drawEnds(replay, plan);
    this.drawLabels(plan, frame);
    for (const [key, place] of plan.places) this.aim(key, place, plan.fits[place.block.layer - 1]);
    for (const [key, item] of this.shown) if (!plan.places.has(key)) item.goal = { ...item.goal, o: 0, gone: true };
    keepTabStop(this.standing);
    this.connect(plan);
    this.svg.setAttribute("aria-label", `${frame.title}. ${plan.words}`);
    this.glide(atOnce || reducedMotion.matches);
  }

  get standing() { return [...this.shown.values()].filter(({ goal }) => !goal.gone); }

  // The layout of a frame.
  plan(replay, frame) {
    const width = this.svg.clientWidth || 800, height = this.svg.clientHeight || 310;
    const layers = [];
    for (const [index, status] of frame.blocks) {
      const block = replay.blocks[index];
      (layers[block.layer - 1] ??= []).push({ key: index, block, status });
    }
    const columns = [...layers].map((layer) => layer ?? []);
    const margin = between(46, width * 0.07, 80) * this.scale;
    const step = (width - 2 * margin) / (columns.length + 1);
    const top = (replay.inside ? 44 : 30) * this.scale, bottom = height - 48 * this.scale, middle = (top + bottom) / 2;
    const places = new Map();
    const tall = (bottom - top) * 0.6, short = Math.min(replay.run.classes * 13 * this.scale + 8, tall); // of both ends
    const sites = [[{ key: "in", x: margin, y: middle, half: 10, spread: tall / 2 - 4 }]];
    columns.forEach((column, i) => {
      column.sort((a, b) => a.block.number - b.block.number);
      const x = margin + (i + 1) * step;
      const gap = column.length > 14 ? 2 : 6;
      const h = between(3, (bottom - top) / Math.max(column.length, 1) - gap, Math.min((bottom - top) / 5.5, Math.max(24, step * 0.34)));
      const w = between(Math.min(22, step * 0.7), step * 0.5, Math.max(100, 4.5 * h)); // there is room for links
      const start = middle - ((column.length - 1) * (h + gap)) / 2;
      const site = [];
      column.forEach(({ key, block, status }, k) => {
        const place = { x, y: start + k * (h + gap), w, h, o: 1, block, status };
        places.set(key, place);
        site.push({ key, half: w / 2, ...place });
      });
      sites.push(site);
    });
    const right = width - margin;
    sites.push([{ key: "out", x: right, y: middle, half: 10, spread: short / 2 - 4 }]);
    const sizes = columns.map((column) =>
      column.reduce((sum, { block, status }) => sum + (status === 2 ? 0 : block.width), 0));
    const words = [replay.run.features, ...sizes, replay.run.classes].map(number).join(" → ");
    return { places, sites, columns, sizes, words, height, margin, step, right, middle, tall, short };
  }

  drawEnds(replay, plan) {
    this.ends.replaceChildren();
    for (const [x, h, name, count] of [
      [plan.margin, plan.tall, replay.run.features === 1 ? "feature" : "features", replay.run.features],
      [plan.right, plan.short, "classes", replay.run.classes],
    ]) {
      const end = svgElement("g", { class: "end" }, this.ends);
      svgElement("rect", { x: x - 10, y: plan.middle - h / 2, width: 20, height: h }, end);
      const dots = name === "classes" && count <= 12 ? count : 9;
      for (let i = 0; i < dots; i += 1) {
        const y = plan.middle + (i - (dots - 1) / 2) * ((h - 8) / dots);
        const skipped = dots !== count && i > 2 && i < 6; // too many to draw: an ellipsis
        const dot = svgElement("circle", { cx: x, cy: y, r: skipped ? 1.2 : Math.min(4, (h - 8) / dots / 2.6) }, end);
        if (name !== "classes" || dots !== count || !this.inside.values) continue;
        dot.style.fill = this.inside.colour(i);
        svgElement("title", {}, dot, this.inside.values.classes[i].replaceAll("_", " "));
      }
      svgElement("text", { class: "label", x, y: plan.middle + h / 2 + 17 * this.scale }, end, number(count));
      svgElement("text", { class: "label small", x, y: plan.middle + h / 2 + 31 * this.scale }, end, name);
    }
  }

  drawLabels(plan, frame) {
    this.labels.replaceChildren();
    const say = (kind, x, y, text) => svgElement("text", { class: `label ${kind}`, x, y: y * this.scale }, this.labels, text);
    const under = plan.height / this.scale, wide = plan.step / this.scale;
    plan.columns.forEach((column, i) => {
      const x = plan.margin + (i + 1) * plan.step, size = plan.sizes[i], rejected = frame.rejected[i + 1];
      const kind = frame.kinds?.[i]; // of an architecture: what its layers compute
      say("", x, 16, wide < 62 ? `L${i + 1}` : `Layer ${i + 1}`);
      say("small", x, under - 26, wide < 62 ? size : `${size} neuron${size === 1 ? "" : "s"}`);
      if (this.inside.values?.layers[i] && !plan.fits[i]) this.inside.bars(this.labels, i, x, 22 * this.scale, plan.step * 0.7, 16 * this.scale);
      if (kind && wide > 6.5 * kind.length) say("small", x, under - 10, kind);
      if (rejected) say("small rejected", x, under - 10, wide < 95 ? `✕ ${rejected}` : `✕ ${rejected} rejected`);
    });
  }

  aim(key, place, fits) {
    let item = this.shown.get(key);
    if (!item) {
      const group = svgElement("g", { tabindex: -1, role: "img" }, this.blocks);
      item = {
        group,
        ring: svgElement("rect", { class: "ring" }, group),
        body: svgElement("rect", { class: "body" }, group),
        done: svgElement("rect", { class: "done" }, group),
        inside: svgElement("g", {}, group),
        cross: svgElement("path", { class: "cross" }, group),
        now: { ...place, x: place.x + 36, o: 0 },
      };
      for (const event of ["pointerenter", "focus"]) group.addEventListener(event, () => this.explain(item));
      for (const event of ["pointerleave", "blur"]) group.addEventListener(event, () => this.explain(null));
      group.addEventListener("pointermove", (event) => this.point(item, event));
      this.shown.set(key, item);
    }
    const faded = place.status === 2 ? 0.75 : 1;
    item.goal = { ...place, o: faded };
    item.status = place.status;
    item.about = this.replay.blocks[key].about[place.status === 0 ? 0 : 1] ?? this.replay.blocks[key].about[0];
    item.group.setAttribute("class", `block ${STATUS[place.status]}`);
    item.learned = this.inside.places.get(key) ?? null;
    item.group.setAttribute("aria-label", item.learned ? `${item.about}\n${this.inside.words(item.learned)}` : item.about);
    item.group.dataset.block = key;
    this.fill(item, place, fits);
  }

  // What its neurons have learned where that fits; else they are dots, or their number.
  fill(item, { block, w, h }, shows) {
    if (item.learned && shows) {
      const { first } = item.learned, { isOf, dark } = this.inside;
      const drawn = `strip ${this.replay.id} ${isOf} ${dark} ${first} ${w.toFixed(0)} ${h.toFixed(0)}`;
      if (item.inside.dataset.is === drawn) return;
      item.inside.dataset.is = drawn;
      item.inside.replaceChildren();
      return void this.inside.strip(item.inside, item.learned, w, h);
    }
    const fits = block.width <= 10 && h >= 8 && w >= block.width * 7;
    const wanted = fits ? `dots ${block.width} ${w.toFixed(0)} ${h.toFixed(0)}` : h >= 11 * this.scale ? `count ${block.width}` : "";
    if (item.inside.dataset.is === wanted) return;
    item.inside.dataset.is = wanted;
    item.inside.replaceChildren();
    if (fits) {
      for (let i = 0; i < block.width; i += 1)
        svgElement("circle", { cx: (i - (block.width - 1) / 2) * ((w - 8) / block.width), cy: 0, r: Math.min(h / 5, (w - 8) / block.width / 2.6) }, item.inside);
    } else if (wanted) svgElement("text", {}, item.inside).textContent = block.width;
  }

  connect(plan) {
    const wanted = new Map(), links = this.inside.links(plan.columns);
    for (let i = 0; i + 1 < plan.sites.length; i += 1) {
      const left = plan.sites[i], right = plan.sites[i + 1];
      if (links && i + 2 === plan.sites.length) this.addLinks(wanted, links, plan, left);
      else if (left.length * right.length <= PAIRS) {
        for (const a of left) for (const b of right) wanted.set(`${a.key}-${b.key}`, { a, b });
      } else {
        const waist = { key: `waist${i}`, x: (left[0].x + right[0].x) / 2, y: plan.middle, half: 0 };
        for (const a of left) wanted.set(`${a.key}-${waist.key}`, { a, b: waist });
        for (const b of right) wanted.set(`${waist.key}-${b.key}`, { a: waist, b });
      }
    }
    for (const [key, line] of this.lines) {
      if (!wanted.has(key)) {
        line.path.remove();
        this.lines.delete(key);
      }
    }
    for (const [key, { a, b }] of wanted) {
      const line = this.lines.get(key) ?? { path: svgElement("path", { class: "bundle" }, this.bundles) };
      Object.assign(line, { a, b });
      this.lines.set(key, line);
      if (b.link) {
        const { c, weight, share } = b.link;
        line.path.setAttribute("class", "bundle link");
        line.path.style.stroke = this.inside.colour(c);
        line.path.setAttribute("stroke-width", 0.3 + 3.2 * share);
        line.path.setAttribute("stroke-dasharray", weight < 0 ? "4 3" : "none");
        line.path.setAttribute("stroke-opacity", 0.8);
        line.path.dataset.weight = weight.toPrecision(3);
        line.path.dataset.class = c;
        line.path.dataset.from = a.key;
        continue;
      }
      const neurons = Math.min(a.block?.width ?? 8, b.block?.width ?? 8);
      line.path.setAttribute("stroke-width", between(0.8, Math.sqrt(neurons) * 0.55, 3));
      const candidate = a.status === 0 || b.status === 0, rejected = a.status === 2 || b.status === 2;
      line.path.setAttribute("stroke-dasharray", candidate ? "3 3" : "none");
      line.path.setAttribute("stroke-opacity", rejected ? 0.08 : candidate ? 0.3 : 0.38);
    }
  }

  // The links to the output, by the readout's weights; of blocks that are not in it yet one bundle.
  addLinks(wanted, { lines, together }, plan, left) {
    const classes = this.replay.run.classes, out = plan.sites.at(-1)[0];
    const end = (link) => ({ key: "out", x: out.x, y: plan.middle + (link.c - (classes - 1) / 2) * ((plan.short - 8) / classes), half: 10, link });
    const waist = { key: "waist", x: (left[0].x + out.x) / 2, y: plan.middle, half: 0 };
    const by = new Map(left.map((site) => [site.key, site]));
    for (const site of left)
      if (!this.inside.places.has(site.key)) wanted.set(`${site.key}-out`, { a: site, b: out });
      else if (together) wanted.set(`${site.key}-waist`, { a: site, b: waist });
    for (const link of lines) wanted.set(`${link.key ?? "waist"}-class${link.c}`, { a: by.get(link.key) ?? waist, b: end(link) });
  }

  glide(atOnce) {
    cancelAnimationFrame(this.animation);
    const began = performance.now();
    const from = new Map([...this.shown].map(([key, item]) => [key, { ...item.now }]));
    const move = (time) => {
      const t = atOnce ? 1 : between(0, (time - began) / GLIDE, 1);
      const eased = 1 - (1 - t) ** 3;
      for (const [key, item] of [...this.shown]) {
        const a = from.get(key), b = item.goal;
        for (const name of ["x", "y", "w", "h", "o"]) item.now[name] = a[name] + (b[name] - a[name]) * eased;
        if (t === 1 && b.gone) this.remove(key);
        else this.draw(item);
      }
      this.drawLines();
      if (t < 1) this.animation = requestAnimationFrame(move);
      else if (this.explained) this.explain(this.explained.group.isConnected ? this.explained : null); // it has moved
    };
    if (atOnce) move(began);
    else this.animation = requestAnimationFrame(move);
  }

  draw({ group, ring, body, done, inside, cross, now, status }) {
    group.setAttribute("transform", `translate(${now.x.toFixed(1)} ${now.y.toFixed(1)})`);
    group.setAttribute("opacity", now.o.toFixed(3));
    for (const rect of [body, done]) {
      rect.setAttribute("x", -now.w / 2);
      rect.setAttribute("y", -now.h / 2);
      rect.setAttribute("height", now.h);
    }
    for (const [name, value] of Object.entries({ x: -now.w / 2 - 4, y: -now.h / 2 - 4, width: now.w + 8, height: now.h + 8 })) ring.setAttribute(name, value);
    body.setAttribute("width", now.w);
    done.setAttribute("width", status === 0 ? now.w * this.progress : 0);
    const r = Math.min(9, now.h / 2 + 2);
    cross.setAttribute("d", status === 2 ? `M${-r} ${-r}L${r} ${r}M${r} ${-r}L${-r} ${r}` : "");
    inside.setAttribute("opacity", status === 2 ? 0.3 : 1);
  }

  drawLines() {
    for (const { path, a, b } of this.lines.values()) {
      const p = this.shown.get(a.key)?.now ?? a, q = this.shown.get(b.key)?.now ?? b;
      const x0 = p.x + (p.w ? p.w / 2 : a.half), x1 = q.x - (q.w ? q.w / 2 : b.half), bend = (x1 - x0) * 0.45;
      const y0 = a.spread ? a.y + between(-a.spread, (q.y - a.y) * 0.8, a.spread) : p.y;
      const y1 = b.spread ? b.y + between(-b.spread, (p.y - b.y) * 0.8, b.spread) : q.y;
      path.setAttribute("d", `M${x0} ${y0}C${x0 + bend} ${y0} ${x1 - bend} ${y1} ${x1} ${y1}`);
      path.setAttribute("opacity", Math.min(p.o ?? 1, q.o ?? 1));
    }
  }

  // How far the candidate block has been trained, 0 to 1.
  setProgress(progress) {
    this.progress = progress;
    for (const item of this.shown.values())
      if (item.status === 0) item.done.setAttribute("width", item.now.w * progress);
  }

  remove(key) {
    this.shown.get(key)?.group.remove();
    this.shown.delete(key);
  }

  // The neuron under the pointer is told in full.
  point(item, { clientX }) {
    if (!item.learned) return;
    const { left, width } = item.body.getBoundingClientRect();
    const chosen = between(0, Math.floor(((clientX - left) / width) * item.learned.width), item.learned.width - 1);
    if (item.chosen === chosen && this.explained === item) return;
    item.chosen = chosen;
    this.explain(item, chosen);
  }

  explain(item, chosen = null) {
    this.explained = item;
    this.tip.classList.toggle("shown", item !== null);
    if (item === null) return;
    const holder = this.tip.parentElement.getBoundingClientRect(), at = item.group.getBoundingClientRect();
    typeset(this.tip, item.learned ? item.about.split("\n").join(" · ").replace(" · ", "\n") : item.about);
    this.tip.classList.toggle("wide", Boolean(item.learned));
    this.tip.style.maxWidth = "";
    if (item.learned) { // beside the block, which shows the neuron pointed at
      const room = between(Math.min(300, holder.width - 8), Math.max(at.left - holder.left, holder.right - at.right) - 16, 450);
      this.tip.style.maxWidth = `${room}px`;
      this.tip.append(this.inside.enlarged(item.learned, room, chosen));
    }
    const size = this.tip.getBoundingClientRect();
    const beside = at.right - holder.left + 10;
    const left = beside + size.width < holder.width ? beside : at.left - holder.left - size.width - 10;
    this.tip.style.left = `${Math.max(4, left)}px`;
    this.tip.style.top = `${between(4, at.top - holder.top - size.height / 2, Math.max(4, holder.height - size.height - 4))}px`;
  }
}
