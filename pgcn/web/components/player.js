// Mounts the player once and hands it every new state of the replay.

import { Player } from "../player/player.js";
import { plotly } from "./plotly.js";

const players = new WeakMap();

export function show(parentElement, replay) {
  const root = parentElement.querySelector("div");
  const known = players.get(root);
  if (known) {
    if (replay.live && replay.id !== known.replay.id) uncover();
    return void known.update(replay);
  }
  const player = new Player(root, replay);
  players.set(root, player);
  plotly().then(() => root.isConnected && player.redraw()); // it may be gone by then
  // Streamlit changes the theme by attributes of the document.
  const theme = new MutationObserver(() => (root.isConnected ? player.redraw() : theme.disconnect()));
  theme.observe(document.documentElement, { attributes: true });
}

// On a telephone the settings lie on top of the page: a run that was started from them is to be seen.
function uncover() {
  if (innerWidth < 768) document.querySelector('[data-testid=stSidebar][data-collapsed=false] [data-testid=stSidebarCollapseButton] button')?.click();
}
