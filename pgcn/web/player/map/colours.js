// What a point's colour and shape may say. Shapes go with colours, so that colour alone never decides.

export const COLOURINGS = {
  class: "true class", predicted: "predicted class", right: "right or wrong", confidence: "confidence", degree: "degree",
  part: "labelled, validation, test",
};
const PALETTE = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#8f7c00", "#7a4fa3"];
const SHAPES = ["circle", "square", "up", "diamond", "down", "plus", "cross"];
const RAMP = ["#440154", "#414487", "#2a788e", "#22a884", "#7ad151", "#fde725"];
const QUIET = "#8a94a0";
export const PARTS = ["not in the split", "labelled", "validation", "test"];

const classEntry = (name, i) => ({ name, colour: PALETTE[i % PALETTE.length], shape: SHAPES[(i + Math.floor(i / PALETTE.length)) % SHAPES.length] });
const unknown = { name: "class not known", colour: QUIET, shape: "circle" };

// The entries of a legend, and for each node the number of its entry.
export function colouring(name, film, picture) {
  const n = film.nodes.length, of = new Uint8Array(n);
  if (name === "class" || name === "predicted") {
    const values = name === "class" ? film.y : picture.predicted, entries = film.classes.map(classEntry);
    for (let i = 0; i < n; i += 1) of[i] = values[i] < 0 ? entries.length : values[i];
    return { entries: of.some((entry) => entry === entries.length) ? [...entries, unknown] : entries, of };
  }
  if (name === "right") {
    for (let i = 0; i < n; i += 1) of[i] = film.y[i] < 0 ? 2 : Number(picture.predicted[i] !== film.y[i]);
    const entries = [{ name: "right", colour: PALETTE[0], shape: "circle" }, { name: "wrong", colour: PALETTE[5], shape: "cross" }];
    return { entries: of.includes(2) ? [...entries, unknown] : entries, of };
  }
  if (name === "part") {
    for (let i = 0; i < n; i += 1) of[i] = film.part[i];
    const looks = [[QUIET, "circle"], [PALETTE[2], "up"], [PALETTE[1], "square"], [PALETTE[0], "diamond"]];
    return { entries: PARTS.map((part, i) => ({ name: part, colour: looks[i][0], shape: looks[i][1] })), of };
  }
  const edges = name === "confidence" ? [0.5, 0.7, 0.8, 0.9, 0.97] : [2, 3, 5, 9, 17];
  for (let i = 0; i < n; i += 1) {
    const value = name === "confidence" ? picture.confidence[i] / 255 : film.degree[i];
    of[i] = edges.filter((edge) => value >= edge).length;
  }
  const text = (v) => (name === "confidence" ? `${Math.round(100 * v)} %` : v);
  const label = (i) => {
    if (i === 0) return name === "confidence" ? `below ${text(edges[0])}` : "0 or 1";
    if (i === edges.length) return name === "confidence" ? `from ${text(edges[i - 1])}` : `${edges[i - 1]} or more`;
    if (name === "confidence") return `${text(edges[i - 1])} to ${text(edges[i])}`;
    return edges[i] - edges[i - 1] === 1 ? `${edges[i - 1]}` : `${edges[i - 1]} to ${edges[i] - 1}`;
  };
  return { entries: RAMP.map((colour, i) => ({ name: label(i), colour, shape: "circle" })), of };
}

// Draw a shape of a radius around a point.
export function drawShape(context, shape, x, y, r) {
  context.beginPath();
  if (shape === "circle") context.arc(x, y, r, 0, 2 * Math.PI);
  else if (shape === "square") context.rect(x - 0.85 * r, y - 0.85 * r, 1.7 * r, 1.7 * r);
  else if (shape === "plus" || shape === "cross") {
    const t = 0.36 * r, l = 1.1 * r, turn = shape === "cross" ? Math.PI / 4 : 0;
    const corners = [[-t, -l], [t, -l], [t, -t], [l, -t], [l, t], [t, t], [t, l], [-t, l], [-t, t], [-l, t], [-l, -t], [-t, -t]];
    polygon(context, corners.map(([a, b]) => [x + a * Math.cos(turn) - b * Math.sin(turn), y + a * Math.sin(turn) + b * Math.cos(turn)]));
  } else {
    const s = 1.15 * r;
    polygon(context, { up: [[x, y - s], [x + s, y + 0.8 * s], [x - s, y + 0.8 * s]], down: [[x, y + s], [x + s, y - 0.8 * s], [x - s, y - 0.8 * s]],
      diamond: [[x, y - 1.1 * s], [x + 1.1 * s, y], [x, y + 1.1 * s], [x - 1.1 * s, y]] }[shape]);
  }
  context.fill();
}

function polygon(context, corners) {
  corners.forEach(([x, y], i) => (i ? context.lineTo(x, y) : context.moveTo(x, y)));
  context.closePath();
}
