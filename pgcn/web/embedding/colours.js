// What the colour and shape of a point can show. Every class has its own shape, for readers who cannot tell colours apart.

export const COLOURINGS = {
  class: "true class", predicted: "predicted class", right: "correct or wrong", confidence: "confidence", degree: "degree",
  part: "training, validation, test",
};
// Each at least 3 : 1 against its background.
const PALETTES = {
  light: ["#0072b2", "#c98200", "#009e73", "#c45f97", "#2f93cc", "#d55e00", "#8f7c00", "#7a4fa3"],
  dark: ["#4da3ff", "#ffbe3d", "#2fd0a2", "#f29ac9", "#9be1ff", "#ff7f45", "#d9c84a", "#c09bf2"],
};
const QUIET = { light: "#7b8692", dark: "#8f9aa6" };
// From low to high: lightness away from the background, so that a ramp can be read without its hues.
const RAMPS = {
  light: ["#d17b14", "#d9573b", "#bd3a66", "#8a2a80", "#51217c", "#1d1147"],
  dark: ["#a83a82", "#d6506a", "#f0784c", "#fba63f", "#f9d25f", "#fcffa4"],
};
const SHAPES = ["circle", "square", "up", "diamond", "down", "plus", "cross"];
const SHADES = 48, SUREST = 0.999;
export const PARTS = ["not in the split", "labelled", "validation", "test"];

const channels = (colour) => [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));

function rampAt(ramp, share) {
  const place = share * (ramp.length - 1), i = Math.min(ramp.length - 2, Math.floor(place)), t = place - i;
  const [a, b] = [channels(ramp[i]), channels(ramp[i + 1])];
  return `rgb(${a.map((value, k) => Math.round(value + t * (b[k] - value))).join(",")})`;
}

// The entries of the legend, and for each node the index of its entry; a continuous `scale` where there is one.
export function colouring(name, replay, frame, theme) {
  const n = replay.nodes.length, of = new Uint8Array(n), palette = PALETTES[theme];
  const classEntry = (title, i) => ({ name: title, colour: palette[i % palette.length], shape: SHAPES[(i + Math.floor(i / palette.length)) % SHAPES.length] });
  const unknown = { name: "class unknown", colour: QUIET[theme], shape: "circle" };
  if (name === "class" || name === "predicted") {
    const values = name === "class" ? replay.y : frame.predicted, entries = replay.classes.map(classEntry);
    for (let i = 0; i < n; i += 1) of[i] = values[i] < 0 ? entries.length : values[i];
    return { entries: of.some((entry) => entry === entries.length) ? [...entries, unknown] : entries, of, scale: null };
  }
  if (name === "right") {
    for (let i = 0; i < n; i += 1) of[i] = replay.y[i] < 0 ? 2 : Number(frame.predicted[i] !== replay.y[i]);
    const entries = [{ name: "correct", colour: palette[0], shape: "circle" }, { name: "wrong", colour: palette[5], shape: "cross" }];
    return { entries: of.includes(2) ? [...entries, unknown] : entries, of, scale: null };
  }
  if (name === "part") {
    of.set(replay.part);
    const looks = [[QUIET[theme], "circle"], [palette[2], "up"], [palette[1], "square"], [palette[0], "diamond"]];
    return { entries: PARTS.map((part, i) => ({ name: part, colour: looks[i][0], shape: looks[i][1] })), of, scale: null };
  }
  const scale = name === "confidence" ? confidenceScale(replay.classes.length) : degreeScale(replay.degree);
  const value = name === "confidence" ? (i) => frame.confidence[i] : (i) => replay.degree[i];
  for (let i = 0; i < n; i += 1) of[i] = Math.round((SHADES - 1) * scale.share(value(i)));
  const entries = Array.from({ length: SHADES }, (_, i) => ({ name: "", colour: rampAt(RAMPS[theme], i / (SHADES - 1)), shape: "circle" }));
  return { entries, of, scale: { ...scale, ramp: RAMPS[theme] } };
}

const clipped = (share) => Math.max(0, Math.min(1, share));
// Ticks with room for their words, each a fiftieth of the bar for a letter.
function ticksOf(values, share, text) {
  const kept = [];
  for (const tick of values.map((value) => ({ share: share(value), text: text(value) }))) {
    const last = kept[kept.length - 1];
    if (!last || tick.share - last.share > 0.02 * (tick.text.length + last.text.length)) kept.push(tick);
  }
  return kept;
}

// Linear in the log odds: most nodes are classified with more than 95 %, and 99 % is not 99.9 %.
function confidenceScale(classes) {
  const odds = (p) => Math.log(p / (1 - p)), low = odds(1 / Math.max(2, classes)), high = odds(SUREST);
  const share = (p) => clipped((odds(Math.max(1e-6, Math.min(SUREST, p))) - low) / (high - low));
  return { share, about: "confidence: probability of the predicted class, by log odds",
    ticks: ticksOf([0.5, 0.9, 0.99, SUREST], share, (p) => `${+(100 * p).toFixed(1)}${p === SUREST ? " %" : ""}`) };
}

function degreeScale(degrees) {
  const most = degrees.reduce((a, b) => Math.max(a, b), 1), share = (d) => clipped(Math.log1p(d) / Math.log1p(most));
  return { share, about: "degree: neighbours in the graph, by logarithm", ticks: ticksOf([0, 1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 10000].filter((d) => d <= most), share, String) };
}

// Draw a shape around a point.
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
