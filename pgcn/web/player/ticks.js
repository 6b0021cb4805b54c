// The ticks of a logarithmic axis: always at least two labels, and never so many that they overlap.

const MOST = 6;

// 1, 2 and 5 times the powers of ten from the last one below `low` to the first one above `high`; where these are too
// many, only the powers of ten, and of those as many as there is room for. The first and the last are the range.
export function logTicks(low, high) {
  const from = Math.floor(Math.log10(low)), to = Math.ceil(Math.log10(high));
  const powers = Array.from({ length: to - from + 2 }, (_, i) => from + i);
  const fine = powers.flatMap((power) => [1, 2, 5].map((digit) => Number(`${digit}e${power}`)));
  const first = fine.findLastIndex((tick) => tick <= low), last = fine.findIndex((tick) => tick >= high);
  const ticks = fine.slice(first, Math.max(last, first + 1) + 1);
  if (ticks.length <= MOST) return ticks;
  const step = Math.ceil((to - from) / (MOST - 1));
  return Array.from({ length: Math.ceil((to - from) / step) + 1 }, (_, i) => Number(`1e${from + i * step}`));
}

// 0.02, 5, 300, 2·10⁴: as one would write it.
export function tickText(value) {
  if (value >= 0.001 && value < 10000) return value.toLocaleString("en", { maximumSignificantDigits: 2 });
  const power = Math.floor(Math.log10(value) + 1e-9), digit = Math.round(value / 10 ** power);
  return `${digit === 1 ? "" : `${digit}·`}10<sup>${power}</sup>`;
}
