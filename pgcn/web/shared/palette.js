// The colours of series and classes, in one place. Each is drawn in a shade of its hue that has a contrast of at least
// 3:1 with the page, light or dark.

export const CLASS_COLOURS = ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#8f7c00", "#7a4fa3"];

const ON_LIGHT = { "#e69f00": "#c47d00", "#56b4e9": "#3b97d3", "#44aa99": "#3d9f8f" };
const ON_DARK = {
  "#0072b2": "#56b4e9", "#56b4e9": "#b3dfff", "#d55e00": "#ff7f32", "#009e73": "#1fc496", "#cc79a7": "#e79cc6", "#e69f00": "#f0b429",
  "#8a94a0": "#a9b3be", "#8f7c00": "#c9b22e", "#7a4fa3": "#b793e6", "#7a6fd0": "#a89ff2", "#aa4499": "#db86cc", "#44aa99": "#6fd3c3",
  "#999933": "#c6c65f", "#5b6570": "#a0abb7",
};

// A page is dark where its text is light.
export function isDark(root) {
  const [red, green, blue] = (getComputedStyle(root).color.match(/[\d.]+/g) ?? [0, 0, 0]).map(Number); // none: the page was left
  return 0.3 * red + 0.6 * green + 0.1 * blue > 128;
}

// A colour, or the values of a figure with every colour in them, as the page needs them.
export function themed(value, dark) {
  if (typeof value === "string") return (dark ? ON_DARK : ON_LIGHT)[value.toLowerCase()] ?? value;
  if (Array.isArray(value)) return typeof value[0] === "number" ? value : value.map((part) => themed(part, dark));
  if (value === null || typeof value !== "object" || ArrayBuffer.isView(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, themed(part, dark)]));
}
