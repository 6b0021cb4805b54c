// Three dimensions on a sheet: what is seen of points [n, 3] that are turned about the vertical and then tipped.

const STEEPEST = Math.PI / 2;

export class Turn {
  constructor() { this.reset(); }

  reset() { Object.assign(this, { yaw: 0.5, pitch: 0.35 }); }

  by(yaw, pitch) {
    this.yaw += yaw;
    this.pitch = Math.max(-STEEPEST, Math.min(STEEPEST, this.pitch + pitch));
  }

  // Write what is right and up into `flat` [n, 2], and what is towards the reader into `depth` [n].
  project(points, flat, depth) {
    const [a, b, c, d] = [Math.cos(this.yaw), Math.sin(this.yaw), Math.cos(this.pitch), Math.sin(this.pitch)];
    for (let i = 0; i < depth.length; i += 1) {
      const x = points[3 * i], y = points[3 * i + 1], z = points[3 * i + 2], far = a * z - b * x;
      flat[2 * i] = a * x + b * z;
      flat[2 * i + 1] = c * y - d * far;
      depth[i] = d * y + c * far;
    }
  }
}

const FEW = 0.005, SPARE = 1.35;

// The box that points [n, dimensions] are drawn into. A few that are far from all others do not shrink the rest: they
// are drawn on its edge. In three dimensions it holds the points however they are turned.
export function boxOf(points, dimensions) {
  const n = points.length / dimensions, column = (of) => Float32Array.from({ length: n }, (_, i) => of(i * dimensions)).sort();
  const range = (sorted) => {
    const low = sorted[Math.floor(FEW * (n - 1))], high = sorted[Math.ceil((1 - FEW) * (n - 1))], spare = ((SPARE - 1) * (high - low)) / 2;
    return [Math.max(sorted[0], low - spare), Math.min(sorted[n - 1], high + spare)];
  };
  if (dimensions === 3) {
    const far = column((at) => Math.hypot(points[at], points[at + 1], points[at + 2])), radius = Math.min(far[n - 1], SPARE * far[Math.ceil((1 - FEW) * (n - 1))]);
    return { left: -radius, right: radius, bottom: -radius, top: radius };
  }
  const [left, right] = range(column((at) => points[at])), [bottom, top] = range(column((at) => points[at + 1]));
  return { left, right, bottom, top };
}

// How many points a box does not hold: they are drawn on its edge.
export function outsideOf(points, dimensions, { left, right, bottom, top }) {
  let count = 0;
  for (let i = 0; i < points.length; i += dimensions) {
    const [x, y] = [points[i], points[i + 1]];
    count += dimensions === 3 ? Math.hypot(x, y, points[i + 2]) > right : x < left || x > right || y < bottom || y > top;
  }
  return count;
}

// The smallest box that holds both.
export const joined = (a, b) => (a && b ? { left: Math.min(a.left, b.left), right: Math.max(a.right, b.right), bottom: Math.min(a.bottom, b.bottom), top: Math.max(a.top, b.top) } : a ?? b);
