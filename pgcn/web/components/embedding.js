// Mounts the embedding player once and hands it every new state. The reader's choices go into the address bar.

import { EmbeddingPlayer } from "../embedding/embedding.js";
import { followTheme } from "./theme.js";

const players = new WeakMap();

function remember(choices) {
  const link = new URL(location.href);
  for (const [name, value] of Object.entries(choices)) {
    if (value === null) link.searchParams.delete(name);
    else link.searchParams.set(name, value);
  }
  if (link.href !== location.href) history.replaceState(history.state, "", link);
}

export function show(parentElement, replay) {
  const root = parentElement.querySelector("div"), known = players.get(root);
  if (known) {
    known.update(replay);
    return void followTheme(root, () => known.redraw());
  }
  const player = new EmbeddingPlayer(root, replay, remember);
  players.set(root, player);
  followTheme(root, () => player.redraw());
}
