// Plotly is loaded once per page, when the first chart needs it.

let loading = null;

export function plotly() {
  loading ??= new Promise((ready, failed) => {
    const node = document.createElement("script");
    node.src = new URL("../../pgcn.ui.components.plotly/plotly.min.js", import.meta.url).href;
    node.onload = () => ready(window.Plotly);
    node.onerror = () => failed(new Error("Plotly could not be loaded from this server."));
    document.head.append(node);
  });
  return loading;
}
