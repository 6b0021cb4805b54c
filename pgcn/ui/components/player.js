// Mounts the player once and hands it every new state of the film.

const players = new WeakMap();

function script(address) {
  window.pgcnPlotly ??= new Promise((ready, failed) => {
    const node = document.createElement("script");
    node.src = address;
    node.onload = ready;
    node.onerror = failed;
    document.head.append(node);
  });
  return window.pgcnPlotly;
}

export default function ({ data, parentElement }) {
  const root = parentElement.querySelector("div");
  const address = (name) => new URL(data.places[name], document.baseURI).href;
  root.latest = data.film;
  if (players.has(root)) {
    players.get(root).then((player) => player.update(root.latest));
  } else {
    players.set(root, import(address("player")).then(({ Player }) => {
      const player = new Player(root, root.latest);
      script(address("plotly")).then(() => player.redraw());
      new MutationObserver(() => player.redraw()).observe(document.documentElement, { attributes: true });
      return player;
    }));
  }
  return () => {
    // Called when the component leaves the page.
    players.get(root)?.then((player) => { if (!root.isConnected) player.destroy(); });
  };
}
