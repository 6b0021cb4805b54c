// Mounts the table of stored runs once and hands it every new state.

import { RunsTable } from "../runs/table.js";

const tables = new WeakMap();

export function show(parentElement, values, trigger) {
  const root = parentElement.querySelector("div");
  if (!tables.has(root)) {
    root.classList.add("pgcn", "runs");
    tables.set(root, new RunsTable(root));
  }
  tables.get(root).update(values, trigger);
}
