// A run as a film: a cursor on its pictures, which play, pause, step, speed and scrubber move.
// The pictures may grow in number while they are looked at; training has a clock of its own.

import { Canvas, svgElement } from "./canvas.js";
import { Charts } from "./charts.js";
import { element, motionless, setPlaying, transport } from "./transport.js";

const DWELL = { proposed: 800, accepted: 800, rejected: 1000, layer: 900, start: 300, end: 900 };
const MARKS = { start: "●", proposed: "◻", accepted: "■", rejected: "✕", layer: "▲", end: "■" };

function swatch(status, text) {
  const svg = svgElement("svg", { width: 22, height: 14, class: "swatch" });
  const group = svgElement("g", { class: `block ${status}`, transform: "translate(11 7)" }, svg);
  svgElement("rect", { class: "body", x: -9, y: -5, width: 18, height: 10 }, group);
  if (status === "rejected") svgElement("path", { class: "cross", d: "M-5 -5L5 5M5 -5L-5 5" }, group);
  return element("span", {}, svg, text);
}

export class Player {
  constructor(root, film) {
    this.root = root;
    this.cursor = 0;
    this.playing = false;
    this.speed = 1;
    this.build();
    this.update(film);
  }

  build() {
    this.root.classList.add("pgcn");
    this.title = element("strong");
    this.facts = element("span", { class: "facts" });
    this.sentence = element("p");
    this.badge = element("span", { class: "recorded" });
    const caption = element("figcaption", { class: "caption" },
      element("div", { class: "line" }, element("span", {}, this.title, " ", this.badge), this.facts), this.sentence);
    const tip = element("div", { class: "tip", role: "tooltip" });
    this.stage = element("figure", { class: "canvas", tabindex: 0, "aria-label": "The network; left and right arrow step, space plays" }, caption);
    this.canvas = new Canvas(this.stage, tip, () => motionless.matches);
    this.tally = element("span");
    this.stage.append(element("div", { class: "key" },
      swatch("trial", "candidate"), swatch("accepted", "accepted"), swatch("rejected", "rejected"), this.tally), tip);
    this.stage.addEventListener("keydown", (event) => this.key(event));
    this.list = element("ol", { class: "story" });
    const tellings = element("section", { class: "tellings", "aria-label": "Event log" }, element("h4", {}, "Event log"), this.list);
    const charts = element("div", { class: "charts" });
    this.root.append(element("div", { class: "stage" }, this.stage, this.controls(), tellings), charts, this.foot());
    this.charts = new Charts(charts, (judged) => this.goTo(this.film.pictures.findIndex((picture) => picture.judged === judged)));
  }

  controls() {
    Object.assign(this, transport({
      goTo: (step) => this.goTo(step), by: (steps) => this.goTo(this.cursor + steps), toggle: () => this.toggle(),
      pace: (speed) => { this.speed = speed; if (this.playing) this.schedule(); },
    }));
    this.live = element("button", { type: "button", class: "live" }, "Skip to live");
    this.live.addEventListener("click", () => this.skipToLive());
    this.bar.append(this.live);
    return this.bar;
  }

  foot() {
    const save = (kind) => {
      const button = element("button", { type: "button" }, `Save the network as ${kind.toUpperCase()}`);
      button.addEventListener("click", () => this.saveNetwork(kind));
      return button;
    };
    this.copy = element("button", { type: "button" }, "Copy a link to this step");
    this.copy.addEventListener("click", () => this.copyLink());
    return element("div", { class: "foot" }, this.copy, save("svg"), save("png"));
  }

  // A film that is the continuation of the one shown keeps the cursor; another one starts at its beginning.
  update(film) {
    const another = film.id !== this.film?.id;
    const atEnd = !another && this.cursor === this.film.pictures.length - 1;
    this.film = film;
    if (another) {
      const last = film.pictures.length - 1, still = motionless.matches || !film.autoplay;
      this.cursor = film.at ?? (still ? last : Math.min(1, last)); // the first block at once
      this.following = false;
      this.list.replaceChildren();
    }
    this.cursor = Math.min(this.cursor, film.pictures.length - 1);
    this.tell();
    this.scrubber.max = film.pictures.length - 1;
    this.badge.textContent = film.badge ?? "";
    this.badge.hidden = !film.badge;
    if (another) {
      this.show();
      this.setPlaying(Boolean(film.autoplay) && film.at == null && !(motionless.matches && !film.live));
    } else if (this.following) {
      this.cursor = film.pictures.length - 1;
      this.show();
    } else {
      this.show(true);
      if (this.playing && atEnd && this.cursor < film.pictures.length - 1) this.advance();
      else if (this.playing && !this.timer) this.schedule();
    }
  }

  get picture() { return this.film.pictures[this.cursor]; }

  tell() {
    const told = this.list.querySelector("small");
    if (told) told.textContent = this.film.pictures[0].sentence; // at first it says only why the run waits
    for (let i = this.list.children.length; i < this.film.pictures.length; i += 1) {
      const { kind, title, sentence } = this.film.pictures[i];
      const mark = element("span", { class: "mark", "aria-hidden": "true" }, MARKS[kind]);
      const button = element("button", { type: "button", class: kind }, mark, element("span", {}, title, element("small", {}, sentence)));
      button.addEventListener("click", () => this.goTo(i));
      this.list.append(element("li", {}, button));
    }
  }

  show(same = false) {
    const { picture, film } = this, last = film.pictures.length - 1;
    if (!same || this.canvas.picture !== picture) this.canvas.show(film, picture);
    this.charts.show(film, picture);
    this.title.textContent = picture.title;
    this.sentence.textContent = picture.sentence;
    this.facts.textContent = picture.facts;
    this.tally.textContent = picture.tally;
    this.scrubber.value = this.cursor;
    this.scrubber.setAttribute("aria-valuetext", picture.title);
    this.where.textContent = `step ${this.cursor} of ${last}${film.live ? " so far" : ""}`;
    this.live.hidden = !film.live || (this.following && this.cursor === last);
    this.root.dataset.cursor = this.cursor;
    this.root.dataset.steps = last;
    this.root.dataset.topology = picture.topology.join("-");
    this.root.dataset.live = film.live;
    this.root.dataset.film = film.id;
    this.copy.hidden = !film.shareable;
    for (const [i, item] of [...this.list.children].entries()) {
      const here = i === this.cursor, button = item.firstChild;
      if ((button.getAttribute("aria-current") === "true") !== here) button.setAttribute("aria-current", here);
      if (here) this.list.scrollTop = item.offsetTop - this.list.offsetTop - this.list.clientHeight / 2;
    }
    if (!same) cancelAnimationFrame(this.filling);
    if (this.cursor === last) this.canvas.setProgress(film.progress ?? 0);
    else if (!same && picture.kind === "proposed") this.fillUp();
  }

  // The candidate block fills while its training is replayed.
  fillUp() {
    if (!this.playing || motionless.matches) return void this.canvas.setProgress(0.5);
    const began = performance.now(), length = DWELL.proposed / this.speed;
    const step = (now) => {
      this.canvas.setProgress(Math.max(0, Math.min(1, (now - began) / length)));
      if (now - began < length) this.filling = requestAnimationFrame(step);
    };
    this.filling = requestAnimationFrame(step);
  }

  schedule() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => { this.timer = null; this.advance(); }, Math.max(60, DWELL[this.picture.kind] / this.speed));
  }

  advance() {
    if (!this.root.isConnected) return void this.destroy();
    if (!this.playing) return;
    if (this.cursor < this.film.pictures.length - 1) {
      this.cursor += 1;
      this.show();
      this.schedule();
    } else if (!this.film.live) this.setPlaying(false);
  }

  toggle() {
    if (!this.playing && this.cursor === this.film.pictures.length - 1 && !this.film.live) { this.cursor = 0; this.show(); }
    this.setPlaying(!this.playing);
  }

  setPlaying(playing) {
    if (!playing) this.following = false;
    setPlaying(this, playing);
  }

  goTo(step) {
    const last = this.film.pictures.length - 1;
    this.following = false;
    this.setPlaying(false);
    this.cursor = Math.max(0, Math.min(last, step));
    this.show();
  }

  skipToLive() {
    this.following = true;
    this.playing = true;
    this.cursor = this.film.pictures.length - 1;
    this.setPlaying(true);
    this.following = true;
    this.show();
  }

  key(event) {
    if (event.target !== this.stage) return;
    const action = {
      ArrowLeft: () => this.goTo(this.cursor - 1), ArrowRight: () => this.goTo(this.cursor + 1),
      Home: () => this.goTo(0), End: () => this.goTo(this.film.pictures.length - 1), " ": () => this.toggle(),
    }[event.key];
    if (!action) return;
    event.preventDefault();
    action();
  }

  async copyLink() {
    const link = new URL(location.href);
    link.searchParams.set("at", this.cursor);
    await navigator.clipboard.writeText(link.href);
    this.copy.textContent = "Copied";
    setTimeout(() => { this.copy.textContent = "Copy a link to this step"; }, 1500);
  }

  // The drawing with its colours written in, so that it looks the same in any other program.
  async saveNetwork(kind) {
    const { svg } = this.canvas, copy = svg.cloneNode(true);
    const from = [svg, ...svg.querySelectorAll("*")], to = [copy, ...copy.querySelectorAll("*")];
    from.forEach((node, i) => {
      const style = getComputedStyle(node);
      for (const name of ["fill", "stroke", "stroke-width", "stroke-dasharray", "opacity", "font-size", "font-family", "text-anchor", "dominant-baseline"])
        to[i].style.setProperty(name, style.getPropertyValue(name));
    });
    const { width, height } = svg.getBoundingClientRect();
    for (const [name, value] of Object.entries({ xmlns: "http://www.w3.org/2000/svg", width, height, viewBox: `0 0 ${width} ${height}` }))
      copy.setAttribute(name, value);
    const paper = svgElement("rect", { width, height, fill: getComputedStyle(this.root).getPropertyValue("--paper") });
    copy.prepend(paper);
    let file = new Blob([new XMLSerializer().serializeToString(copy)], { type: "image/svg+xml" });
    if (kind === "png") file = await rasterised(file, width, height);
    const link = element("a", { href: URL.createObjectURL(file), download: `pgcn-network.${kind}` });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10000);
  }

  redraw() {
    this.canvas.show(this.film, this.picture, true);
    this.charts.show(this.film, this.picture, true);
  }

  destroy() {
    clearTimeout(this.timer);
    cancelAnimationFrame(this.filling);
    this.canvas.destroy();
    this.charts.destroy();
  }
}

async function rasterised(file, width, height) {
  const image = new Image();
  image.src = URL.createObjectURL(file);
  await image.decode();
  const sheet = element("canvas", { width: 2 * width, height: 2 * height });
  sheet.getContext("2d").drawImage(image, 0, 0, 2 * width, 2 * height);
  URL.revokeObjectURL(image.src);
  return new Promise((done) => { sheet.toBlob(done, "image/png"); });
}
