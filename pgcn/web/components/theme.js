// Streamlit hands a component its values once more when the theme changes: what has colours of its own is then drawn again.

import { isDark } from "../shared/palette.js";

const themes = new WeakMap();

// Whether an element is dark now and was light when this was last asked, or the other way round.
export function isTurned(root) {
  const dark = isDark(root), before = themes.get(root);
  themes.set(root, dark);
  return before !== undefined && before !== dark;
}
