// What the neurons of a block have learned: how active each is on average for every class, as a heat strip in the
// block, as bars of a layer where blocks are too small for it, and enlarged. A row is a class, in the order of the
// output; within a neuron the class that excites it most is full.

import { element, svgElement } from "../shared/dom.js";
import { CLASS_COLOURS, isDark, themed } from "../shared/palette.js";

const SHADES = 4;
const EDGE = 3; // of a block's own colour around its strip
const LEAST = { across: 2.5, down: 1.9 }; // pixels of a cell that can be seen
const MOST_ROWS = 10, MOST_COLUMNS = 48, WRITTEN = 10;
const MOST_LINKS = 84;

const shortened = (text, most = 22) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);
const spoken = (name) => name.replaceAll("_", " ");
const plural = (count, name) => `${count} ${name}${count === 1 ? "" : "s"}`;

// The profiles of a network, and where its blocks are in it.
export class Inside {
  constructor() { this.forget(); }

  forget() { this.steps = {}; }

  // Takes what has come of a run; says whether that changes what a frame shows.
  learn(steps, frame) {
    const before = this.at(frame);
    Object.assign(this.steps, steps ?? {});
    return this.at(frame) !== before;
  }

  // What is known of the network of a frame, else of the last one before it.
  at(frame) {
    for (let step = frame.network ?? 0; step > 0; step -= 1) if (this.steps[step]) return this.steps[step];
    return null;
  }

  // Takes the columns of a layout; remembers the first neuron of each block that stands.
  open(svg, columns, frame) {
    const dark = isDark(svg);
    this.values = this.at(frame);
    this.isOf = this.values && Object.keys(this.steps).find((step) => this.steps[step] === this.values);
    this.exact = Number(this.isOf) === frame.network;
    this.dark = dark;
    this.colour = (of) => themed(CLASS_COLOURS[of % CLASS_COLOURS.length], dark);
    this.places = new Map();
    columns.forEach((column, i) => {
      const layer = this.values?.layers[i];
      let first = 0;
      for (const { key, block, status } of column) {
        if (status !== 1) continue;
        if (layer && first + block.width <= layer.means.length) this.places.set(key, { layer, number: i, first, width: block.width });
        first += block.width;
      }
    });
  }

  // Blocks of a layer show their strips if all have the room.
  fits(column) {
    const classes = this.values?.classes.length;
    return column.every(({ key, block, w, h }) => !this.places.has(key) ||
      ((w - 2 * EDGE) / block.width >= LEAST.across && (h - 2 * EDGE) / classes >= LEAST.down));
  }

  strip(group, place, w, h) {
    const { layer, first, width } = place, wide = (w - 2 * EDGE) / width, classes = this.values.classes.length;
    const high = (h - 2 * EDGE) / classes, left = -w / 2 + EDGE, top = -h / 2 + EDGE;
    svgElement("rect", { class: "paper", x: left, y: top, width: w - 2 * EDGE, height: h - 2 * EDGE }, group);
    const cells = new Map();
    for (let n = 0; n < width; n += 1) {
      const means = layer.means[first + n], most = highest(means);
      means.forEach((mean, c) => {
        const shade = Math.round((SHADES * Math.max(0, mean)) / most);
        if (!shade) return;
        const cell = `M${(left + n * wide).toFixed(2)} ${(top + c * high).toFixed(2)}h${(wide * 0.92).toFixed(2)}v${high.toFixed(2)}h-${(wide * 0.92).toFixed(2)}z`;
        cells.set(`${c} ${shade}`, (cells.get(`${c} ${shade}`) ?? "") + cell);
      });
      if (layer.dead.includes(first + n)) {
        const x = left + (n + 0.5) * wide;
        svgElement("path", { class: "dead", d: `M${x} ${top + 1}V${-top - 1}` }, group);
      }
    }
    for (const [name, d] of cells) {
      const [c, shade] = name.split(" ");
      svgElement("path", { class: "cell", d, fill: this.colour(c), "fill-opacity": shade / SHADES }, group);
    }
  }

  // How many neurons of a layer each class excites most, as bars.
  bars(group, i, x, y, w, h) {
    const layer = this.values.layers[i], counts = this.values.classes.map(() => 0);
    layer.means.forEach((means, n) => { if (!layer.dead.includes(n)) counts[means.indexOf(Math.max(...means))] += 1; });
    const most = Math.max(1, ...counts), wide = w / counts.length;
    const strip = svgElement("g", { class: "layer-strip" }, group);
    svgElement("title", {}, strip, `Neurons of layer ${i + 1} by the class that activates them most:\n${counts.map((count, c) => `${spoken(this.values.classes[c])} ${count}`).join("\n")}`);
    svgElement("rect", { class: "paper", x: x - w / 2, y, width: w, height: h }, strip);
    counts.forEach((count, c) => svgElement("rect", {
      x: x - w / 2 + c * wide, y: y + h * (1 - count / most), width: Math.max(1, wide * 0.85), height: (h * count) / most, fill: this.colour(c),
    }, strip));
  }

  // The links of the last layer to the classes: for a block and a class the sum of its neurons' weights.
  links(columns) {
    const column = columns.at(-1), last = this.values?.layers.length;
    if (!column || !this.exact || columns.length !== last) return null;
    const { readout, classes } = this.values;
    const sums = ({ first, width }) => classes.map((_, c) => readout.slice(first, first + width).reduce((sum, row) => sum + row[c], 0));
    const blocks = column.filter(({ key }) => this.places.has(key));
    const together = blocks.length * classes.length > MOST_LINKS;
    const sources = together ? [[null, sums({ first: 0, width: readout.length })]] : blocks.map(({ key }) => [key, sums(this.places.get(key))]);
    const most = Math.max(1e-12, ...sources.flatMap(([, weights]) => weights.map(Math.abs)));
    const lines = sources.flatMap(([key, weights]) => weights.map((weight, c) => ({ key, c, weight, share: Math.abs(weight) / most })));
    return { lines, together };
  }

  words(place) {
    const { layer, first, width } = place, dead = layer.dead.filter((n) => n >= first && n < first + width).length;
    const favourite = new Map();
    for (let n = first; n < first + width; n += 1) {
      if (layer.dead.includes(n)) continue;
      const name = spoken(this.values.classes[layer.means[n].indexOf(Math.max(...layer.means[n]))]);
      favourite.set(name, (favourite.get(name) ?? 0) + 1);
    }
    const list = [...favourite].sort((a, b) => b[1] - a[1]).map(([name, count]) => `${name} ${count}`).join(", ");
    return `${dead} of ${plural(width, "neuron")} dead${list ? `; neurons by the class that activates them most: ${list}` : ""}.`;
  }

  // The profile of a block, enlarged; `chosen` is the neuron pointed at.
  enlarged(place, room, chosen = null) { // within so many pixels
    const { layer, first } = place, { classes } = this.values, width = Math.min(place.width, MOST_COLUMNS);
    const rows = layer.means.slice(first, first + width), unit = 10 ** Math.floor(Math.log10(highest(rows.flat())));
    const strength = (c) => Math.max(...rows.map((means) => means[c]));
    let shown = classes.map((_, c) => c);
    if (shown.length > MOST_ROWS) shown = shown.sort((a, b) => strength(b) - strength(a)).slice(0, MOST_ROWS).sort((a, b) => a - b);
    const written = width <= WRITTEN && room >= 96 + 22 * width, longest = room < 420 ? 15 : 22;
    const table = element("div", { class: "profile" });
    table.style.gridTemplateColumns = `auto repeat(${width}, minmax(${written ? 21 : 3}px, ${written ? 28 : 14}px))`;
    if (written) table.append(element("span", { class: "unit" }, "neuron"), ...rows.map((_, n) => element("b", { class: n === chosen ? "chosen" : "" }, n + 1)));
    for (const c of shown) {
      const swatch = element("i");
      swatch.style.background = this.colour(c);
      table.append(element("span", {}, swatch, shortened(spoken(classes[c]), longest)));
      rows.forEach((means, n) => {
        const cell = element("span", { class: n === chosen ? "cell chosen" : "cell", "data-class": c, "data-neuron": first + n, "data-mean": means[c] });
        cell.style.background = `color-mix(in srgb, ${this.colour(c)} ${Math.round((65 * Math.max(0, means[c])) / highest(means))}%, transparent)`;
        if (written) cell.textContent = layer.dead.includes(first + n) ? "–" : (means[c] / unit).toFixed(1);
        table.append(cell);
      });
    }
    const inUnits = written && unit !== 1 ? `, in units of ${unit}` : "";
    const less = [shown.length < classes.length && `the ${shown.length} strongest of ${classes.length} classes`, width < place.width && `the first ${width} of ${place.width} neurons`].filter(Boolean);
    const head = `Mean activation by class and neuron${inUnits}${less.length ? ` (${less.join(", ")})` : ""}`;
    return element("div", { class: "inside" }, element("div", {}, this.exact ? head : `${head}; of the network before this step`), table, element("div", {}, this.excited(place, chosen)));
  }

  // Which nodes excite the neuron pointed at, else every neuron most.
  excited({ layer, first, width }, chosen) {
    const { about, classes } = this.values, named = (node) => shortened(about[node][0], 16);
    const dead = layer.dead.filter((n) => n >= first && n < first + width).length;
    const ofClass = (node) => (about[node][1] < 0 ? "" : ` (${shortened(spoken(classes[about[node][1]]), 18)})`);
    if (chosen !== null) {
      const n = first + chosen;
      if (layer.dead.includes(n)) return `Neuron ${chosen + 1} is dead: above 0 at no node.`;
      return `Nodes that activate neuron ${chosen + 1} most: ${layer.nodes[n].map((node, k) => `${named(node)}${ofClass(node)} ${layer.peaks[n][k]}`).join(", ")}.`;
    }
    const alive = Array.from({ length: width }, (_, n) => n).filter((n) => !layer.dead.includes(first + n)).slice(0, WRITTEN);
    const most = alive.map((n) => `${n + 1}: ${named(layer.nodes[first + n][0])}`).join(", ");
    return `Dead neurons: ${dead} of ${width}.${most ? ` Most activated by the nodes ${most}${alive.length + dead < width ? ", …" : ""}.` : ""}`;
  }
}

function highest(values) {
  const most = Math.max(...values);
  return most > 0 ? most : 1;
}
