"""What an embedding is made of: the accepted steps of a run, the nodes to show, and their features at each step."""

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

import numpy as np

from pgcn.errors import ConfigError, StoreError, shown
from pgcn.events import Event, RunFinished
from pgcn.limits import read_whole
from pgcn.methods.endings import ending_sentence
from pgcn.methods.registry import method_named
from pgcn.methods.steps import Step

if TYPE_CHECKING:  # torch is imported only where features are computed
    from torch import nn

    from pgcn.graph import Graph

ALL_UP_TO = 5000
"""Of a graph with at most so many nodes every node is shown by default."""
SAMPLE = 3000
"""So many nodes are shown of a greater one."""
COMPONENTS = 50
"""Input features are reduced to so many principal components before anything else is done with them."""


def steps_with_weights(events: Sequence[Event], stored: Collection[int], run: str) -> list[Step]:
    """Return the accepted steps; refuse a run that has none, or whose networks were not stored."""
    steps = method_named(events[0].method).steps(events)
    if not steps:
        ended = events[-1] if isinstance(events[-1], RunFinished) else None
        why = "Its first network is still in training."
        if ended:
            why = f"It ended as {ended.status}: {ending_sentence(ended)}"
        raise StoreError(f"Run {run[:8]} has no network to embed: nothing has been accepted. {why}")
    missing = [step.title for step in steps if step.number not in stored]
    if missing:
        raise StoreError(f"Run {run[:8]} has no stored weights of {missing[0]}. Run it again with --store.")
    return steps


def chosen_steps(steps: Sequence[Step], wanted: str) -> list[Step]:
    """Return the steps that 'all', 'last' (the network that stands) or a number names."""
    if wanted == "all":
        return list(steps)
    if wanted == "last":
        return [[step for step in steps if step.stands][-1]]
    number = read_whole(wanted)
    if number is not None and 1 <= number <= len(steps):
        return [steps[number - 1]]
    raise ConfigError(
        f"No accepted step {shown(wanted)}: this run has steps 1 to {len(steps)}. Use all, last or a number."
    )


def chosen_nodes(graph: "Graph", nodes: int | str, seed: int) -> np.ndarray:
    """Return the numbers of the nodes to show, int64 [n], in order.

    'auto' shows all of a small graph and a sample of a great one; 'all' shows all; a number is the sample's size.
    A sample holds all labelled, validation and test nodes where they are at most two thirds of it; the others are
    drawn class by class, each class by its share. The same seed draws the same nodes.
    """
    count = graph.num_nodes
    if nodes == "all" or (nodes == "auto" and count <= ALL_UP_TO) or (nodes != "auto" and int(nodes) >= count):
        return np.arange(count)
    size, y = SAMPLE if nodes == "auto" else int(nodes), graph.y.numpy()
    parts = (graph.train_mask | graph.val_mask | graph.test_mask).numpy()
    always = np.flatnonzero(parts) if 3 * parts.sum() <= 2 * size else np.arange(0)
    others = np.setdiff1d(np.arange(count), always)
    drawn = stratified(y[others], size - len(always), np.random.default_rng(seed))
    return np.sort(np.concatenate([always, others[drawn]]))


def stratified(classes: np.ndarray, size: int, generator: np.random.Generator) -> np.ndarray:
    """Return ``size`` positions, of each class its share, to within one node."""
    values, counts = np.unique(classes, return_counts=True)
    shares = counts * size / len(classes)
    quota = np.floor(shares).astype(int)
    quota[np.argsort(quota - shares, kind="stable")[: size - quota.sum()]] += 1  # the largest remainders
    drawn = [
        generator.choice(np.flatnonzero(classes == value), many, replace=False)
        for value, many in zip(values, quota, strict=True)
    ]
    return np.sort(np.concatenate(drawn))


def step_features(model: "nn.Module", graph: "Graph") -> np.ndarray:
    """Return the logits of all nodes, float32 [N, C]."""
    import torch

    with torch.no_grad():
        return model(graph.x, graph.edge_index, graph.edge_weight).numpy()


def input_features(graph: "Graph", nodes: np.ndarray, seed: int) -> np.ndarray:
    """Return the nodes' input features, by their first principal components where there are many, [n, ≤ 50]."""
    features = graph.features[nodes].toarray()
    if min(features.shape) <= COMPONENTS:
        return features
    from sklearn.decomposition import PCA

    return PCA(COMPONENTS, svd_solver="randomized", random_state=seed).fit_transform(features)


def predictions(features: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return each node's most likely class and its softmax probability, int32 [n] and float32 [n]."""
    shifted = np.exp(features - features.max(axis=1, keepdims=True))
    return features.argmax(axis=1).astype(np.int32), (shifted.max(axis=1) / shifted.sum(axis=1)).astype(np.float32)
