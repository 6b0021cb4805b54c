"""The graph beside the network: a sample of its nodes, where each is drawn, and what a network predicts for them.

The sample grows outwards from one training node of each class, so that edges and every class are seen and labels
can be watched as they spread. It is a function of the graph: the same graph is always drawn the same. No torch.
"""

import base64
from collections import deque
from collections.abc import Sequence
from typing import Any

import numpy as np

SIZE = 240
"""Nodes that are drawn: as many as can be told apart in a third of a window."""
ROUNDS = 250
"""Of the layout."""


def sampled_nodes(edges: np.ndarray, classes: np.ndarray, training: np.ndarray, size: int = SIZE) -> np.ndarray:
    """Return the numbers of the nodes to draw, int64 [n], in order.

    ``edges`` is [2, e] with both directions, ``training`` a mask. A search from each class's training node of
    highest degree takes a node in turn; where all have ended, one goes on from the node of highest degree left.
    """
    count = len(classes)
    if count <= size:
        return np.arange(count)
    neighbours, degree = in_order(edges)[1], np.bincount(edges[0], minlength=count)
    first = np.concatenate([[0], np.cumsum(degree)])
    by_degree = np.argsort(-degree, kind="stable")
    starts = [node for node in by_degree if training[node]] or list(by_degree)
    seeds = {classes[node]: node for node in reversed(starts)}  # the last one written is of highest degree
    queues, others = [deque([seeds[name]]) for name in sorted(seeds)], iter(by_degree)
    found: dict[int, None] = {}
    while len(found) < size:
        if not any(queues):
            queues[0].append(next(others))
        for queue in queues:
            while queue and queue[0] in found:
                queue.popleft()
            if queue and len(found) < size:
                node = queue.popleft()
                found[node] = None
                queue.extend(neighbours[first[node] : first[node + 1]])
    return np.sort(np.fromiter(found, np.int64))


def in_order(edges: np.ndarray) -> np.ndarray:
    """Return edges sorted by their nodes: the drawing must not depend on the order in which they are listed."""
    key = edges[0] * (edges.max(initial=0) + np.int64(1)) + edges[1]
    return edges if (key[1:] >= key[:-1]).all() else edges[:, np.argsort(key, kind="stable")]  # mostly they are


def layout(edges: np.ndarray, groups: np.ndarray) -> np.ndarray:
    """Return where to draw nodes, [n, 2] within 0 and 1: a spring layout (Fruchterman and Reingold).

    ``edges`` is [2, e] of positions, each edge once. Nodes begin in a corner of their own for each group, and are
    drawn to the middle a little, so that parts without an edge between them stay together.
    """
    count = len(groups)
    turn = 2 * np.pi * (np.unique(groups, return_inverse=True)[1] / max(1, len(np.unique(groups))))
    spread = np.random.default_rng(0).normal(scale=0.2, size=(count, 2))
    at = np.stack([np.cos(turn), np.sin(turn)], axis=1) + spread
    length, (source, target) = 1.4 / np.sqrt(count), edges
    for heat in np.linspace(0.15, 0.002, ROUNDS):
        apart = at[:, None] - at[None]  # [n, n, 2]
        square = np.square(apart).sum(axis=2) + 1e-6
        force = (apart * (length**2 / square)[:, :, None]).sum(axis=1) - 0.6 * at
        pull = at[target] - at[source]
        pull *= np.linalg.norm(pull, axis=1, keepdims=True) / length
        np.add.at(force, source, pull)
        np.add.at(force, target, -pull)
        size = np.linalg.norm(force, axis=1, keepdims=True) + 1e-9
        at += force / size * np.minimum(size, heat)
    low, high = at.min(axis=0), at.max(axis=0)
    return (at - low) / np.maximum(high - low, 1e-9)


def drawn_sample(
    edges: np.ndarray, classes: np.ndarray, part: np.ndarray, names: Sequence[str], *, name: str
) -> dict[str, Any]:
    """Return a sample of a graph as the player takes it, without predictions; ``name`` tells it from other graphs.

    ``part`` is 0 for none, 1 labelled, 2 validation, 3 test.
    """
    edges = in_order(edges)
    nodes = sampled_nodes(edges, classes, part == 1)
    place = np.full(len(classes), -1)
    place[nodes] = np.arange(len(nodes))
    source, target = edges
    shown = (source < target) & (place[source] >= 0) & (place[target] >= 0)
    among = np.stack([place[source[shown]], place[target[shown]]])
    at = np.rint(1000 * layout(among, classes[nodes])).astype(int)
    return {
        "id": name,
        "count": len(classes),
        "classes": list(names),
        "nodes": nodes.tolist(),
        "at": at.T.tolist(),
        "edges": among.tolist(),
        "y": as_text(classes[nodes]),
        "part": as_text(part[nodes]),
        "predicted": {},
    }


def as_text(classes: np.ndarray) -> str:
    """Return classes as a letter each, '0' for the first; it is sent often, and so is short."""
    return "".join(chr(ord("0") + int(number)) for number in classes)


def sample_of_embeddings(values: dict[str, Any]) -> dict[str, Any]:
    """Return the sample with its predictions, of 2-D embeddings of all nodes as the browser takes them."""

    def unpacked(text: str, kind: type) -> np.ndarray:
        return np.frombuffer(base64.b64decode(text), np.dtype(kind).newbyteorder("<"))

    once = unpacked(values["edges"], np.int32).reshape(2, -1)
    classes, part = unpacked(values["y"], np.int16).astype(int), unpacked(values["part"], np.uint8)
    edges = np.concatenate([once, once[::-1]], axis=1)
    sample = drawn_sample(edges, classes, part, values["classes"], name=values["id"])
    steps = [frame for frame in values["frames"] if frame["kind"] == "step"]
    predicted = {
        str(step["number"]): as_text(unpacked(step["predicted"], np.uint8)[sample["nodes"]]) for step in steps
    }
    return sample | {"predicted": predicted}
