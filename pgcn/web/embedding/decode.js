// Frames as they are sent, and as they are drawn: integers in base64 become arrays, each only once.

export const ARRAYS = { nodes: Int32Array, y: Int16Array, part: Uint8Array, degree: Int32Array, edges: Int32Array };

export function bytes(text, Kind) {
  const raw = atob(text), data = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; i += 1) data[i] = raw.charCodeAt(i);
  return new Kind(data.buffer);
}

// Coordinates; those of an earlier version have one reach for all frames.
export function decodedPoints({ map, reach }, reachOfAll = 1) {
  const short = bytes(map, Int16Array), points = new Float32Array(short.length);
  for (let i = 0; i < short.length; i += 1) points[i] = (short[i] * (reach ?? reachOfAll)) / 32767;
  return points;
}

export function decodedFrame(frame, reachOfAll, classes) {
  const decoded = { ...frame, dimensions: frame.dimensions ?? 2, map: decodedPoints(frame, reachOfAll), logits: null };
  if (frame.logits) {
    const [low, high] = frame.range;
    decoded.logits = Float32Array.from(bytes(frame.logits, Uint16Array), (value) => low + (value * (high - low)) / 65535);
  }
  if (frame.predicted) {
    decoded.predicted = bytes(frame.predicted, Uint8Array);
    const sent = bytes(frame.confidence, Uint8Array);
    decoded.confidence = Float32Array.from(sent, decoded.logits ? (_, i) => confidenceOf(decoded.logits, i, classes) : (value) => value / 255);
  }
  return decoded;
}

// The probability of a node's most likely class.
function confidenceOf(logits, i, classes) {
  const first = i * classes;
  let most = -Infinity, sum = 0;
  for (let c = 0; c < classes; c += 1) most = Math.max(most, logits[first + c]);
  for (let c = 0; c < classes; c += 1) sum += Math.exp(logits[first + c] - most);
  return 1 / sum;
}

// The softmax of a node's logits.
export function probabilities(logits, i, classes) {
  const own = logits.subarray(i * classes, (i + 1) * classes), most = Math.max(...own);
  const powers = Array.from(own, (value) => Math.exp(value - most)), sum = powers.reduce((a, b) => a + b, 0);
  return powers.map((value) => value / sum);
}

export const METRICS = { euclidean: "Euclidean", cosine: "cosine" };

// The k nodes whose logits are nearest to those of node i, and how far they are, nearest first.
export function nearestByLogits(logits, i, classes, metric, k) {
  const n = logits.length / classes, own = logits.subarray(i * classes, (i + 1) * classes), found = [];
  const length = (at) => Math.hypot(...logits.subarray(at * classes, (at + 1) * classes)) || 1;
  for (let other = 0; other < n; other += 1) {
    if (other === i) continue;
    let sum = 0;
    for (let c = 0; c < classes; c += 1) {
      const value = logits[other * classes + c];
      sum += metric === "cosine" ? own[c] * value : (own[c] - value) ** 2;
    }
    const distance = metric === "cosine" ? 1 - sum / (length(i) * length(other)) : Math.sqrt(sum);
    if (found.length < k || distance < found[found.length - 1].distance) {
      found.push({ node: other, distance });
      found.sort((a, b) => a.distance - b.distance);
      found.length = Math.min(k, found.length);
    }
  }
  return found;
}
