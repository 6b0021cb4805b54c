// Mounts the player once and hands it every new state of the replay.

import { Player } from "../player/player.js";
import { plotly } from "./plotly.js";

const players = new WeakMap();

export function show(parentElement, replay) {
  const root = parentElement.querySelector("div");
  const known = players.get(root);
  if (known) return void known.update(replay);
  const player = new Player(root, replay);
  players.set(root, player);
  plotly().then(() => root.isConnected && player.redraw()); // it may be gone by then
  // Streamlit changes the theme by attributes of the document.
  const theme = new MutationObserver(() => (root.isConnected ? player.redraw() : theme.disconnect()));
  theme.observe(document.documentElement, { attributes: true });
}
