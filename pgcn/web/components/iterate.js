// Hands an iterate of an embedding in the making to the embeddings that are on the page. Nothing is drawn here.

export function show(parentElement, iterate) {
  if (iterate) document.querySelector(".pgcn.embedding")?.player?.follow(iterate);
}
