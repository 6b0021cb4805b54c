// Hands data sets, one data set or the first rows of a table to what draws them, where they have changed.

import { draw } from "../data/cards.js";
import { element } from "../shared/dom.js";
import { followTheme } from "./theme.js";

const drawn = new WeakMap(); // what is drawn, and in which element: beside it is the style

export function show(parentElement, values, trigger) {
  const root = parentElement.querySelector("div"), state = JSON.stringify(values);
  const { holder = root.appendChild(element("div", { class: "pgcn data" })), shown } = drawn.get(root) ?? {};
  const again = () => draw(holder, ...drawn.get(root).latest);
  drawn.set(root, { holder, shown: state, latest: [values, trigger] });
  if (shown !== state) again();
  followTheme(holder, again);
}
