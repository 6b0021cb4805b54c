// Presentation: the network and the data alone on the whole screen, in large type, one key for each step. The keys of
// a presenter's remote (page up and down) step too.

import { element } from "../shared/dom.js";

export class Presentation {
  // `change` is called after it has begun or ended; `keys` are those of the transport.
  constructor(root, keys, change) {
    Object.assign(this, { root, change });
    this.keys = { ...keys, PageDown: keys.ArrowRight, PageUp: keys.ArrowLeft, Escape: () => this.end(), f: () => this.end() };
    this.button = element("button", { type: "button", class: "present", title: "Full screen (F)" });
    this.button.addEventListener("click", () => (this.on ? this.end() : this.begin()));
    root.addEventListener("keydown", (event) => {
      if (!this.on && event.key.toLowerCase() === "f" && !event.ctrlKey && !event.metaKey && !event.target.matches("select, input")) this.begin();
    });
    this.pressed = (event) => this.press(event);
    this.left = () => !document.fullscreenElement && this.end();
    this.say();
  }

  get on() { return this.root.classList.contains("presenting"); }

  say() { this.button.textContent = this.on ? "End (Esc)" : "Present"; }

  begin() {
    this.root.classList.add("presenting");
    document.addEventListener("keydown", this.pressed, true);
    document.addEventListener("fullscreenchange", this.left);
    // Where the browser allows no full screen, as within a frame, it fills the window.
    this.root.requestFullscreen?.().catch(() => {});
    this.say();
    this.change();
  }

  end() {
    if (!this.on) return;
    this.root.classList.remove("presenting");
    document.removeEventListener("keydown", this.pressed, true);
    document.removeEventListener("fullscreenchange", this.left);
    if (document.fullscreenElement) document.exitFullscreen();
    this.say();
    this.change();
    this.button.focus();
  }

  press(event) {
    if (!this.root.isConnected) return void this.end();
    const action = this.keys[event.key];
    if (!action || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    action();
  }
}
