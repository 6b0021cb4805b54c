// Mounts the player once and hands it every new state of the film.

import { Player } from "../player/player.js";
import { plotly } from "./plotly.js";

const players = new WeakMap();

export function show(parentElement, film) {
  const root = parentElement.querySelector("div");
  const known = players.get(root);
  if (known) return void known.update(film);
  const player = new Player(root, film);
  players.set(root, player);
  plotly().then(() => root.isConnected && player.redraw()); // it may be gone by then
  // The theme is a matter of style sheets and attributes high up in the page.
  const themed = new MutationObserver(() => (root.isConnected ? player.redraw() : themed.disconnect()));
  themed.observe(document.documentElement, { attributes: true });
}
