// The frames of a replay: decoded once each, with the iterate that stands for the one in the making, and their boxes.

import { decodedFrame, decodedPoints } from "./decode.js";
import { boxOf, joined } from "./turn.js";

// What was the picture before stays in the box it had then.
const boxKey = (frame) => `${frame?.kind} ${frame?.last ? `${frame.of} ${frame.dimensions}` : ""}`;

export class Frames {
  constructor() { this.clear(); }

  clear() { Object.assign(this, { decoded: new Map(), live: null, boxes: {}, all: [] }); }

  take({ frames, reach, classes }) {
    this.boxes = {};
    this.all = frames.map((frame) => this.decode(frame, reach, classes.length));
    this.all.forEach((frame) => this.fit(frame));
    const kind = (name) => this.all.filter((frame) => frame.kind === name);
    return { steps: kind("step"), fixed: { input: kind("input")[0], gcn: kind("gcn")[0] } };
  }

  // Each is decoded once: as a preview, and when it is there, with its logits or without.
  decode(frame, reach, classes) {
    const made = this.live?.key === frame.key ? this.live.values : null;
    // Its logits may be known from another embedding of the same run; they are told with its points.
    if (!frame.map) return { ...frame, logits: null, predicted: null, ...(frame.missing ? {} : made) };
    const key = `${frame.key} ${Boolean(frame.preview)} ${Boolean(frame.last)} ${Boolean(frame.logits)}`;
    if (!this.decoded.has(key)) this.decoded.set(key, decodedFrame(frame, reach, classes));
    const decoded = this.decoded.get(key);
    return frame.preview && made ? Object.assign(decoded, made) : decoded;
  }

  // All embeddings of a kind by one method are drawn into one box, so that nothing but their points moves; a preview into its own.
  fit(frame) {
    if (!frame.map) return;
    frame.box ??= boxOf(frame.map, frame.dimensions);
    if (!frame.preview || frame.last) this.boxes[boxKey(frame)] = joined(this.boxes[boxKey(frame)], frame.box);
  }

  boxFor(frame) { return frame?.preview && !frame.last ? frame.box : this.boxes[boxKey(frame)]; }

  // Take an iterate of an embedding in the making; return whether it is one to show.
  follow({ key, iterate, ...sent }) {
    const frame = this.all.find((one) => one.key === key);
    if (!frame || (frame.map && !frame.preview) || frame.missing || (this.live?.key === key && this.live.iterate === iterate)) return false;
    const values = { map: decodedPoints(sent), dimensions: sent.dimensions, preview: true, last: false, iterate: true, box: null };
    this.live = { key, iterate, values };
    this.fit(Object.assign(frame, values));
    return true;
  }
}
