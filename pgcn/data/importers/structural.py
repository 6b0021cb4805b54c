"""Features of nodes that have none: what can be told from the edges alone."""

import numpy as np
import scipy.sparse as sp

ENCODING = 32
"""Numbers of the random-walk encoding."""
STEPS = 4
MOST_PATHS = 200_000_000
"""Paths of length two up to which triangles are counted; a few hubs can have more than fit into memory."""
DAMPING, ROUNDS = 0.85, 50


def structural_features(edges: np.ndarray, num_nodes: int, seed: int) -> tuple[sp.csr_array, list[str], str]:
    """Return features [N, D] of the graph with these edges [2, E], their names, and a sentence."""
    source, target = edges
    keep = source != target
    ends = np.concatenate([source[keep], target[keep]]), np.concatenate([target[keep], source[keep]])
    adjacency = sp.csr_array((np.ones(len(ends[0])), ends), shape=(num_nodes, num_nodes))
    adjacency.sum_duplicates()
    adjacency.data[:] = 1
    degree = adjacency.sum(axis=1)
    step = np.divide(1.0, degree, out=np.zeros(num_nodes), where=degree > 0)
    walk = sp.csr_array(sp.diags_array(step) @ adjacency)  # P = D^-1 A
    columns = {
        "log degree": np.log1p(degree),
        "PageRank": pagerank(walk) * num_nodes,
        "log degree of neighbours": walk @ np.log1p(degree),
    }
    counted = float((degree**2).sum()) <= MOST_PATHS
    if counted:
        columns["clustering"] = clustering(adjacency, degree)
    dense = np.column_stack(list(columns.values()))
    dense = (dense - dense.mean(axis=0)) / np.maximum(dense.std(axis=0), 1e-9)
    encoding = walk_encoding(walk, np.random.default_rng(seed))
    names = [*columns, *(f"random walk {number}" for number in range(encoding.shape[1]))]
    features = sp.csr_array(np.hstack([dense, encoding]).astype(np.float32))
    without = "" if counted else " Clustering was left out: some nodes have too many neighbours."
    return (
        features,
        names,
        (
            f"Structural features were computed from the edges: {', '.join(columns)}, and a random-walk encoding "
            f"of {encoding.shape[1]} numbers (seed {seed}).{without}"
        ),
    )


def pagerank(walk: sp.csr_array) -> np.ndarray:
    """Return PageRank [N] by power iteration; a node without neighbours leads everywhere."""
    num_nodes = walk.shape[0]
    back, alone = sp.csr_array(walk.T), walk.sum(axis=1) == 0
    rank = np.full(num_nodes, 1 / num_nodes)
    for _ in range(ROUNDS):
        rank = DAMPING * (back @ rank + rank[alone].sum() / num_nodes) + (1 - DAMPING) / num_nodes
    return rank


def clustering(adjacency: sp.csr_array, degree: np.ndarray) -> np.ndarray:
    """Return the share of pairs of neighbours that are neighbours themselves [N]."""
    triangles = ((adjacency @ adjacency) * adjacency).sum(axis=1)
    pairs = degree * (degree - 1)
    return np.divide(triangles, pairs, out=np.zeros(len(degree)), where=pairs > 0)


def walk_encoding(walk: sp.csr_array, rng: np.random.Generator) -> np.ndarray:
    """Return where short random walks lead, as random projections of I + P + P² + … [N, ENCODING].

    Nodes that share their surroundings have similar rows (random indexing, as FastRP has it).
    """
    position = rng.standard_normal((walk.shape[0], min(ENCODING, walk.shape[0])), dtype=np.float32)
    total = np.zeros_like(position)
    for _ in range(STEPS):
        position = (walk @ position).astype(np.float32)
        length = np.linalg.norm(position, axis=1, keepdims=True)
        total += position / np.maximum(length, 1e-12)
    return total / STEPS
