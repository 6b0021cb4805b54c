// Nodes by their id, their name, and their neighbours.

// A mixed order, so that no class is always on top; the same at every step.
export const mixedOrder = (count) => Array.from({ length: count }, (_, i) => i).sort((a, b) => ((a * 7919) % 10007) - ((b * 7919) % 10007));

// The neighbours of a node in the graph, among the nodes that are shown.
export function neighboursOf({ edges }, i) {
  const near = [], m = edges.length / 2;
  for (let e = 0; e < m; e += 1) {
    if (edges[e] === i) near.push(edges[m + e]);
    else if (edges[m + e] === i) near.push(edges[e]);
  }
  return near.sort((a, b) => a - b);
}

// The node that a reader asks for by id or by a part of its name, or why there is none.
export function lookUp({ nodes, names, count }, text) {
  const whole = /^\d+$/.test(text), wanted = text.toLowerCase();
  const i = whole ? nodes.indexOf(Number(text)) : (names ?? []).findIndex((name) => name.toLowerCase().includes(wanted));
  if (i >= 0) return { i };
  return { i, why: whole && Number(text) < count ? `Node ${text} is not in the sample; choose all nodes to see it.` : `Node ids are 0 to ${count - 1}.` };
}
