"""Numbers that describe a graph as a whole."""

import numpy as np

from pgcn.graph.graph import Graph


def homophily(graph: Graph) -> float | None:
    """Return the share of edges, between nodes of known class, that join the same class; None without any."""
    source, target = graph.y[graph.edge_index[0]], graph.y[graph.edge_index[1]]
    known = (source >= 0) & (target >= 0)
    return float((source == target)[known].double().mean()) if bool(known.any()) else None


def degree_bins(graph: Graph) -> list[tuple[str, int]]:
    """Return how many nodes have 0, 1, 2, 3 to 4, 5 to 8, ... neighbours: every bin is twice as wide."""
    degree = np.bincount(graph.edge_index[0].numpy(), minlength=graph.num_nodes)
    which = np.where(degree > 0, np.ceil(np.log2(np.maximum(degree, 1))).astype(int) + 1, 0)
    counts = np.bincount(which, minlength=2)
    words = ["0", "1", "2", *(f"{2 ** (n - 2) + 1}–{2 ** (n - 1)}" for n in range(3, len(counts)))]
    return list(zip(words[: len(counts)], counts.tolist(), strict=True))
