// Mounts a figure of the tour once and hands it every new state; a figure of another kind takes its place.

import { Lesson } from "../lesson/lesson.js";

const lessons = new WeakMap();

export function show(parentElement, scene) {
  const root = parentElement.querySelector("div"), known = lessons.get(root);
  if (known?.kind === scene.kind) return void known.update(scene);
  known?.destroy();
  lessons.set(root, new Lesson(root, scene));
}
