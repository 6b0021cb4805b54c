// What has colours of its own is drawn again when the theme changes.

import { isDark } from "../shared/palette.js";

const looks = new WeakMap();

// To be called with every new state. Streamlit hands a component its values once more when the theme changes, but perhaps
// before the new colours hold: the end of their transition is when they do.
export function followTheme(root, redraw) {
  if (!looks.has(root)) {
    let dark = isDark(root);
    looks.set(root, () => {
      if (isDark(root) === dark) return;
      dark = !dark;
      redraw();
    });
    Object.assign(root.style, { caretColor: "var(--st-text-color)", transition: "caret-color 1ms" }); // a colour that nobody sees
    root.addEventListener("transitionend", ({ target, propertyName }) => target === root && propertyName === "caret-color" && looks.get(root)());
  }
  looks.get(root)();
}
