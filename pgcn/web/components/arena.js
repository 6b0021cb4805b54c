// Mounts a part of the Arena page once and hands it every new state.

import { ArchitectureNetwork } from "../arena/network.js";
import { Preferences } from "../arena/preferences.js";
import { ArenaTable } from "../arena/table.js";

const KINDS = { table: ArenaTable, network: ArchitectureNetwork, preferences: Preferences };
const parts = new WeakMap();

export function show(parentElement, kind, values, trigger) {
  const root = parentElement.querySelector("div");
  if (!parts.has(root)) {
    root.classList.add("pgcn", "arena", kind);
    parts.set(root, new KINDS[kind](root));
  }
  parts.get(root).update(values, trigger);
}
