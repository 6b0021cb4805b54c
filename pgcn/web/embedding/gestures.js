// What pointers and keys do on a scatter plot: hover, choose, draw a lasso, pan, zoom, and turn three dimensions.

const TURN = 0.008; // radians for each pixel of a drag

// A drag of the mouse draws a lasso, or turns three dimensions; a finger scrolls the page, unless a mode was chosen.
function modeOf(view, event) {
  const { moving, lassoing } = view.shared;
  if (moving) return "move";
  if (lassoing) return "lasso";
  if (view.dimensions === 3) return "turn";
  return event.pointerType === "mouse" ? "lasso" : "tap";
}

export function listen(view) {
  const { canvas } = view, place = (event) => {
    const box = canvas.getBoundingClientRect();
    return [(event.clientX - box.left) * view.dots, (event.clientY - box.top) * view.dots];
  };
  canvas.addEventListener("pointerdown", (event) => {
    if (event.button || !view.points) return;
    const from = place(event);
    view.drag = { from, last: from, mode: modeOf(view, event), zoom: { ...view.zoom } };
    if (view.drag.mode !== "tap") canvas.setPointerCapture(event.pointerId);
  });
  canvas.addEventListener("pointermove", (event) => {
    if (!view.points) return;
    const [x, y] = place(event), { drag } = view;
    if (!drag) return void view.on.hover(view.nearest(x, y), event, view);
    const [a, b] = drag.from, [before, above] = drag.last;
    if (Math.hypot(x - a, y - b) > 5 * view.dots) drag.far = true;
    if (!drag.far) return;
    drag.last = [x, y];
    if (drag.mode === "turn") view.on.turn((TURN * (x - before)) / view.dots, (TURN * (y - above)) / view.dots);
    else if (drag.mode === "move") {
      const { size } = view;
      view.zoom = { ...view.zoom, x: drag.zoom.x - (x - a) / size, y: drag.zoom.y + (y - b) / size };
      view.draw();
    } else if (drag.mode === "lasso") { (view.lasso ??= [[a, b]]).push([x, y]); view.draw(); }
  });
  const end = (event) => {
    const { drag, lasso } = view;
    view.drag = view.lasso = null;
    if (!drag || event.type === "pointercancel") return void view.draw();
    if (lasso) view.on.select(view.inside(lasso), event.shiftKey);
    else if (!drag.far) view.on.pick(view.nearest(...place(event)));
    view.draw();
  };
  canvas.addEventListener("pointerup", end);
  canvas.addEventListener("pointercancel", end);
  canvas.addEventListener("pointerleave", () => view.on.hover(-1, null, view));
  canvas.addEventListener("keydown", (event) => view.on.key(event, view));
  canvas.addEventListener("wheel", (event) => {
    if (!event.ctrlKey && !view.shared.moving) return; // the page scrolls
    event.preventDefault();
    view.scale(event.deltaY < 0 ? 1.2 : 1 / 1.2);
  }, { passive: false });
}
