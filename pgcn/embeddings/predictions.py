"""What the accepted networks of a run predict for the nodes that are drawn beside it, and what each neuron learned.

Made by a job from the stored networks, saved in the store, and read from there by pages. Not part of the events.
"""

from collections.abc import Callable, Generator, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from pgcn.embeddings.plan import digest
from pgcn.embeddings.sample import as_text, drawn_sample
from pgcn.events import RunStarted, opening
from pgcn.execution.graphs import load_source
from pgcn.source import GraphSource
from pgcn.store import Store
from pgcn.store.embeddings import Cached, EmbeddingCache

if TYPE_CHECKING:
    from pgcn.graph import Graph

Progress = Callable[[str], None]
FORMAT = 1


def sample_key(started: RunStarted) -> str:
    return digest("graph sample", FORMAT, started.recipe)


def predictions_key(run: str, step: int) -> str:
    return digest("sample predictions", FORMAT, run, step)


def read_sample(store: Store, run: str, started: RunStarted, steps: int) -> dict[str, Any] | None:
    """Return the sample of a run's graph with the predictions that are there, of so many steps; None without it."""
    cache = EmbeddingCache(store)
    sample = cache.get(sample_key(started))
    if sample is None:
        return None
    keys = {predictions_key(run, step): step for step in range(1, steps + 1)}
    predicted = {keys[key]: cache.get(key) for key in cache.known(list(keys))}
    return sample.facts | {
        "predicted": {str(step): as_text(found.arrays["predicted"]) for step, found in predicted.items() if found}
    }


class Predictions(Iterator[None]):
    """The work of a job: the sample of a run's graph, and of its networks predictions and profiles."""

    def __init__(self, store: Store, run: str, progress: Progress = lambda text: None) -> None:
        self._made = self._make(store, run, progress)

    def __next__(self) -> None:
        return next(self._made)

    def cancel(self, reason: str = "", *, status: str = "cancelled") -> list:
        """Stop; what is there stays."""
        self._made.close()
        return []

    def _make(self, store: Store, run: str, progress: Progress) -> Generator[None]:
        from pgcn.embeddings.steps import step_features
        from pgcn.engine.model import GraphNet
        from pgcn.inside.profiles import class_profiles
        from pgcn.inside.stored import profiles_key, save_profiles
        from pgcn.methods.network import build_network, weights_from_bytes

        cache, started = EmbeddingCache(store), opening(store.events(run))
        graph = load_source(GraphSource.from_recipe(started.recipe), store, progress=progress)
        sample = cache.get(sample_key(started))
        if sample is None:
            sample = Cached(facts=sample_of(graph, sample_key(started)), arrays={"none": np.zeros(0, np.int8)})
            cache.put(sample_key(started), sample)
            yield
        networks, nodes = store.networks(run), sample.facts["nodes"]
        known = cache.known([key(run, step) for step in networks for key in (predictions_key, profiles_key)])
        for step, row in sorted(networks.items(), reverse=True):  # the newest is looked at first
            predicts, profile = predictions_key(run, step), profiles_key(run, step)
            if {predicts, profile} <= known:
                continue
            weights = weights_from_bytes(row.weights)
            network = build_network(started.method, row.description, weights, started.config)
            if predicts not in known:
                predicted = step_features(network, graph)[nodes].argmax(axis=1).astype(np.int16)
                cache.put(predicts, Cached(facts={}, arrays={"predicted": predicted}), run=run)
            if profile not in known and isinstance(network, GraphNet):
                save_profiles(store, run, step, class_profiles(network, graph), graph)
            yield


def sample_of(graph: "Graph", name: str) -> dict[str, Any]:
    """Return the sample of a graph that is drawn."""
    part = graph.train_mask + 2 * graph.val_mask.int() + 3 * graph.test_mask.int()
    names = list(graph.class_names)
    return drawn_sample(graph.edge_index.numpy(), graph.y.numpy(), part.numpy(), names, name=name)
