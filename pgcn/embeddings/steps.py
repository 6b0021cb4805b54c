"""What a map is made of: the accepted steps of a run, the nodes to show, and their features at each step."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from pgcn.engine.architecture import describe_topology
from pgcn.errors import ConfigError, StoreError
from pgcn.events import BlockAccepted, Event, LayerRejected, RunFinished
from pgcn.methods.registry import grows

if TYPE_CHECKING:  # torch is imported only where features are computed
    from pgcn.engine.model import GraphNet
    from pgcn.graph import Graph

ALL_UP_TO = 5000
"""Of a graph with at most so many nodes every node is shown by default."""
SAMPLE = 3000
"""So many nodes are shown of a greater one."""
COMPONENTS = 50
"""Input features are reduced to so many principal components before anything else is done with them."""


@dataclass(frozen=True, kw_only=True)
class Step:
    """An accepted step of a run; ``stands`` is False where its layer was rejected later."""

    number: int
    layer: int
    block: int
    topology: tuple[int, ...]
    title: str
    stands: bool = True


def accepted_steps(events: Sequence[Event]) -> list[Step]:
    """Return the accepted steps of a run, from 1; a network that does not grow has one, its end."""
    started, lost = events[0], {event.layer for event in events if isinstance(event, LayerRejected)}

    def title(topology: Sequence[int]) -> str:
        return describe_topology(started.features, topology, started.classes)

    if not grows(started.method):
        ended = [event for event in events if isinstance(event, RunFinished) and event.topology]
        whole = ended[-1:] if ended and ended[-1].status == "finished" else []
        return [
            Step(number=1, layer=0, block=0, topology=event.topology, title=title(event.topology))
            for event in whole
        ]
    return [
        Step(
            number=number, layer=event.layer, block=event.block, topology=event.topology,
            title=f"Layer {event.layer}, block {event.block}: {title(event.topology)}",
            stands=event.layer not in lost,
        )
        for number, event in enumerate((e for e in events if isinstance(e, BlockAccepted)), start=1)
    ]  # fmt: skip


def steps_with_weights(events: Sequence[Event], stored: set[tuple[int, ...]], run: str) -> list[Step]:
    """Return the accepted steps; refuse a run that has none, or whose networks were not kept."""
    steps = accepted_steps(events)
    if not steps:
        ended = events[-1] if isinstance(events[-1], RunFinished) else None
        why = f"It ended as {ended.status}: {ended.reason}" if ended else "Its first block is still in training."
        raise StoreError(f"Run {run[:8]} has no network to look into: nothing has been accepted. {why}")
    missing = [step.title for step in steps if step.topology not in stored]
    if missing:
        raise StoreError(f"Run {run[:8]} was kept without the weights of {missing[0]}. Grow it again with --store.")
    return steps


def chosen_steps(steps: Sequence[Step], wanted: str) -> list[Step]:
    """Return the steps that 'all', 'last' (the network that stands) or a number names."""
    if wanted == "all":
        return list(steps)
    if wanted == "last":
        return [[step for step in steps if step.stands][-1]]
    if wanted.isdecimal() and 1 <= int(wanted) <= len(steps):
        return [steps[int(wanted) - 1]]
    raise ConfigError(
        f"No accepted step {wanted!r}: this run has steps 1 to {len(steps)}. Say all, last or a number."
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
    kept = np.flatnonzero(parts) if 3 * parts.sum() <= 2 * size else np.arange(0)
    others = np.setdiff1d(np.arange(count), kept)
    drawn = stratified(y[others], size - len(kept), np.random.default_rng(seed))
    return np.sort(np.concatenate([kept, others[drawn]]))


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


def step_features(model: "GraphNet", graph: "Graph") -> np.ndarray:
    """Return the logits of all nodes, float32 [N, C]."""
    import torch

    with torch.no_grad():
        return model(graph.x, graph.edge_index).numpy()


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
