// Blocks, the test they must pass, layers, and the error of the appendix.

import { element, svgElement as svg } from "../shared/dom.js";
import { chart, key, matrix, narrow, number, percent, place } from "./draw.js";

const STAGES = {
  trained: "block 1, trained", added: "new columns", tuned: "fine-tuned", accepted: "accepted", rejected: "rejected",
};

export function block(board, data) {
  const { frames, width } = data;
  const most = 2;
  return {
    frames: frames.length, name: "Stage", dwell: 2400, autoplay: true,
    label: (i) => (i ? `block ${frames[i].blocks}: ${STAGES[frames[i].stage]}` : STAGES.trained),
    draw(at) {
      const now = frames[at], columns = now.weight[0].map((_, j) => `n${j + 1}`);
      const fresh = now.stage === "added" || now.stage === "tuned" ? (now.blocks - 1) * width : Infinity;
      const mark = (box, _, j) => {
        box.classList.toggle("fresh", j >= fresh);
        box.classList.toggle("first", j % width === 0 && j > 0);
        box.classList.toggle("same", now.stage === "added" && j < fresh);
      };
      const markReadout = (box, _, j) => {
        box.classList.toggle("fresh", now.stage === "added" || j >= fresh); // solved as a whole
        box.classList.toggle("first", j % width === 0 && j > 0);
      };
      const turned = data.classes.map((_, c) => now.readout.map((row) => row[c]));
      board.replaceChildren();
      const weight = matrix(now.weight, { title: "W: a column for each neuron, a row for each word", rows: now.weight.map((_, i) => `w${i}`), columns, most, cell: mark });
      const out = matrix(turned, { title: "Oᵀ: the weight of each neuron for each class", rows: data.classes, columns, most, cell: markReadout });
      weight.dataset.part = "weight";
      out.dataset.part = "readout";
      const boxes = element("div", { class: "key" }, element("span", { class: "box fresh" }, "new"), element("span", { class: "box same" }, "unchanged"));
      board.append(weight, out, boxes);
      return {
        trained: "The first block after fine-tuning: W is 8 × 3, O is 3 × 3.",
        added: `Block ${now.blocks} is a candidate: ${width} new random columns in W. The old columns keep their values (largest change ${number(now.moved, 1)}); all of O is solved again.`,
        tuned: `All weights are fine-tuned together: the largest change of an old weight is ${number(now.moved, 2)}.`,
        accepted: `${now.reason} The next block starts from its weights.`,
        rejected: `${now.reason} W and O are restored to those of ${now.blocks - 1} blocks.`,
      }[now.stage];
    },
  };
}

const status = (step) => (step.accepted ? "accepted" : "rejected");
const wide = () => (narrow() ? 400 : 640);

// Layers as columns of blocks, from the features to the classes.
function tower(view, layers, { features, classes, current = null, width = wide(), height = 210 }) {
  view.replaceChildren();
  const count = Math.max(4, layers.length), gap = (width - 170) / count, middle = height / 2;
  const end = (x, name, text) => {
    svg("rect", { x: x - 30, y: middle - 40, width: 60, height: 80, class: "end-box" }, view);
    svg("text", { x, y: middle - 4, class: "title strong" }, view, text);
    svg("text", { x, y: middle + 14, class: "title" }, view, name);
  };
  const spots = layers.map((blocks, l) => {
    const step = Math.min(34, (height - 40) / blocks.length);
    return blocks.map((status, b) => ({ status, x: 85 + gap * (l + 0.5), y: middle - 8 + (b - (blocks.length - 1) / 2) * step, high: step - 6 }));
  });
  // Rejected blocks have no connections.
  const accepted = spots.map((column) => column.filter(({ status }) => status === "accepted")).filter((column) => column.length);
  const stations = [[{ x: 46, y: middle }], ...accepted, [{ x: width - 46, y: middle }]];
  stations.slice(1).forEach((column, l) => {
    for (const to of column)
      for (const from of stations[l]) svg("path", { d: `M${from.x + 24} ${from.y}L${to.x - 24} ${to.y}`, class: "bundle" }, view);
  });
  end(40, "words", features);
  end(width - 40, "classes", classes);
  spots.forEach((column, l) => {
    svg("text", { x: column[0].x, y: height - 4, class: "title" }, view, `layer ${l + 1}`);
    column.forEach(({ status, x, y, high }, b) => {
      const group = svg("g", { class: `unit ${status}${current && current[0] === l + 1 && current[1] === b + 1 ? " now" : ""}` }, view);
      place(group, x, y);
      svg("rect", { x: -24, y: -high / 2, width: 48, height: high, rx: 4 }, group);
      if (status === "rejected") svg("path", { d: "M-7 -5L7 5M7 -5L-7 5", class: "wrong" }, group);
      else if (high > 10) [-12, 0, 12].forEach((cx) => svg("circle", { cx, cy: 0, r: 3.5 }, group));
    });
  });
}

const blockKey = () => {
  const box = element("div", { class: "key" });
  box.append(element("span", { class: "box accepted" }, "accepted"), element("span", { class: "box rejected" }, "✕ rejected"));
  return box;
};

const threshold = (run) => String(run.epsilon).replace("-", "−");

export function test(board, data) {
  const { runs } = data, bars = element("div", { class: "bars" });
  const view = svg("svg", { viewBox: `0 0 ${wide()} 210`, class: "tower", role: "img", "aria-label": "The network grown with this threshold" });
  board.append(bars, view, blockKey());
  return {
    frames: runs.length, start: data.start, name: "epsilon b", dwell: 1500, label: (i) => `ε_b = ${threshold(runs[i])}`,
    draw(at) {
      const run = runs[at], shown = run.steps.slice(0, 26), more = run.steps.length - shown.length;
      bars.replaceChildren();
      const low = -0.4, high = 0.6, clip = (v) => Math.max(low, Math.min(high, v));
      const c = chart(bars, { width: wide(), height: 230, xs: [0.4, Math.max(10, shown.length) + 0.6], ys: [low, high], xTitle: "", yTitle: "improvement rate r",
        xTicks: [], yTicks: [-0.4, -0.2, 0, 0.2, 0.4, 0.6], format: (v) => v.toFixed(1), label: "Improvement rates of the blocks tried" });
      const thick = Math.min(30, (0.7 * (c.right - c.left)) / Math.max(10, shown.length));
      shown.forEach((step, i) => {
        const x = c.x(i + 1), first = step.block === 1;
        if (first && i) svg("path", { d: `M${c.x(i + 0.5)} 12V${c.bottom}`, class: "grid strong" }, c.view);
        const rate = step.rate ?? 0, y0 = c.y(0), y = c.y(clip(rate));
        const bar = svg("rect", { x: x - thick / 2, y: Math.min(y, y0) - 1, width: thick, height: Math.abs(y - y0) + 2, class: `bar ${first ? "free" : status(step)}` }, c.view);
        svg("title", {}, bar, step.reason);
        if (shown.length < 16) svg("text", { x, y: c.bottom + 15, class: "tick" }, c.view, `${step.layer}.${step.block}`);
        svg("text", { x, y: c.bottom + 31, class: `tick ${status(step)}` }, c.view, step.accepted ? (first ? "free" : "✓") : "✕");
      });
      const y = c.y(clip(run.epsilon));
      svg("path", { d: `M${c.left} ${y}H${c.right}`, class: "threshold" }, c.view);
      svg("text", { x: c.right - 4, y: y - 5, class: "tick end strong" }, c.view, `ε = ${threshold(run)}`);
      const layers = [];
      for (const step of run.steps) {
        if (step.block === 1) layers.push([]);
        layers.at(-1).push(status(step));
      }
      layers.forEach((blocks, l) => { if (l >= run.topology.length) layers[l] = blocks.map(() => "rejected"); });
      tower(view, layers, { features: 8, classes: 3 });
      return `A run with ε_b = ${threshold(run)}: ${run.steps.length} blocks tried${more > 0 ? ` (the first ${shown.length} are drawn)` : ""}, the final network is ${run.topology.join(" → ")} ` +
        `with ${run.parameters} weights; accuracy ${percent(run.val)} on the ${data.validation} validation nodes, ${percent(run.test)} on the test nodes. ${run.reason}`;
    },
  };
}

export function layers(board, data) {
  const { frames } = data;
  const view = svg("svg", { viewBox: `0 0 ${wide()} 210`, class: "tower", role: "img", "aria-label": "The network as it grows" }, board);
  board.append(blockKey());
  const c = chart(board, { width: wide(), height: 220, xs: [1, frames.length], ys: [0.3, 1.02], xTitle: "decision", yTitle: "accuracy",
    xTicks: frames.map((_, i) => i + 1), yTicks: [0.4, 0.6, 0.8, 1], format: percent });
  const curves = [["val", 0], ["test", 1]].map(([name, shape]) => {
    c.line(`${name} faint`).setAttribute("d", c.path(frames.map((frame, i) => [i + 1, frame[name]])));
    return { name, line: c.line(name), dot: c.dot(name, shape) };
  });
  const crosses = frames.map((frame, i) => {
    const cross = svg("path", { d: "M-5 -5L5 5M5 -5L-5 5", class: "wrong" }, c.view);
    place(cross, c.x(i + 1), c.y(frame.val));
    return cross;
  });
  board.append(key([[0, "swatch val", "validation (decides)"], [1, "swatch test", "test (never decides)"], ["cross", "wrong", "rejected"]]));
  const names = { accepted: "block accepted", rejected: "block rejected", end: "run finished" };
  return {
    frames: frames.length, name: "Decision", dwell: 1500, autoplay: true,
    label: (i) => `${i + 1}: ${names[frames[i].kind] ?? frames[i].kind}`,
    draw(at) {
      const now = frames[at];
      tower(view, now.layers, { features: data.features, classes: data.classes, current: now.block ? [now.layer, now.block] : null });
      for (const { name, line, dot } of curves) {
        line.setAttribute("d", c.path(frames.slice(0, at + 1).map((frame, i) => [i + 1, frame[name]])));
        place(dot, c.x(at + 1), c.y(now[name]));
      }
      crosses.forEach((cross, i) => { cross.style.visibility = i <= at && frames[i].kind.endsWith("rejected") ? "visible" : "hidden"; });
      const where = now.layer ? (now.block ? `Layer ${now.layer}, block ${now.block}. ` : `Layer ${now.layer}. `) : "";
      return `${where}${now.sentence} Network: 8 → ${now.topology.join(" → ")} → 3, ${now.parameters} weights.`;
    },
  };
}

export function convergence(board, data) {
  const most = Math.max(...data.runs.map((run) => run.steps.length));
  const grid = element("div", { class: "triple" });
  board.append(grid);
  const panels = data.runs.map((run) => {
    const side = element("figure", { class: "side" }, element("figcaption", {}, run.name));
    grid.append(side);
    const c = chart(side, { width: 330, height: narrow() ? 250 : 430, xs: [0.5, most + 0.8], ys: [0.05, 1000], log: true, xTitle: "block tried (layer.block)", yTitle: "E",
      xTicks: [], yTicks: [0.1, 1, 10, 100, 1000] });
    run.steps.forEach((step, i) => {
      if (step.block === 1 && i) svg("path", { d: `M${c.x(i + 0.75)} 12V${c.bottom}`, class: "grid strong" }, c.view);
      svg("text", { x: c.x(i + 1.2), y: c.bottom + 15, class: `tick ${status(step)}` }, c.view, `${step.layer}.${step.block}${step.accepted ? "" : "✕"}`);
    });
    const marks = element("p", { class: "verdict" });
    side.append(marks);
    return { run, c, layer: svg("g", {}, c.view), marks };
  });
  board.append(key([[0, "swatch val", "after the solve"], [1, "swatch candidate", "after fine-tuning"], [1, "swatch rejected", "rejected block"]]));
  return {
    frames: most, name: "Block", dwell: 1100, autoplay: true, label: (i) => `block ${i + 1} of ${most}`,
    draw(at) {
      for (const { run, c, layer, marks } of panels) {
        layer.replaceChildren();
        let before = null;
        run.steps.slice(0, at + 1).forEach((step, i) => {
          const solved = [c.x(i + 1), c.y(step.solved)], tuned = [c.x(i + 1.4), c.y(step.tuned)];
          if (before && step.block > 1) svg("path", { d: `M${before.join(" ")}L${solved.join(" ")}`, class: `jump ${status(step)}` }, layer);
          svg("path", { d: `M${solved.join(" ")}L${tuned.join(" ")}`, class: `jump ${step.tuned > step.solved ? "rise" : "fall"} ${status(step)}` }, layer);
          place(svg("circle", { r: 4.5, class: `dot val ${status(step)}` }, layer), ...solved);
          place(svg("rect", { x: -4, y: -4, width: 8, height: 8, class: `dot candidate ${status(step)}` }, layer), ...tuned);
          if (step.accepted) before = tuned;
        });
        marks.textContent = `Of ${run.later} accepted blocks after the first of their layer: the solve lowered E in ${run.solve_lowered}, fine-tuning in ${run.tuning_lowered}, both together in ${run.fell}.`;
      }
      const now = data.runs[0].steps[at];
      return now
        ? `On this tour, block ${now.layer}.${now.block}: E is ${number(now.solved, 2)} after the solve and ${number(now.tuned, 2)} after fine-tuning with cross-entropy.`
        : "The tour's run is finished; the others continue.";
    },
  };
}
