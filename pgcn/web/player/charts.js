// The curves beside the canvas, drawn by Plotly: what lies after the cursor is faint.

import { drawPlot } from "./plot.js";

const PERCENT = (values) => values.map((value) => (value === null ? null : 100 * value));

function colours(root) {
  const style = getComputedStyle(root);
  const pick = (name) => style.getPropertyValue(name).trim();
  return {
    font: style.fontFamily, ink: style.color, paper: pick("--paper"), rule: pick("--rule"), kept: pick("--kept"), trial: pick("--trial"),
    lost: pick("--lost"), labelled: pick("--labelled"), quiet: "#8a94a0", gcn: pick("--gcn"),
  };
}

function frame(c, x, y) {
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
  type: "line", x0: x, x1: x, yref, y0: 0, y1: 1, line: { color: c.trial, width: 1.5, dash: "dot" },
});
const level = (c, y, yref) => ({
  type: "line", xref: "paper", x0: 0, x1: 1, yref, y0: y, y1: y, line: { color: c.gcn, width: 2, dash: "dash" },
});
const span = (judged) => [0.5, Math.max(judged.kept.length, 4) + 0.5];

// A curve twice: faint in full, strong up to the cursor; only what was kept is joined by a line.
function curve(judged, upTo, values, name, style, axes = {}) {
  const x = [], y = [];
  values.forEach((value, i) => {
    if (judged.kept[i]) {
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

function accuracy(film, judged, upTo, c) {
  const layout = frame(c, "block tried", "accuracy (%)");
  layout.xaxis = { ...layout.xaxis, range: span(judged), anchor: "y2" };
  layout.yaxis = { ...layout.yaxis, domain: [0.46, 1] };
  layout.yaxis2 = { ...layout.yaxis, domain: [0, 0.36], title: { text: "test (%)", standoff: 4 } };
  const test = { yaxis: "y2" };
  const lost = judged.kept.map((kept, i) => i).filter((i) => !judged.kept[i] && i < upTo);
  const traces = [
    ...curve(judged, upTo, PERCENT(judged.labelled), "training", { color: c.labelled, dash: "dot", symbol: "diamond" }),
    ...curve(judged, upTo, PERCENT(judged.val), "validation", { color: c.kept }),
    ...curve(judged, upTo, PERCENT(judged.test), "test, never decides", { color: c.quiet, dash: "dashdot", symbol: "square" }, test),
    { type: "scatter", mode: "markers", name: "rejected", x: lost.map((i) => i + 1), y: lost.map((i) => 100 * judged.val[i]),
      marker: { symbol: "x", color: c.lost, size: 7 } },
  ];
  layout.shapes = [cursorLine(c, upTo)];
  if (film.baseline) {
    const { val, test: onTest, test_sd: sd } = film.baseline;
    layout.shapes.push(level(c, 100 * val, "y"), level(c, 100 * onTest, "y2"), {
      type: "rect", xref: "paper", x0: 0, x1: 1, yref: "y2", y0: 100 * (onTest - sd), y1: 100 * (onTest + sd),
      fillcolor: c.gcn, opacity: 0.15, line: { width: 0 },
    });
  }
  const legend = [["dotted", c.labelled, "training"], ["solid", c.kept, "validation"], ["dashed", c.quiet, "test"],
    ["✕", c.lost, "rejected"], ...gcn(film, c)];
  return { title: "Accuracy by block", traces, layout, legend, note: film.notes.accuracy };
}

const gcn = (film, c) => (film.baseline ? [["dashed", c.gcn, "GCN-16 baseline"]] : []);

function loss(film, picture, c) {
  const tried = picture.tried;
  const block = film.blocks[tried];
  const where = block ? `layer ${block.layer}, block ${block.number}` : "the block";
  const layout = frame(c, "epoch", film.run.loss);
  layout.xaxis.range = [0, film.run.epochs];
  layout.xaxis.autorange = false;
  const traces = [];
  for (let back = Math.min(4, tried); back >= 0 && tried >= 0; back -= 1) {
    const [x, y] = film.losses[tried - back] ?? [[], []];
    const about = film.blocks[tried - back];
    traces.push({ type: "scatter", mode: "lines", x, y, name: about ? `layer ${about.layer}, block ${about.number}` : "",
      opacity: back ? 0.25 : 1, line: { color: back ? c.quiet : c.trial, width: back ? 1 : 2 } });
  }
  const legend = [["solid", c.trial, where], ["solid", c.quiet, "blocks before it"]];
  return { title: "Training loss in the block", traces, layout, legend, note: "Each block starts afresh from the accepted weights." };
}

function parameters(film, judged, upTo, c) {
  const layout = frame(c, "block tried", "parameters");
  layout.xaxis.range = span(judged);
  const most = Math.max(...judged.parameters, film.baseline?.parameters ?? 0, 1);
  layout.yaxis.range = [0, most * 1.12];
  const x = judged.parameters.map((_, i) => i + 1);
  const line = { type: "scatter", mode: "lines+markers", line: { color: c.kept, shape: "hv" }, marker: { size: 4 } };
  const traces = [
    { ...line, x, y: judged.parameters, opacity: 0.22, showlegend: false, hoverinfo: "skip" },
    { ...line, x: x.slice(0, upTo), y: judged.parameters.slice(0, upTo), name: "PGCN" },
  ];
  layout.shapes = [cursorLine(c, upTo)];
  if (film.baseline) layout.shapes.push(level(c, film.baseline.parameters, "y"));
  const legend = [["solid", c.kept, "PGCN"], ...gcn(film, c)];
  return { title: "Parameters by block", traces, layout, legend, note: film.notes.parameters };
}

function error(judged, upTo, c) {
  const layout = frame(c, "block tried", "E (log scale)");
  layout.xaxis.range = span(judged);
  layout.yaxis.type = "log";
  const shown = [...judged.error_solved, ...judged.error_tuned].filter((value) => value > 0);
  if (Math.max(...shown) > 30 * Math.min(...shown)) layout.yaxis.dtick = 1; // else no power of ten may be in sight
  layout.yaxis.minor = { ticks: "inside", ticklen: 3 };
  layout.yaxis.exponentformat = "power";
  const rises = judged.rises.filter((i) => i < upTo);
  const traces = [
    ...curve(judged, upTo, judged.error_solved, "after the solve", { color: c.trial, dash: "dot", symbol: "circle-open" }),
    ...curve(judged, upTo, judged.error_tuned, "after fine-tuning", { color: c.kept }),
    { type: "scatter", mode: "markers", name: "rose", x: rises.map((i) => i + 1), y: rises.map((i) => judged.error_tuned[i]),
      marker: { symbol: "triangle-up", size: 11, color: c.lost } },
  ];
  layout.shapes = [cursorLine(c, upTo)];
  const legend = [["dotted", c.trial, "after the solve"], ["solid", c.kept, "after fine-tuning"], ["▲", c.lost, "rose"]];
  return { title: "Error E by block", traces, layout, legend, note: errorNote(judged, upTo) };
}

function errorNote(judged, upTo) {
  const kept = judged.kept.slice(0, upTo).filter(Boolean).length;
  const rises = judged.rises.filter((i) => i < upTo).length;
  const count = kept < 2 ? "" : ` Here it rose at ${rises} of ${kept - 1} kept blocks after the first.`;
  return `The paper's proof claims that E never rises.${count}`;
}

function legendEntry(line, colour, text) {
  const mark = document.createElement("i");
  mark.style.color = colour;
  if (line.length > 1) mark.style.borderTop = `2px ${line} ${colour}`;
  else mark.textContent = line;
  const entry = document.createElement("span");
  entry.append(mark, text);
  return entry;
}

export class Charts {
  constructor(holder, moveTo) {
    this.root = holder.closest(".pgcn");
    this.parts = ["accuracy", "loss", "parameters", "error"].map((name) => {
      const card = document.createElement("div");
      card.className = `chart ${name}`;
      const plot = document.createElement("div");
      plot.className = "plot";
      const [title, legend, note] = ["h5", "div", "p"].map((kind) => document.createElement(kind));
      legend.className = "legend";
      card.append(title, legend, plot, note);
      holder.append(card);
      return { name, title, legend, plot, note };
    });
    this.moveTo = moveTo;
  }

  destroy() {
    for (const { plot } of this.parts) if (plot.data) window.Plotly.purge(plot);
  }

  // Drawn only where something to be seen has changed, or all anew.
  show(film, picture, anew = false) {
    this.last = [film, picture];
    const trained = film.losses[picture.tried]?.[0].length ?? 0;
    const state = [film.id, film.pictures.indexOf(picture), film.judged.kept.length, trained, Boolean(film.baseline)].join();
    if (!window.Plotly || this.waiting || (state === this.state && !anew)) return;
    this.state = state;
    this.waiting = requestAnimationFrame(() => {
      this.waiting = null;
      if (this.root.isConnected) this.draw(...this.last);
    });
  }

  draw(film, picture) {
    const c = colours(this.root), judged = film.judged, upTo = picture.judged;
    const figures = {
      accuracy: accuracy(film, judged, upTo, c),
      loss: loss(film, picture, c),
      parameters: parameters(film, judged, upTo, c),
      error: error(judged, upTo, c),
    };
    for (const { name, title, legend, plot, note } of this.parts) {
      const { traces, layout, ...words } = figures[name];
      title.textContent = words.title;
      legend.replaceChildren(...words.legend.map((entry) => legendEntry(...entry)));
      note.textContent = words.note;
      const first = !plot.data;
      drawPlot(plot, traces, { ...layout, uirevision: film.id }, `pgcn-${name}`, {
        displayModeBar: "hover",
        modeBarButtonsToRemove: ["select2d", "lasso2d", "autoScale2d", "zoomIn2d", "zoomOut2d", "pan2d"],
      });
      if (first && name !== "loss") plot.on("plotly_click", ({ points }) => this.moveTo(Math.round(points[0].x)));
    }
  }
}
