"""What is known of the nodes of an embedding, whatever the step."""

from dataclasses import asdict
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from pgcn.embeddings.plan import EmbeddingConfig
from pgcn.embeddings.steps import chosen_nodes
from pgcn.store.embeddings import Cached

if TYPE_CHECKING:
    from pgcn.graph import Graph

WORDS = 12
"""So many features of a node are named, those with the largest values."""


def described_nodes(graph: "Graph", config: EmbeddingConfig) -> Cached:
    """Return what is shown of nodes whatever the step: number, class, part, degree, and edges among them.

    ``edges`` holds positions among the nodes shown, each edge once, [2, e]; ``part`` is 0 for none, 1 labelled,
    2 validation, 3 test. Names of nodes and of their features are there only where the graph has them.
    """
    nodes = chosen_nodes(graph, config.nodes, config.seed)
    source, target = graph.edge_index.numpy()
    place = np.full(graph.num_nodes, -1)
    place[nodes] = np.arange(len(nodes))
    shown = (source < target) & (place[source] >= 0) & (place[target] >= 0)
    part = graph.train_mask + 2 * graph.val_mask.int() + 3 * graph.test_mask.int()
    masks = {name: int(getattr(graph, f"{name}_mask").sum()) for name in ("train", "val", "test")}
    about = {"split": graph.split, "dataset": graph.name, "config": asdict(config)}
    names, words = named_parts(graph, nodes)
    return Cached(
        facts={"count": graph.num_nodes, "classes": list(graph.class_names), "masks": masks, **about, **names},
        arrays={
            **words,
            "nodes": nodes.astype(np.int64),
            "y": graph.y.numpy()[nodes],
            "part": part.numpy()[nodes].astype(np.int8),
            "degree": np.bincount(source, minlength=graph.num_nodes)[nodes].astype(np.int32),
            "edges": np.stack([place[source[shown]], place[target[shown]]]).astype(np.int32),
        },
    )


def named_parts(graph: "Graph", nodes: np.ndarray) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """Return the names of nodes and of their features, and ``words``: positions in the latter, -1 for none.

    Planetoid's features are words of papers, but which words was never published: there are no names for them.
    """
    facts: dict[str, Any] = {}
    if graph.node_names is not None:
        facts["node_names"] = [graph.node_names[node] for node in nodes]
    if graph.feature_names is None:
        return facts, {}
    words = np.full((len(nodes), WORDS), -1, dtype=np.int32)
    rows = graph.features[nodes]
    for place, (first, end) in enumerate(pairwise(rows.indptr)):
        values = rows.data[first:end]
        most = np.argsort(-values, kind="stable")[:WORDS]
        most = most[values[most] > 0]
        words[place, : len(most)] = rows.indices[first:end][most]
    used, places = np.unique(words[words >= 0], return_inverse=True)
    words[words >= 0] = places
    facts["feature_names"] = [graph.feature_names[feature] for feature in used]
    return facts, {"words": words}
