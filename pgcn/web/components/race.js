// Mounts a race once and hands it every new state.

import { RaceView } from "../race/race.js";
import { plotly } from "./plotly.js";
import { isTurned } from "./theme.js";

const races = new WeakMap();

export function show(parentElement, values) {
  const root = parentElement.querySelector("div"), known = races.get(root), turned = isTurned(root);
  if (known) {
    known.update(values);
    return void (turned && known.redraw());
  }
  const race = new RaceView(root);
  races.set(root, race);
  race.update(values);
  plotly().then(() => root.isConnected && race.redraw());
}
