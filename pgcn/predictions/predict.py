"""The predictions of a stored network for its own graph, or for another one with the same features."""

import shlex

import numpy as np
import torch
from torch import nn

from pgcn.errors import GraphError
from pgcn.events import opening
from pgcn.execution.graphs import load_source, named_source
from pgcn.execution.recorder import stored_model
from pgcn.execution.spec import RunSpec
from pgcn.graph import Graph
from pgcn.predictions.table import Predictions
from pgcn.store import Store


def predict(store: Store, run: str, *, graph: str | None = None, data_dir=None, fetching=None) -> Predictions:
    """Return the predictions of a stored run for its own graph, or for another one with the same features.

    A network of any method; ``graph`` names a data set or a stored graph, such as a newer version with more nodes.
    """
    source = RunSpec.of(opening(store.events(run))).source
    trained = load_source(source, store, data_dir=data_dir, fetching=fetching)
    found = trained
    if graph is not None:
        found = load_source(named_source(store, graph), store, data_dir=data_dir, fetching=fetching)
        check_features(found, trained)
    return predictions_of(stored_model(store, run), found)


def predictions_of(model: nn.Module, graph: Graph) -> Predictions:
    """Return what a network of any method says of all nodes of a graph."""
    with torch.no_grad():
        logits = model(graph.x, graph.edge_index, graph.edge_weight)
    part = graph.train_mask + 2 * graph.val_mask.int() + 3 * graph.test_mask.int()
    return Predictions(
        logits=logits.numpy(),
        y=graph.y.numpy(),
        part=part.numpy().astype(np.int8),
        class_names=graph.class_names,
        node_names=graph.node_names,
    )


def check_features(graph: Graph, trained: Graph) -> None:
    """Refuse a graph whose features or classes are not those that a network was trained on."""
    if graph.num_features != trained.num_features:
        raise GraphError(
            f"{graph.name} has {graph.num_features:,} features, but the network was trained on "
            f"{trained.num_features:,} of {trained.name}. Give it the same features."
        )
    if graph.feature_names != trained.feature_names:
        pairs = zip(graph.feature_names or (), trained.feature_names or (), strict=False)
        number = next((place for place, (one, other) in enumerate(pairs) if one != other), 0)
        raise GraphError(
            f"The features of {graph.name} are not those of {trained.name}, which the network was trained on: the "
            f"first that differs is number {number}. Give it the same features in the same order."
        )
    if graph.fitted and trained.fitted and graph.fitted != trained.fitted:
        raise GraphError(
            f"The features of {graph.name} were made from its own values or edges, those of {trained.name} from "
            "others: the same number means something else. Add it again with "
            f"--like {shlex.quote(trained.name)}."
        )
    if graph.class_names != trained.class_names:
        raise GraphError(f"The classes of {graph.name} are not those of {trained.name}. Name them the same.")
