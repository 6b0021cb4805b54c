// Thousands of moving points, written pixel by pixel: ten times faster than drawing each, and good enough while they glide.

export const MANY = 6000;

// The pixels of a sprite as offsets from its centre, and its colour as the four bytes of a pixel.
function stamp(sheet, alpha) {
  if (sheet.offsets) return { offsets: sheet.offsets, colour: ((alpha << 24) | sheet.colour) >>> 0 };
  const { width, height } = sheet, { data } = sheet.getContext("2d").getImageData(0, 0, width, height);
  const offsets = [], middle = (width >> 1) * 4 + (height >> 1) * 4 * width;
  for (let i = 0; i < width * height; i += 1) if (data[4 * i + 3] > 127) offsets.push((i % width) - (width >> 1), Math.floor(i / width) - (height >> 1));
  const [red, green, blue] = data.slice(middle, middle + 3);
  Object.assign(sheet, { offsets: Int32Array.from(offsets), colour: (blue << 16) | (green << 8) | red });
  return stamp(sheet, alpha);
}

export function paintPixels(view) {
  const { context, canvas, seen, of, shared } = view, { width, height } = canvas;
  if (view.pixels?.width !== width || view.pixels?.height !== height) view.pixels = context.createImageData(width, height);
  const pixels = new Uint32Array(view.pixels.data.buffer), some = shared.selected.size > 0 || shared.node >= 0;
  const stamps = [some ? 40 : 210, 255].map((alpha) => shared.entries.map((entry) => stamp(view.sprite(entry, 0), alpha)));
  const hidden = shared.entries.map((_, i) => shared.hidden.has(i));
  pixels.fill(0);
  const draw = (i, { offsets, colour }) => {
    const x = Math.round(seen[2 * i]), y = Math.round(seen[2 * i + 1]);
    if (x < 8 || y < 8 || x >= width - 8 || y >= height - 8) return;
    const at = y * width + x;
    for (let k = 0; k < offsets.length; k += 2) pixels[at + offsets[k] + width * offsets[k + 1]] = colour;
  };
  for (const part of [shared.order, shared.labelled]) for (const i of part) if (!hidden[of[i]]) draw(i, stamps[0][of[i]]);
  for (const i of shared.selected) if (!hidden[of[i]]) draw(i, stamps[1][of[i]]);
  context.putImageData(view.pixels, 0, 0);
}
