"""Arrays and graphs as JSON values for the browser."""

from typing import Any

import numpy as np

from pgcn.graph import Graph
from pgcn.lessons.layout import node_positions

DIGITS = 6


def as_json(values) -> Any:
    """Return an array or tensor as nested lists of numbers, to six digits."""
    values = values.detach().cpu().numpy() if hasattr(values, "detach") else np.asarray(values)
    if values.dtype.kind in "iub":
        return values.astype(int).tolist()
    # Zero is zero, not minus zero.
    return [as_json(row) for row in values] if values.ndim else float(f"{float(values):.{DIGITS}g}") + 0.0


def split_of(graph: Graph) -> list[str]:
    """Return for each node whether it is labelled, for validation or for testing."""
    return [
        "labelled" if labelled else "validation" if val else "test"
        for labelled, val in zip(graph.train_mask.tolist(), graph.val_mask.tolist(), strict=True)
    ]


def drawing(graph: Graph) -> dict[str, Any]:
    """Return what is needed to draw a graph: positions, edges (each once), classes and split."""
    edges = graph.edge_index.numpy()
    positions = node_positions(edges, graph.num_nodes)
    return {
        "x": as_json(positions[:, 0]),
        "y": as_json(positions[:, 1]),
        "edges": [[int(i), int(j)] for i, j in edges.T if i < j],
        "class": graph.y.tolist(),
        "split": split_of(graph),
        "classes": list(graph.class_names),
    }
