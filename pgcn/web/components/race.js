// Mounts a race once and hands it every new state.

import { RaceView } from "../race/race.js";
import { plotly } from "./plotly.js";
import { followTheme } from "./theme.js";

const races = new WeakMap();

export function show(parentElement, values) {
  const root = parentElement.querySelector("div"), known = races.get(root);
  if (known) {
    known.update(values);
    return void followTheme(root, () => known.redraw());
  }
  const race = new RaceView(root);
  races.set(root, race);
  race.update(values);
  followTheme(root, () => race.redraw());
  plotly().then(() => root.isConnected && race.redraw());
}
