// The charts below the network, drawn by Plotly: what comes after the cursor is faint. The training loss of the block
// and the error E are for experts: they are drawn when asked for.

import { drawPlot } from "../shared/plot.js";
import { element } from "../shared/dom.js";
import { isDark, themed } from "../shared/palette.js";
import { logTicks, tickText } from "./ticks.js";

const TITLES = { accuracy: "Accuracy by block", parameters: "Parameters by block", loss: "Training loss of the block", error: "Error E by block" };
const EXPERT = ["loss", "error"];
const PERCENT = (values) => values.map((value) => 100 * value);

function colours(root) {
  const style = getComputedStyle(root);
  const pick = (name) => style.getPropertyValue(name).trim();
  const series = { candidate: pick("--candidate"), rejected: pick("--rejected"), labelled: pick("--labelled"), quiet: "#8a94a0", gcn: pick("--gcn") };
  return {
    font: style.fontFamily, ink: style.color, paper: pick("--paper"), rule: pick("--rule"), accepted: pick("--accepted"),
    ...themed(series, isDark(root)),
  };
}

function baseLayout(c, x, y) {
  const axis = { gridcolor: c.rule, zeroline: false, linecolor: c.rule, fixedrange: false, automargin: true };
  return {
    font: { color: c.ink, size: 12, family: c.font },
    paper_bgcolor: "rgba(0,0,0,0)", plot_bgcolor: "rgba(0,0,0,0)",
    margin: { l: 46, r: 10, t: 8, b: 38 },
    xaxis: { ...axis, title: { text: x, standoff: 4 } },
    yaxis: { ...axis, title: { text: y, standoff: 4 } },
    hovermode: "closest", showlegend: false, dragmode: "zoom",
    hoverlabel: { bgcolor: c.paper, font: { color: c.ink } },
    shapes: [],
  };
}

const cursorLine = (c, x, yref = "paper") => ({
  type: "line", x0: x, x1: x, yref, y0: 0, y1: 1, line: { color: c.candidate, width: 1.5, dash: "dot" },
});
const level = (c, y, yref) => ({
  type: "line", xref: "paper", x0: 0, x1: 1, yref, y0: y, y1: y, line: { color: c.gcn, width: 2, dash: "dash" },
});
const span = (judged) => [0.5, Math.max(judged.accepted.length, 4) + 0.5];

// A curve twice: faint in full, strong up to the cursor; only accepted blocks are joined.
function curve(judged, upTo, values, name, style, axes = {}) {
  const x = [], y = [];
  values.forEach((value, i) => {
    if (judged.accepted[i]) {
      x.push(i + 1);
      y.push(value);
    }
  });
  const past = x.filter((at) => at <= upTo).length;
  const line = { type: "scatter", mode: "lines+markers", line: style, marker: { size: 5, symbol: style.symbol ?? "circle" }, ...axes };
  return [
    { ...line, x, y, opacity: 0.22, showlegend: false, hoverinfo: "skip" },
    { ...line, x: x.slice(0, past), y: y.slice(0, past), name },
  ];
}

function accuracy(replay, judged, upTo, c) {
  const layout = baseLayout(c, "block tried", "accuracy (%)");
  const tested = judged.test.every((value) => value !== null); // null where there are no test nodes
  const gcn = replay.baseline && (tested && replay.baseline.test !== null
    ? [replay.baseline.test, replay.baseline.test_sd] : [replay.baseline.val, replay.baseline.val_sd]);
  const shown = [...judged.labelled, ...judged.val, ...(tested ? judged.test : []), ...(gcn ? [gcn[0] - gcn[1], gcn[0] + gcn[1]] : [])];
  layout.xaxis.range = span(judged);
  if (shown.length) layout.yaxis.range = [Math.max(0, 100 * Math.min(...shown) - 3), Math.min(101.5, 100 * Math.max(...shown) + 3)];
  const rejected = [...judged.accepted.keys()].filter((i) => !judged.accepted[i] && i < upTo);
  const traces = [
    ...curve(judged, upTo, PERCENT(judged.labelled), "training", { color: c.labelled, dash: "dot", symbol: "diamond" }),
    ...curve(judged, upTo, PERCENT(judged.val), "validation", { color: c.accepted }),
    ...(tested ? curve(judged, upTo, PERCENT(judged.test), "test (never decides)", { color: c.quiet, dash: "dashdot", symbol: "square" }) : []),
    { type: "scatter", mode: "markers", name: "rejected", x: rejected.map((i) => i + 1), y: rejected.map((i) => 100 * judged.val[i]),
      marker: { symbol: "x", color: c.rejected, size: 7 } },
  ];
  layout.shapes = [cursorLine(c, upTo)];
  if (gcn) {
    layout.shapes.push(level(c, 100 * gcn[0], "y"), {
      type: "rect", xref: "paper", x0: 0, x1: 1, y0: 100 * (gcn[0] - gcn[1]), y1: 100 * (gcn[0] + gcn[1]),
      fillcolor: c.gcn, opacity: 0.15, line: { width: 0 },
    });
  }
  const legend = [["dotted", c.labelled, "training"], ["solid", c.accepted, "validation"],
    ...(tested ? [["dashed", c.quiet, "test"]] : []), ["✕", c.rejected, "rejected"],
    ...(gcn ? [["dashed", c.gcn, `GCN baseline, ${tested ? "test" : "validation"}`]] : [])];
  return { traces, layout, legend, note: replay.notes.accuracy };
}

function loss(replay, frame, c) {
  const tried = frame.tried;
  const block = replay.blocks[tried];
  const where = block ? `layer ${block.layer}, block ${block.number}` : "the block";
  const layout = baseLayout(c, "epoch", replay.run.loss);
  layout.xaxis.range = [0, replay.run.epochs];
  layout.xaxis.autorange = false;
  const traces = [];
  for (let back = Math.min(4, tried); back >= 0 && tried >= 0; back -= 1) {
    const [x, y] = replay.losses[tried - back] ?? [[], []];
    const about = replay.blocks[tried - back];
    traces.push({ type: "scatter", mode: "lines", x, y, name: about ? `layer ${about.layer}, block ${about.number}` : "",
      opacity: back ? 0.25 : 1, line: { color: back ? c.quiet : c.candidate, width: back ? 1 : 2 } });
  }
  const legend = [["solid", c.candidate, where], ["solid", c.quiet, "previous blocks"]];
  return { traces, layout, legend, note: "Each block starts from the accepted weights." };
}

function parameters(replay, judged, upTo, c) {
  const layout = baseLayout(c, "block tried", "parameters");
  layout.xaxis.range = span(judged);
  const most = Math.max(...judged.parameters, replay.baseline?.parameters ?? 0, 1);
  layout.yaxis.range = [0, most * 1.12];
  const x = judged.parameters.map((_, i) => i + 1);
  const line = { type: "scatter", mode: "lines+markers", line: { color: c.accepted, shape: "hv" }, marker: { size: 4 } };
  const traces = [
    { ...line, x, y: judged.parameters, opacity: 0.22, showlegend: false, hoverinfo: "skip" },
    { ...line, x: x.slice(0, upTo), y: judged.parameters.slice(0, upTo), name: "PGCN" },
  ];
  layout.shapes = [cursorLine(c, upTo)];
  if (replay.baseline) layout.shapes.push(level(c, replay.baseline.parameters, "y"));
  const legend = [["solid", c.accepted, "PGCN"], ...(replay.baseline ? [["dashed", c.gcn, "GCN baseline"]] : [])];
  return { traces, layout, legend, note: replay.notes.parameters };
}

function error(judged, upTo, c) {
  const layout = baseLayout(c, "block tried", "E (log scale)");
  layout.xaxis.range = span(judged);
  layout.yaxis.type = "log";
  const shown = [...judged.error_solved, ...judged.error_tuned].filter((value) => value > 0);
  if (shown.length) {
    const ticks = logTicks(Math.min(...shown), Math.max(...shown));
    const [low, high] = [ticks[0], ticks.at(-1)].map(Math.log10), pad = 0.04 * (high - low);
    Object.assign(layout.yaxis, { tickvals: ticks, ticktext: ticks.map(tickText), range: [low - pad, high + pad] });
  }
  const rises = judged.rises.filter((i) => i < upTo);
  const traces = [
    ...curve(judged, upTo, judged.error_solved, "after the solve", { color: c.candidate, dash: "dot", symbol: "circle-open" }),
    ...curve(judged, upTo, judged.error_tuned, "after fine-tuning", { color: c.accepted }),
    { type: "scatter", mode: "markers", name: "rose", x: rises.map((i) => i + 1), y: rises.map((i) => judged.error_tuned[i]),
      marker: { symbol: "triangle-up", size: 11, color: c.rejected } },
  ];
  layout.shapes = [cursorLine(c, upTo)];
  const legend = [["dotted", c.candidate, "after the solve"], ["solid", c.accepted, "after fine-tuning"], ["▲", c.rejected, "rose"]];
  return { traces, layout, legend, note: errorNote(judged, upTo) };
}

function errorNote(judged, upTo) {
  const accepted = judged.accepted.slice(0, upTo).filter(Boolean).length;
  const rises = judged.rises.filter((i) => i < upTo).length;
  const count = accepted < 2 ? "" : ` Here it rose with ${rises} of ${accepted - 1} accepted blocks after the first.`;
  return `The paper's proof claims that E never rises.${count}`;
}

function legendEntry(line, colour, text) {
  const mark = element("i");
  mark.style.color = colour;
  if (line.length > 1) mark.style.borderTop = `2px ${line} ${colour}`;
  else mark.textContent = line;
  return element("span", {}, mark, text);
}

export class Charts {
  constructor(holder, moveTo) {
    this.root = holder.closest(".pgcn");
    this.expert = false;
    this.parts = Object.entries(TITLES).map(([name, text]) => {
      const title = element("h3", {}, text), legend = element("div", { class: "legend" }), plot = element("div", { class: "plot" }), note = element("p");
      const card = element("div", { class: `chart ${name}` }, title, legend, plot, note);
      card.hidden = EXPERT.includes(name);
      holder.append(card);
      return { name, card, legend, plot, note };
    });
    this.moveTo = moveTo;
  }

  destroy() {
    for (const { plot } of this.parts) if (plot.data) window.Plotly.purge(plot);
  }

  setExpert(expert) {
    this.expert = expert;
    for (const { name, card } of this.parts) card.hidden = EXPERT.includes(name) && !expert;
    this.show(...this.last, true);
  }

  // Draws only if something visible has changed, unless forced.
  show(replay, frame, force = false) {
    this.last = [replay, frame];
    const trained = this.expert ? (replay.losses[frame.tried]?.[0].length ?? 0) : 0;
    const state = [replay.id, replay.frames.indexOf(frame), replay.judged.accepted.length, trained, Boolean(replay.baseline)].join();
    if (!window.Plotly || this.waiting || (state === this.state && !force)) return;
    this.state = state;
    this.waiting = requestAnimationFrame(() => {
      this.waiting = null;
      if (this.root.isConnected) this.draw(...this.last);
    });
  }

  draw(replay, frame) {
    const c = colours(this.root), judged = replay.judged, upTo = frame.judged;
    const figures = {
      accuracy: () => accuracy(replay, judged, upTo, c),
      loss: () => loss(replay, frame, c),
      parameters: () => parameters(replay, judged, upTo, c),
      error: () => error(judged, upTo, c),
    };
    for (const { name, card, legend, plot, note } of this.parts) {
      if (card.hidden) continue;
      const { traces, layout, ...words } = figures[name]();
      legend.replaceChildren(...words.legend.map((entry) => legendEntry(...entry)));
      note.textContent = words.note;
      const first = !plot.data;
      drawPlot(plot, traces, { ...layout, uirevision: replay.id }, `pgcn-${name}`);
      if (first && name !== "loss") plot.on("plotly_click", ({ points }) => this.moveTo(Math.round(points[0].x)));
    }
  }
}
