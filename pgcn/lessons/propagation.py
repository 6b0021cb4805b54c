"""The first three stops: a graph, its normalised adjacency, and one graph convolution node by node."""

from typing import Any

import numpy as np
import scipy.sparse as sp
import torch

from pgcn.graph import Graph, adjacency, normalized_adjacency
from pgcn.lessons.example import TOUR, tour_graph
from pgcn.lessons.payload import as_json, drawing
from pgcn.lessons.steps import FIRST, start_of

POWERS = 6


def graph_lesson() -> dict[str, Any]:
    """Return the graph and its features."""
    graph = tour_graph()
    return {
        "graph": drawing(graph),
        "features": as_json(graph.x),
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
        [[int(j), as_json(value)] for j, value in zip(matrix.indices[a:b], matrix.data[a:b], strict=True)]
        for a, b in ends
    ]


def normalisation_lesson() -> dict[str, Any]:
    """Return a feature after repeated propagation, with A + I and with Â.

    It starts as one at every node, so that only the graph changes it.
    """
    graph = tour_graph()
    A = adjacency(graph.edge_index, graph.num_nodes)
    with_loops = sp.csr_array(A + sp.eye_array(graph.num_nodes))
    A_hat = normalized_adjacency(A)
    start = np.ones(graph.num_nodes)
    return {
        "graph": drawing(graph),
        "sums": as_json(powers(with_loops, start)),
        "means": as_json(powers(A_hat, start)),
        "degree": as_json(with_loops.sum(axis=1)),
        "rows": rows_of(A_hat),
        "radius": {
            "sums": as_json(np.linalg.eigvalsh(with_loops.toarray())[-1]),
            "means": as_json(np.linalg.eigvalsh(A_hat.toarray())[-1]),
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
        "features": as_json(X),
        "propagated": as_json(propagated),
        "weight": as_json(W),
        "summed": as_json(summed),
        "hidden": as_json(summed.relu()),
        "node": readable_node(graph),
    }


def readable_node(graph: Graph) -> int:
    """Return a node with enough neighbours to be interesting and few enough to read: the first of degree 4."""
    degree = np.bincount(graph.edge_index[0].numpy(), minlength=graph.num_nodes)
    return int(np.flatnonzero(degree == 4)[0])
