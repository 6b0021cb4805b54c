"""Which nodes to label next, and the graph with these labels."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from pgcn.errors import GraphError, shown
from pgcn.graph import Graph
from pgcn.predictions.table import Predictions


def most_uncertain(found: Predictions, count: int) -> np.ndarray:
    """Return those nodes in no part (labelled, validation, test) with the largest entropy, largest first.

    Validation and test nodes stay what they are: before and after are measured on them.
    """
    free = np.flatnonzero(found.part == 0)
    return free[np.argsort(-found.entropy[free], kind="stable")][:count]


def with_labels(graph: Graph, labels: Mapping[int, int]) -> Graph:
    """Return a graph in which these nodes have these classes and are labelled nodes; all else is the same."""
    y, train = graph.y.clone(), graph.train_mask.clone()
    taken = (graph.train_mask | graph.val_mask | graph.test_mask).tolist()
    for node, number in labels.items():
        if not 0 <= node < graph.num_nodes or taken[node]:
            raise GraphError(
                f"Node {node} cannot be labelled: it must be one of 0 to {graph.num_nodes - 1:,} that is neither "
                "labelled nor a validation or test node."
            )
        if number not in range(graph.num_classes):  # also what is no number
            raise GraphError(f"A class must be one of 0 to {graph.num_classes - 1}, got {shown(number)}.")
        y[node], train[node] = number, True
    note = f"{len(labels):,} more labelled nodes than in {graph.name}."
    return replace(graph, y=y, train_mask=train, notes=(*graph.notes, note), source=None)


def version_name(base: str, taken: Mapping[str, object], count: int) -> str:
    """Return a name for a version of a graph with more labels, such as "cora +5 labels", that is not taken."""
    stem = f"{base[:80]} +{count} labels"
    numbers = (f"{stem} ({number})" for number in range(2, len(taken) + 3))
    return next(name for name in (stem, *numbers) if name not in taken)
