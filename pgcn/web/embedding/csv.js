// Nodes as a file of CSV.

import { element } from "../shared/dom.js";
import { PARTS } from "./colours.js";

// Text as a cell of CSV; what a spreadsheet would take for a formula is preceded by an apostrophe (pgcn/tables.py).
export function csvCell(text) {
  const value = String(text);
  return `"${/^[=+\-@\t\r\n]/.test(value) ? "'" : ""}${value.replaceAll('"', '""')}"`;
}

export function saveNodes(replay, frame, nodes) {
  const name = (c) => csvCell(c < 0 ? "" : replay.classes[c]);
  const rows = nodes.map((i) => [replay.nodes[i], replay.y[i], name(replay.y[i]), frame.predicted[i], name(frame.predicted[i]),
    frame.confidence[i].toFixed(3), csvCell(PARTS[replay.part[i]]), replay.degree[i], frame.number].join(","));
  const text = ["node,label,class,predicted,predicted_class,confidence,split,degree,step", ...rows, ""].join("\r\n");
  const link = element("a", { href: URL.createObjectURL(new Blob([text], { type: "text/csv" })), download: `pgcn-${replay.file}-step${frame.number}.csv` });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}
