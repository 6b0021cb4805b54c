// Keeps the chosen one of a row that scrolls sideways in view.

const TRIES = 20, PAUSE = 100; // ms: the row may be drawn after this

export function show(_, row, chosen) {
  const look = (tries) => {
    const button = document.querySelectorAll(`${row} button`)[chosen];
    if (!button) return void (tries && setTimeout(look, PAUSE, tries - 1));
    let bar = button.parentElement;
    while (bar && bar.scrollWidth <= bar.clientWidth + 1) bar = bar.parentElement;
    if (!bar?.closest(row)) return; // all of it is in view
    const box = button.getBoundingClientRect(), edge = bar.getBoundingClientRect();
    bar.scrollLeft += box.left + box.width / 2 - edge.left - edge.width / 2;
  };
  look(TRIES);
}
