"""Where the nodes of a small graph are drawn."""

import numpy as np
from numpy.typing import NDArray

ROUNDS = 400
NEAREST = 0.1
"""How near two nodes may be drawn, as a share of the picture."""


def node_positions(edges: NDArray, num_nodes: int, seed: int = 0) -> NDArray:
    """Return places in the unit square [N, 2]: edges pull with d²/k, all pairs push apart with k²/d.

    For tens of nodes: every round looks at all pairs. The longer side lies flat; at last, nodes that would cover
    each other are moved apart.
    """
    rng = np.random.default_rng(seed)
    places = rng.normal(size=(num_nodes, 2)) * 0.3
    joined = np.zeros((num_nodes, num_nodes))
    joined[edges[0], edges[1]] = 1
    k = 1 / np.sqrt(num_nodes)
    for round_ in range(ROUNDS):
        apart = places[:, None] - places[None]  # [N, N, 2]
        distance = np.maximum(np.linalg.norm(apart, axis=2), 1e-3)
        push = k**2 / distance**2 - joined * distance / k
        move = (apart * push[:, :, None]).sum(axis=1) - 0.12 * places
        length = np.maximum(np.linalg.norm(move, axis=1, keepdims=True), 1e-9)
        places += move / length * np.minimum(length, 0.1 * (1 - round_ / ROUNDS))
    places -= places.mean(axis=0)
    _, _, axes = np.linalg.svd(places)
    places = places @ axes.T
    for _ in range(ROUNDS):
        low, high = places.min(axis=0), places.max(axis=0)
        places = (places - low) / (high - low)
        apart = places[:, None] - places[None] + np.eye(num_nodes)[:, :, None]
        distance = np.linalg.norm(apart, axis=2)
        too_near = np.maximum(0, NEAREST - distance) * (1 - np.eye(num_nodes))
        places = places + 0.3 * (apart / distance[:, :, None] * too_near[:, :, None]).sum(axis=1)
    low, high = places.min(axis=0), places.max(axis=0)
    return (places - low) / (high - low)
