// Blocks by keyboard: one of them is reached by Tab, the others from it by the arrow keys; Escape leaves them.

const TOWARDS = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };

// `items` have a group, their element, and a goal with their block.
export function keepTabStop(items) {
  const stop = items.find(({ group }) => group === document.activeElement) ?? items.find(({ group }) => group.getAttribute("tabindex") === "0") ?? items[0];
  for (const item of items) item.group.setAttribute("tabindex", item === stop ? 0 : -1);
}

export function moveFocus(items, event) {
  const towards = TOWARDS[event.key], here = items.find(({ group }) => group === event.target);
  if (!here || (!towards && event.key !== "Escape")) return;
  event.preventDefault();
  event.stopPropagation();
  if (!towards) return void here.group.ownerSVGElement.closest("[tabindex]").focus();
  const { layer, number } = here.goal.block, [across, down] = towards;
  const away = ({ goal }) => Math.abs(goal.block.number - (number + down));
  const found = items
    .filter((item) => item !== here && item.goal.block.layer === layer + across && (across || away(item) === 0))
    .sort((a, b) => away(a) - away(b))[0];
  if (!found) return;
  for (const item of items) item.group.setAttribute("tabindex", item === found ? 0 : -1);
  found.group.focus();
}
