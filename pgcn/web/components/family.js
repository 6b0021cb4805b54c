// Mounts the family of a run once and hands it every new state.

import { Family } from "../family/tree.js";

const families = new WeakMap();

export function show(parentElement, values, trigger) {
  const root = parentElement.querySelector("div");
  if (!families.has(root)) {
    root.classList.add("pgcn", "family");
    families.set(root, new Family(root));
  }
  families.get(root).update(values, trigger);
}
