"""The parts of a graph, checked and cleaned."""

from collections.abc import Sequence
from typing import Any

import torch

from pgcn.errors import GraphError
from pgcn.graph.arrays import clean_class_names, clean_mask, clean_names, clean_text, plain_array
from pgcn.graph.checks import check_masks, clean_edges, clean_features, clean_weights, edge_array
from pgcn.graph.graph import Graph
from pgcn.graph.labels import clean_labels


def build_graph(
    *positional: Any,
    name: str = "graph",
    features=None,
    edge_index=None,
    y=None,
    train_mask=None,
    val_mask=None,
    test_mask=None,
    edge_weight=None,
    class_names: Sequence[str] | None = None,
    node_names: Sequence[str] | None = None,
    feature_names: Sequence[str] | None = None,
    split: str = "given",
    notes: Sequence[str] = (),
) -> Graph:
    """Check and clean the parts of a graph, given by name; say in ``notes`` what was changed.

    features     a matrix [N, D]: NumPy, SciPy, torch
    edge_index   edges [2, E] or [E, 2], or an adjacency of SciPy's, whose values are weights
    y            the class of each node: numbers from 0 up (-1, -100 or NaN where it is not known) or names
    *_mask       bool [N], or the numbers of nodes

    Self-loops are dropped (A + I adds one to every node), duplicate edges are merged and one-way edges are
    made mutual. Isolated nodes stay: they see only themselves. Weights of merged edges are added up, and where the
    two directions of an edge weigh differently it gets their mean. Test nodes may be missing. Whatever cannot be a
    graph is refused with a :class:`pgcn.errors.GraphError` that says why.
    """
    if positional:
        raise GraphError(
            "build_graph takes its parts by name: build_graph(name=..., features=..., edge_index=..., y=..., "
            "train_mask=..., val_mask=...)."
        )
    name, split = clean_text(name, "name"), clean_text(split, "split")
    notes = clean_names(notes, None, "note") or ()
    features = clean_features(features)
    num_nodes = features.shape[0]
    given, weight, given_notes = edge_array(edge_index, num_nodes)
    if weight is not None and edge_weight is not None:
        raise GraphError("The adjacency matrix already holds weights: leave edge_weight out.")
    edges, edge_notes = clean_edges(given, num_nodes)
    edge_weight = weight if edge_weight is None else edge_weight
    weights = None
    if edge_weight is not None:
        weights, weight_notes = clean_weights(given, plain_array(edge_weight, "edge_weight"), edges)
        edge_notes += weight_notes
    class_names = clean_class_names(class_names)
    y, found_names, label_notes = clean_labels(y, num_nodes, class_names)
    class_names = class_names or clean_class_names(found_names or None)
    num_classes = len(class_names) if class_names is not None else int(y.max()) + 1
    if y.min() < -1 or y.max() >= num_classes:
        raise GraphError(
            f"Classes must lie between 0 and {num_classes - 1} (-1 where not known), "
            f"got values from {int(y.min())} to {int(y.max())}."
        )
    if num_classes > num_nodes:
        raise GraphError(
            f"{num_classes:,} classes are more than the {num_nodes:,} nodes; every class needs a labelled one. "
            "Number the classes without gaps."
        )
    test_mask = torch.zeros(num_nodes, dtype=torch.bool) if test_mask is None else test_mask
    given_masks = {"labelled": train_mask, "validation": val_mask, "test": test_mask}
    masks = [clean_mask(mask, name, num_nodes) for name, mask in given_masks.items()]
    check_masks(y, num_classes, *masks, names=class_names or ())
    return Graph(
        name=name,
        features=features,
        edge_index=edges,
        edge_weight=weights,
        y=y,
        train_mask=masks[0],
        val_mask=masks[1],
        test_mask=masks[2],
        class_names=class_names or tuple(f"class {c}" for c in range(num_classes)),
        node_names=clean_names(node_names, num_nodes, "node"),
        feature_names=clean_names(feature_names, features.shape[1], "feature"),
        split=split,
        notes=(*notes, *given_notes, *edge_notes, *label_notes),
    )
