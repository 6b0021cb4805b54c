"""The first three stops: a graph, its normalised adjacency, and one graph convolution node by node."""

from typing import Any

import numpy as np
import scipy.sparse as sp
import torch

from pgcn.graph import Graph, adjacency, normalized_adjacency
from pgcn.lessons.plain import drawing, plain
from pgcn.lessons.setting import TOUR, tour_graph
from pgcn.lessons.steps import FIRST, start_of

POWERS = 6


def graph_lesson() -> dict[str, Any]:
    """Return the graph and its features."""
    graph = tour_graph()
    return {
        "graph": drawing(graph),
        "features": plain(graph.x),
        "nodes": graph.num_nodes,
        "edges": graph.num_edges,
        "labelled": int(graph.train_mask.sum()),
        "validation": int(graph.val_mask.sum()),
        "test": int(graph.test_mask.sum()),
    }


def powers(matrix: sp.csr_array, start: np.ndarray) -> np.ndarray:
    """Return x, Mx, M²x, … as rows, [POWERS + 1, N]."""
    rows = [start]
    for _ in range(POWERS):
        rows.append(matrix @ rows[-1])
    return np.array(rows)


def rows_of(matrix: sp.csr_array) -> list[list[list[float]]]:
    """Return for each row its non-zero entries as [column, value]."""
    matrix = sp.csr_array(matrix)
    matrix.sort_indices()
    ends = zip(matrix.indptr, matrix.indptr[1:], strict=False)
    return [
        [[int(j), plain(value)] for j, value in zip(matrix.indices[a:b], matrix.data[a:b], strict=True)]
        for a, b in ends
    ]


def normalisation_lesson() -> dict[str, Any]:
    """Return what becomes of a feature when it is passed on again and again, with A + I and with Â.

    The feature starts as one everywhere, so that what is seen is the graph's doing alone.
    """
    graph = tour_graph()
    A = adjacency(graph.edge_index, graph.num_nodes)
    with_loops = sp.csr_array(A + sp.eye_array(graph.num_nodes))
    A_hat = normalized_adjacency(A)
    start = np.ones(graph.num_nodes)
    return {
        "graph": drawing(graph),
        "sums": plain(powers(with_loops, start)),
        "means": plain(powers(A_hat, start)),
        "degree": plain(with_loops.sum(axis=1)),
        "rows": rows_of(A_hat),
        "radius": {
            "sums": plain(np.linalg.eigvalsh(with_loops.toarray())[-1]),
            "means": plain(np.linalg.eigvalsh(A_hat.toarray())[-1]),
        },
    }


def convolution_lesson() -> dict[str, Any]:
    """Return one graph convolution H = ReLU(ÂXW) in its steps, W the random weights of the first block."""
    graph = tour_graph()
    A_hat = normalized_adjacency(adjacency(graph.edge_index, graph.num_nodes))
    W = start_of(TOUR, graph, FIRST)["hidden.0.weight"].double()
    X = graph.x.double()
    propagated = torch.from_numpy(A_hat @ X.numpy())
    summed = propagated @ W
    return {
        "graph": drawing(graph),
        "rows": rows_of(A_hat),
        "features": plain(X),
        "propagated": plain(propagated),
        "weight": plain(W),
        "summed": plain(summed),
        "hidden": plain(summed.relu()),
        "node": readable_node(graph),
    }


def readable_node(graph: Graph) -> int:
    """Return a node with enough neighbours to be of interest and few enough to be read: the first of degree 4."""
    degree = np.bincount(graph.edge_index[0].numpy(), minlength=graph.num_nodes)
    return int(np.flatnonzero(degree == 4)[0])
