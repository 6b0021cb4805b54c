// Mounts the player once and hands it every new state of the replay.

import { Player } from "../player/player.js";
import { plotly } from "./plotly.js";
import { followTheme } from "./theme.js";

const players = new WeakMap();

export function show(parentElement, replay, trigger) {
  const root = parentElement.querySelector("div"), known = players.get(root), branch = replay.branchable ? (step) => trigger("branch", step) : null;
  if (known) {
    known.onBranch = branch;
    if (replay.live && replay.id !== known.replay.id) uncover();
    known.update(replay);
    return void followTheme(root, () => known.redraw());
  }
  const player = new Player(root, replay, branch);
  players.set(root, player);
  followTheme(root, () => player.redraw());
  plotly().then(() => root.isConnected && player.redraw()); // it may be gone by then
}

// On a telephone the settings lie on top of the page: a run that was started from them is to be seen.
function uncover() {
  if (innerWidth < 768) document.querySelector('[data-testid=stSidebar][data-collapsed=false] [data-testid=stSidebarCollapseButton] button')?.click();
}
