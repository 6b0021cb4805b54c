"""Where the nodes of a small graph are drawn."""

import numpy as np
from numpy.typing import NDArray

ROUNDS = 400
NEAREST = 0.1
"""How near two nodes may be drawn, as a share of the drawing."""


def node_positions(edges: NDArray, num_nodes: int, seed: int = 0) -> NDArray:
    """Return positions in the unit square [N, 2]: edges pull with d²/k, all pairs push apart with k²/d.

    For tens of nodes: every round looks at all pairs. The longer side lies flat; at last, nodes that would cover
    each other are moved apart.
    """
    rng = np.random.default_rng(seed)
    positions = rng.normal(size=(num_nodes, 2)) * 0.3
    joined = np.zeros((num_nodes, num_nodes))
    joined[edges[0], edges[1]] = 1
    k = 1 / np.sqrt(num_nodes)
    for round_ in range(ROUNDS):
        apart = positions[:, None] - positions[None]  # [N, N, 2]
        distance = np.maximum(np.linalg.norm(apart, axis=2), 1e-3)
        push = k**2 / distance**2 - joined * distance / k
        move = (apart * push[:, :, None]).sum(axis=1) - 0.12 * positions
        length = np.maximum(np.linalg.norm(move, axis=1, keepdims=True), 1e-9)
        positions += move / length * np.minimum(length, 0.1 * (1 - round_ / ROUNDS))
    positions -= positions.mean(axis=0)
    _, _, axes = np.linalg.svd(positions)
    positions = positions @ axes.T
    for _ in range(ROUNDS):
        low, high = positions.min(axis=0), positions.max(axis=0)
        positions = (positions - low) / (high - low)
        apart = positions[:, None] - positions[None] + np.eye(num_nodes)[:, :, None]
        distance = np.linalg.norm(apart, axis=2)
        too_near = np.maximum(0, NEAREST - distance) * (1 - np.eye(num_nodes))
        positions = positions + 0.3 * (apart / distance[:, :, None] * too_near[:, :, None]).sum(axis=1)
    low, high = positions.min(axis=0), positions.max(axis=0)
    return (positions - low) / (high - low)
