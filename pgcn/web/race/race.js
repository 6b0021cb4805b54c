// Runs side by side on one clock: their curves on common axes, each network as it stood, one cursor for all, and a table.

import { element, svgElement } from "../shared/dom.js";
import { isDark, themed } from "../shared/palette.js";
import { drawPlot } from "../shared/plot.js";
import { Transport } from "../shared/transport.js";
import { Canvas } from "../player/canvas.js";

const STYLES = [
  { colour: "#0072b2", dash: "solid", symbol: "circle" }, { colour: "#d55e00", dash: "dash", symbol: "square" },
  { colour: "#009e73", dash: "dot", symbol: "diamond" }, { colour: "#cc79a7", dash: "dashdot", symbol: "triangle-up" },
];
const STROKES = { solid: "none", dash: "7 4", dot: "2 3", dashdot: "8 3 2 3" };
const CHARTS = { val: "Validation accuracy (%)", parameters: "Parameters", loss: "Training loss" };
const HEAD = ["", "test", "validation", "topology", "parameters", "epochs", "seconds"];
const MOST_STEPS = 400;
const DWELL = 120; // milliseconds for a step while it plays

const until = (points, time) => points.filter(([at]) => at <= time);
const valueAt = (points, time) => until(points, time).at(-1)?.[1];
const rounded = (value, digits = 0) => value.toLocaleString("en", { minimumFractionDigits: digits, maximumFractionDigits: digits });

export class RaceView {
  constructor(root) {
    this.root = root;
    this.cursor = 0;
    root.classList.add("pgcn", "race");
    root.setAttribute("data-live", "false");
    this.cards = element("div", { class: "cards" });
    this.transport = new Transport(this, { label: "Time of the race", speeds: [] });
    this.charts = element("div", { class: "charts" });
    this.plots = Object.fromEntries(Object.entries(CHARTS).map(([name, title]) => {
      const plot = element("div", { class: "plot" });
      this.charts.append(element("section", { class: "chart" }, element("h3", {}, title), plot));
      return [name, plot];
    }));
    this.table = element("div", { class: "results", tabindex: 0, role: "region", "aria-label": "Results of the runs" });
    root.append(this.cards, this.transport.bar, this.charts, this.table);
    this.lanes = new Map();
  }

  update(values) {
    const another = values.id !== this.values?.id, atEnd = another || this.cursor === this.last;
    this.values = values;
    const times = values.racers.flatMap(({ replay, val, parameters, loss, end }) =>
      [...replay.times, ...[...val, ...parameters, ...loss].map(([at]) => at), end].filter((at) => at !== null));
    const all = [...new Set([0, ...times])].sort((a, b) => a - b), every = Math.ceil(all.length / MOST_STEPS);
    const decisive = new Set(values.racers.flatMap(({ replay }) => replay.times));
    this.times = all.filter((at, i) => i % every === 0 || i === all.length - 1 || decisive.has(at));
    if (another) this.transport.setPlaying(false);
    this.cursor = atEnd ? this.last : Math.min(this.cursor, this.last);
    this.lay(values.racers);
    this.tabulate(values.racers);
    this.show();
  }

  get last() { return this.times.length - 1; }
  get time() { return this.times[this.cursor]; }

  // A card for each run; those that stay are kept.
  lay(racers) {
    for (const [id, lane] of this.lanes) if (!racers.some((racer) => racer.id === id)) {
      lane.canvas.destroy();
      lane.card.remove();
      this.lanes.delete(id);
    }
    racers.forEach((racer, i) => {
      if (!this.lanes.has(racer.id)) this.lanes.set(racer.id, this.card());
      const lane = this.lanes.get(racer.id);
      if (this.cards.children[i] !== lane.card) this.cards.insertBefore(lane.card, this.cards.children[i] ?? null);
      lane.title.textContent = `${i + 1}: ${racer.title}`;
      lane.state.textContent = racer.state;
      this.mark(lane.mark, i);
    });
  }

  card() {
    const mark = svgElement("svg", { width: 34, height: 12, class: "mark", "aria-hidden": "true" });
    const title = element("strong"), state = element("span", { class: "recorded" }), facts = element("p");
    const tip = element("div", { class: "tip", role: "tooltip" }), holder = element("div", { class: "holder", tabindex: -1 });
    const canvas = new Canvas(holder, tip);
    const card = element("figure", {}, element("figcaption", {}, mark, " ", title, " ", state), facts, holder, tip);
    return { mark, title, state, facts, canvas, card };
  }

  mark(svg, i) {
    const { colour, dash } = STYLES[i % STYLES.length];
    svg.replaceChildren();
    svgElement("line", { x1: 1, x2: 33, y1: 6, y2: 6, stroke: themed(colour, isDark(this.root)), "stroke-width": 3, "stroke-dasharray": STROKES[dash] }, svg);
  }

  show() {
    const { values, time } = this;
    Object.assign(this.root.dataset, { cursor: this.cursor, steps: this.last, training: values.live });
    for (const racer of values.racers) {
      const lane = this.lanes.get(racer.id), { times, frames } = racer.replay;
      const step = this.cursor && Math.max(0, times.findLastIndex((at) => at !== null && at <= time)); // at the start nothing is proposed yet
      if (lane.shown !== `${racer.id} ${step} ${frames.length} ${frames[step].title}`) lane.canvas.show(racer.replay, frames[step]);
      lane.shown = `${racer.id} ${step} ${frames.length} ${frames[step].title}`;
      lane.card.dataset.topology = (frames[step].topology ?? []).join("-");
      lane.card.dataset.step = step;
      lane.facts.textContent = this.facts(racer);
    }
    this.transport.show(this.where(), this.where());
    this.draw();
  }

  facts(racer) {
    const { time } = this, ended = racer.end !== null && time >= racer.end;
    const val = valueAt(racer.val, time), parameters = valueAt(racer.parameters, time), loss = valueAt(racer.loss, time);
    const parts = [val !== undefined && `validation ${rounded(val, 1)} %`, parameters && `${rounded(parameters)} parameters`,
      val === undefined && loss !== undefined && `training loss ${loss}`].filter(Boolean);
    const begun = racer.end !== null || racer.loss.length; // else its state says it all
    return [...parts, ended && racer.status].filter(Boolean).join(" · ") || (begun ? "at the start" : racer.problem);
  }

  where() {
    const { clock } = this.values;
    return clock === "epochs" ? `${rounded(this.time)} epochs` : `${rounded(this.time, 1)} seconds`;
  }

  draw() {
    if (!window.Plotly) return;
    const style = getComputedStyle(this.root), dark = isDark(this.root), rule = style.getPropertyValue("--rule").trim();
    const axis = { gridcolor: rule, linecolor: rule, zeroline: false, automargin: true };
    for (const [name, plot] of Object.entries(this.plots)) {
      const traces = this.values.racers.flatMap((racer, i) => this.curves(racer, name, i, dark));
      const shape = { type: "line", x0: this.time, x1: this.time, yref: "paper", y0: 0, y1: 1, line: { color: themed("#c47d00", dark), width: 1.5, dash: "dot" } };
      drawPlot(plot, traces, {
        font: { color: style.color, size: 12, family: style.fontFamily }, paper_bgcolor: "rgba(0,0,0,0)", plot_bgcolor: "rgba(0,0,0,0)",
        margin: { l: 46, r: 10, t: 8, b: 38 }, showlegend: false, hovermode: "closest", shapes: [shape],
        xaxis: { ...axis, title: { text: this.values.clock, standoff: 4 }, range: [0, (this.times.at(-1) || 1) * 1.02] }, yaxis: { ...axis, rangemode: name === "val" ? "normal" : "tozero" },
      }, `pgcn-race-${name}`);
    }
  }

  // A curve twice: faint in full, strong up to the cursor; what stays as it is until the next decision is a staircase.
  curves(racer, name, i, dark) {
    const { colour, dash, symbol } = STYLES[i % STYLES.length], staircase = name !== "loss";
    const line = { type: "scatter", mode: staircase ? "lines+markers" : "lines", name: racer.title, hovertemplate: `%{y}<extra>${i + 1}</extra>`,
      line: { color: themed(colour, dark), dash, width: 2, shape: staircase ? "hv" : "linear" }, marker: { size: 5, symbol } };
    const made = (points) => ({ x: points.map(([at]) => at), y: points.map(([, value]) => value) });
    const past = until(racer[name], this.time), lasts = staircase && past.length && racer.end !== null ? [[Math.min(this.time, this.times.at(-1)), past.at(-1)[1]]] : [];
    return [{ ...line, ...made(racer[name]), opacity: 0.22, hoverinfo: "skip" }, { ...line, ...made([...past, ...lasts]) }];
  }

  tabulate(racers) {
    const rows = racers.map(({ title, row, state }, i) => element("tr", {}, element("th", { scope: "row" }, `${i + 1}: ${title}`),
      ...(row.length ? row.map((text) => element("td", {}, text)) : [element("td", { colspan: HEAD.length - 1, class: "none" }, state)])));
    const state = JSON.stringify(racers.map(({ title, row, state: now }) => [title, row, now]));
    if (state === this.tabled) return;
    this.tabled = state;
    this.table.replaceChildren(element("table", {}, element("thead", {}, element("tr", {}, ...HEAD.map((name) => element("th", { scope: "col" }, name || "run (n = 1 each)")))),
      element("tbody", {}, ...rows)));
  }

  goTo(step) {
    this.transport.setPlaying(false);
    this.cursor = Math.max(0, Math.min(this.last, step));
    this.show();
  }

  toggle() {
    const { playing } = this.transport;
    if (!playing && this.cursor === this.last) { this.cursor = 0; this.show(); }
    this.transport.setPlaying(!playing);
  }

  dwell() { return DWELL; }

  advance() {
    if (this.cursor >= this.last) return void this.transport.setPlaying(false);
    this.cursor += 1;
    this.show();
    this.transport.schedule();
  }

  redraw() {
    this.values.racers.forEach((racer, i) => this.mark(this.lanes.get(racer.id).mark, i));
    this.draw();
  }

  destroy() {
    this.transport.stopClock();
    for (const { canvas } of this.lanes.values()) canvas.destroy();
  }
}
