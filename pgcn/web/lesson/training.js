// The readout in closed form, and fine-tuning.

import { element, svgElement as svg } from "../shared/dom.js";
import { SHAPES, chart, key, matrix, number, percent, place } from "./draw.js";
import { GraphView, details, sentenceOf } from "./graph.js";

const counts = (right) => Object.entries(right).map(([name, [good, all]]) => `${good} of ${all} ${name}`).join(", ");

export function readout(board, data) {
  const { graph, steps } = data;
  const left = element("div", { class: "half" }), right = element("div", { class: "half steps" });
  board.append(left, right);
  const facts = details();
  const view = new GraphView(left, graph, { width: 440, height: 380, label: "Predicted classes", onHover: hover });
  left.append(key([...graph.classes.map((name, c) => [c, `swatch class-${c}`, `predicted ${name}`]), ["cross", "wrong", "wrong"], [0, "swatch haloed", "labelled"]]), facts);
  let at = 0;

  function hover(i) {
    facts.replaceChildren();
    if (i === null) return void facts.append("Hover over a node to see its outputs, its row of HO.");
    facts.append(element("strong", {}, `Node ${i}`), `: ${sentenceOf(graph, i)}; row of H: ${data.hidden[i].map((v) => number(v, 3)).join(", ")}`,
      matrix([steps[at].outputs[i]], { columns: graph.classes, digits: 3, label: `outputs of node ${i}` }));
  }

  return {
    frames: steps.length, start: data.start, name: "lambda one", dwell: 500, label: (i) => `λ₁ = ${steps[i].lambda}`,
    draw(step) {
      at = step;
      const now = steps[step];
      now.predicted.forEach((c, i) => view.paint(i, { tone: c, wrong: c !== graph.class[i], ring: graph.split[i] === "labelled" }));
      right.replaceChildren();
      const neurons = ["n1", "n2", "n3"];
      const add = (name, values, options) => {
        const table = matrix(values, { rows: neurons, digits: 3, ...options });
        table.dataset.part = name;
        right.append(table);
      };
      add("gram", data.gram, { title: "HᵀH", columns: neurons });
      right.append(element("p", { class: "note" }, `+ I/λ₁ = ${number(now.ridge, 3)} on the diagonal (and c HᵀL̃H, too small to show) gives M:`));
      add("system", now.system, { title: "M", columns: neurons });
      add("right", data.right_side, { title: "H_LᵀT_L", columns: graph.classes });
      add("readout", now.readout, { title: "O = M⁻¹ H_LᵀT_L", columns: graph.classes, most: 2.5 });
      hover(null);
      return `Correct: ${counts(now.right)}. Size of O: ‖O‖ = ${number(now.size, 3)}; E = ${number(now.error, 3)}.`;
    },
  };
}

const CORNERS = [[200, 28], [30, 318], [370, 318]];
const at3 = (p) => [0, 1].map((axis) => CORNERS.reduce((sum, corner, c) => sum + p[c] * corner[axis], 0));

export function tuning(board, data) {
  const { graph, epochs } = data;
  const left = element("div", { class: "half" }), right = element("div", { class: "half" });
  board.append(left, right);
  const view = svg("svg", { viewBox: "0 0 400 350", class: "triangle", role: "img", "aria-label": "Class probabilities of all nodes" }, left);
  svg("path", { d: `M${CORNERS.map((c) => c.join(" ")).join("L")}Z`, class: "frame" }, view);
  // The decision boundaries: two classes are equally likely.
  for (const middle of [[0.5, 0.5, 0], [0, 0.5, 0.5], [0.5, 0, 0.5]])
    svg("path", { d: `M${at3([1 / 3, 1 / 3, 1 / 3]).join(" ")}L${at3(middle).join(" ")}`, class: "border" }, view);
  graph.classes.forEach((name, c) => {
    svg("text", { x: CORNERS[c][0], y: c ? 340 : 18, class: `corner class-${c}` }, view, `p(${name}) = 1`);
  });
  const marks = graph.class.map((c, i) => {
    const group = svg("g", { class: `mark class-${c} ${graph.split[i]}` }, view);
    if (graph.split[i] === "labelled") svg("path", { class: "ring", d: SHAPES[c](10) }, group);
    svg("path", { class: "body", d: SHAPES[c](6) }, group);
    svg("title", {}, group, `Node ${i}: ${sentenceOf(graph, i)}`);
    return group;
  });
  left.append(key([...graph.classes.map((name, c) => [c, `swatch class-${c}`, name]), [0, "swatch haloed", "labelled"]]));
  const top = Math.ceil(10 * Math.max(...data.labelled_loss, ...data.val_loss)) / 10;
  const c = chart(right, { width: 420, height: 380, xs: [0, epochs.at(-1)], ys: [0.5, top], xTitle: "epoch", yTitle: "cross-entropy",
    xTicks: [0, 25, 50, 75, 100], yTicks: [0.6, 0.8, 1, 1.2].filter((v) => v < top), format: (v) => v.toFixed(1) });
  const curves = [["labelled_loss", "labelled", 2], ["val_loss", "val", 0]].map(([name, style, shape]) => {
    c.line(`${style} faint`).setAttribute("d", c.path(epochs.map((e, i) => [e, data[name][i]])));
    return { name, line: c.line(style), dot: c.dot(style, shape) };
  });
  right.append(key([[2, "swatch labelled", "labelled nodes (minimised)"], [0, "swatch val", "validation nodes"]]));
  return {
    frames: epochs.length, name: "Epoch", dwell: 380, autoplay: true, label: (i) => `epoch ${epochs[i]}`,
    draw(at) {
      data.probabilities[at].forEach((p, i) => { const [x, y] = at3(p); marks[i].style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`; });
      for (const { name, line, dot } of curves) {
        line.setAttribute("d", c.path(epochs.slice(0, at + 1).map((e, i) => [e, data[name][i]])));
        place(dot, c.x(epochs[at]), c.y(data[name][at]));
      }
      const share = ([good, all]) => `${good} of ${all} (${percent(good / all)})`;
      const right_ = data.right[at];
      return `${at ? `After ${epochs[at]} epochs` : "After the solve"}: loss ${number(data.labelled_loss[at], 3)} on labelled nodes, ${number(data.val_loss[at], 3)} on validation nodes. ` +
        `Correct: ${share(right_.labelled)} labelled, ${share(right_.validation)} validation, ${share(right_.test)} test.`;
    },
  };
}
