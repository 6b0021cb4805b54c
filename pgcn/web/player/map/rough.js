// Thousands of points in motion, pixel by pixel: ten times faster than drawing each, and good enough while they glide.

export const MANY = 6000;

// The pixels of a sprite as offsets from its centre, and its colour as the four bytes of a pixel.
function stamp(sheet, alpha) {
  const { width, height } = sheet, { data } = sheet.getContext("2d").getImageData(0, 0, width, height);
  const offsets = [], middle = (width >> 1) * 4 + (height >> 1) * 4 * width;
  for (let i = 0; i < width * height; i += 1) if (data[4 * i + 3] > 127) offsets.push((i % width) - (width >> 1), Math.floor(i / width) - (height >> 1));
  const [red, green, blue] = data.slice(middle, middle + 3);
  return { offsets: Int32Array.from(offsets), colour: ((alpha << 24) | (blue << 16) | (green << 8) | red) >>> 0 };
}

export function paintRoughly(view) {
  const { context, canvas, places, of, look } = view, { width, height } = canvas;
  if (view.rough?.width !== width || view.rough?.height !== height) view.rough = context.createImageData(width, height);
  const pixels = new Uint32Array(view.rough.data.buffer), some = look.selected.size > 0 || look.node >= 0;
  const stamps = [some ? 40 : 210, 255].map((alpha) => look.entries.map((entry) => stamp(view.sprite(entry, false), alpha)));
  const scale = view.size, hidden = look.entries.map((_, i) => look.hidden.has(i));
  pixels.fill(0);
  const draw = (i, { offsets, colour }) => {
    const x = Math.round(width / 2 + (places[2 * i] - view.zoom.x) * scale), y = Math.round(height / 2 - (places[2 * i + 1] - view.zoom.y) * scale);
    if (x < 8 || y < 8 || x >= width - 8 || y >= height - 8) return;
    const at = y * width + x;
    for (let k = 0; k < offsets.length; k += 2) pixels[at + offsets[k] + width * offsets[k + 1]] = colour;
  };
  for (const i of look.order) if (!hidden[of[i]]) draw(i, stamps[0][of[i]]);
  for (const i of look.selected) if (!hidden[of[i]]) draw(i, stamps[1][of[i]]);
  context.putImageData(view.rough, 0, 0);
}
