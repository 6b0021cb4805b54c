// The graph, its normalised adjacency, and a graph convolution.

import { element } from "../shared/dom.js";
import { chart, key, matrix, narrow, number, place } from "./draw.js";
import { GraphView, details, sentenceOf } from "./graph.js";

const words = (row) => matrix([row], { columns: row.map((_, j) => `w${j}`), most: 0.5, label: "words" });
const classKey = (graph) => graph.classes.map((name, c) => [c, `swatch class-${c}`, name]);

export function graph(board, data) {
  const { graph: drawn } = data;
  const view = new GraphView(board, drawn, { width: narrow() ? 400 : 760, height: 400, onHover: hover });
  const facts = details();
  board.append(key([...classKey(drawn), [0, "swatch plain", "class hidden"], [0, "swatch haloed", "labelled"]]), facts);
  let at = 0;

  function hover(i) {
    view.highlight(i);
    facts.replaceChildren();
    if (i === null) facts.append("Hover over a node, or use Tab and the arrow keys, to see its words and neighbours.");
    else {
      const known = at >= 4 || (at >= 2 && drawn.split[i] === "labelled");
      const who = known ? sentenceOf(drawn, i) : at >= 3 ? `${drawn.split[i]} node, class hidden` : "class hidden";
      facts.append(element("strong", {}, `Node ${i}`), `: ${who}; neighbours ${view.neighbours(i).join(", ")}`, words(data.features[i]));
    }
  }

  const stages = [
    ["the nodes", `${data.nodes} nodes. Each is a short text; its row of X says which of 8 words it contains.`],
    ["the edges", `${data.edges} edges connect nodes that refer to each other, mostly nodes of the same class.`],
    ["the labels", `${data.labelled} nodes are labelled, two of each class. Only these are used for training.`],
    ["the split", `${data.validation} validation nodes (dashed) decide which blocks are accepted; ${data.test} test nodes only measure. Training never sees their classes.`],
    ["the classes", "What the network should predict: the class of every node."],
  ];
  return {
    frames: stages.length, name: "Step", label: (i) => stages[i][0], dwell: 2200, autoplay: true,
    draw(stage) {
      at = stage;
      view.showEdges(stage >= 1);
      drawn.class.forEach((c, i) => {
        const labelled = drawn.split[i] === "labelled";
        view.paint(i, { tone: stage >= 4 || (stage >= 2 && labelled) ? c : null, ring: stage >= 2 && labelled });
        view.nodes[i].body.classList.toggle("dashed", stage === 3 && drawn.split[i] === "validation");
      });
      hover(null);
      return stages[stage][1];
    },
  };
}

export function normalise(board, data) {
  const frames = data.sums.length, facts = details();
  const pair = element("div", { class: "pair" });
  const sides = [["sums", "(A + I)ᵏ · 1   unnormalised"], ["means", "Âᵏ · 1   normalised"]].map(([name, title]) => {
    const side = element("figure", { class: `side ${name}` }, element("figcaption", {}, title));
    pair.append(side);
    return { name, view: new GraphView(side, data.graph, { width: narrow() ? 250 : 400, height: 270, onHover: hover, label: title }), values: data[name] };
  });
  board.append(pair);
  const lower = element("div", { class: "lower" });
  const most = data.sums.map((row) => Math.max(...row)), means = data.means.map((row) => Math.max(...row));
  const c = chart(lower, { width: 430, height: 190, xs: [0, frames - 1], ys: [0.5, 1e5], log: true, xTitle: "propagation steps, k", yTitle: "largest value",
    xTicks: [...most.keys()], yTicks: [1, 10, 100, 1e3, 1e4, 1e5], format: (v) => v.toLocaleString("en") });
  const lines = [[most, "sums", 1], [means, "means", 0]].map(([values, name, shape]) => ({ values, line: c.line(name), dot: c.dot(name, shape) }));
  lower.append(facts);
  board.append(lower);
  let k = 0;

  function hover(i) {
    for (const { view } of sides) view.highlight(i);
    facts.replaceChildren();
    if (i === null) return void facts.append("Hover over a node to see its row of Â.");
    const row = data.rows[i], cells = row.map(([, value]) => value);
    facts.append(element("strong", {}, `Node ${i}`), `: ${data.degree[i] - 1} neighbours, d̃ = ${data.degree[i]}. After ${k} steps ${number(data.sums[k][i], 0)} with A + I, ${number(data.means[k][i], 3)} with Â. Its row of Â, 1/√(d̃ᵢ d̃ⱼ):`,
      matrix([cells], { columns: row.map(([j]) => String(j)), digits: 3, most: 1, label: `row ${i} of Â` }));
  }

  return {
    frames, name: "Propagation steps", label: (i) => `k = ${i}`, dwell: 1300, autoplay: true,
    draw(at) {
      k = at;
      for (const { view, values, name } of sides)
        values[at].forEach((value, i) => view.paint(i, { tone: name === "sums" ? 1 : 0, shape: 0, size: Math.min(4.5, 0.5 * Math.sqrt(value)), strength: Math.min(0.8, 0.3 + value / 20) }));
      for (const { values, line, dot } of lines) {
        line.setAttribute("d", c.path(values.slice(0, at + 1).map((value, i) => [i, value])));
        place(dot, c.x(at), c.y(values[at]));
      }
      hover(null);
      return `After ${at} step${at === 1 ? "" : "s"} the largest value is ${number(most[at], 0)} with A + I and ${number(means[at], 2)} with Â. ` +
        `A step multiplies by up to the largest eigenvalue: ${number(data.radius.sums, 2)} of A + I, ${number(data.radius.means, 2)} of Â.`;
    },
  };
}

export function convolution(board, data, lesson, scene) {
  const left = element("div", { class: "half" }), right = element("div", { class: "half steps" });
  board.append(left, right);
  let chosen = scene.node ?? data.node, shown = chosen, at = 0;
  const view = new GraphView(left, data.graph, { width: 440, height: 400, label: "The graph: choose a node",
    onHover: (i) => { shown = i ?? chosen; lesson.say(update()); },
    onChoose: (i) => { chosen = i; lesson.remember("node", i); } });
  view.focusable(chosen);
  left.append(key([[0, "swatch chosen", "the node"], [0, "swatch near", "its neighbours"]]));

  function update() {
    const row = data.rows[shown], near = new Set(row.map(([j]) => j));
    view.highlight(shown);
    data.graph.class.forEach((_, i) => view.paint(i, { tone: null, lit: near.has(i) && i !== shown, ring: i === shown, faint: !near.has(i) }));
    right.replaceChildren();
    const words = data.features[0].map((_, j) => `w${j}`);
    const weights = row.map(([j, value]) => [value, ...(at >= 1 ? data.features[j] : [])]);
    const names = row.map(([j]) => (j === shown ? `${j} (itself)` : String(j)));
    const first = at === 0 ? `Row ${shown} of Â` : `Row ${shown} of Â, and the rows of X it weights`;
    const table = matrix(weights, { title: first, rows: names, columns: ["Â", ...(at >= 1 ? words : [])], most: 0.6, cell: (box, i, j) => box.classList.toggle("factor", j === 0) });
    table.dataset.part = "row";
    right.append(table);
    right.append(element("div", { class: "stack" }));
    if (at >= 2) part("sum", [["", ...data.propagated[shown]]], { title: `Weighted sum: row ${shown} of ÂX`, columns: ["", ...words] });
    if (at >= 3) part("weight", data.weight, { title: "W, the block's 3 neurons", rows: words, columns: ["n1", "n2", "n3"], most: 1 });
    if (at >= 3) part("times", [data.summed[shown]], { title: `row ${shown} of ÂXW`, columns: ["n1", "n2", "n3"], digits: 3, most: 0.5 });
    if (at >= 4) part("hidden", [data.hidden[shown]], { title: `ReLU: row ${shown} of H`, columns: ["n1", "n2", "n3"], digits: 3, most: 0.5 });
    const off = data.hidden[shown].filter((value) => value === 0).length;
    return [
      `Node ${shown} has ${row.length - 1} neighbour${row.length === 2 ? "" : "s"} and a self-loop: its row of Â has ${row.length} non-zero entries.`,
      "Each neighbour contributes its words, its row of X.",
      `The weighted sum of these rows is one row for node ${shown}: the words of its neighbourhood.`,
      "Three neurons: each multiplies this row by its column of W, which is still random.",
      `ReLU sets negative values to zero: ${off || "none"} of 3 here.`,
    ][at];
  }

  function part(name, values, options) {
    const table = matrix(values.map((row) => row.map((value) => (value === "" ? 0 : value))), { most: 0.4, ...options,
      cell: (box, i, j) => { if (values[i][j] === "") { box.textContent = "Σ"; box.className = "factor"; } } });
    table.dataset.part = name;
    (name === "weight" ? right : right.querySelector(".stack")).append(table);
  }

  return {
    frames: 5, name: "Step of the convolution", dwell: 2200, label: (i) => ["Â", "Â and X", "ÂX", "ÂXW", "ReLU(ÂXW)"][i],
    draw(step) { at = step; return update(); },
  };
}
