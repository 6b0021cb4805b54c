// Mounts the maps once and hands them every new state. What is chosen in them goes into the address bar.

import { Maps } from "../player/map/map.js";

const known = new WeakMap();

function remember(choices) {
  const link = new URL(location.href);
  for (const [name, value] of Object.entries(choices)) {
    if (value === null) link.searchParams.delete(name);
    else link.searchParams.set(name, value);
  }
  if (link.href !== location.href) history.replaceState(history.state, "", link);
}

export function show(parentElement, film) {
  const root = parentElement.querySelector("div"), maps = known.get(root);
  if (maps) return void maps.update(film);
  const made = new Maps(root, film, remember);
  known.set(root, made);
  const themed = new MutationObserver(() => (root.isConnected ? made.redraw() : themed.disconnect()));
  themed.observe(document.documentElement, { attributes: true });
}
