"""A data set at a glance: its numbers, two small charts and a drawn sample. Computed by a job, saved in the store.

Those of the data sets that come with the program were recorded (:mod:`pgcn.recorded`). No torch here.
"""

from collections.abc import Callable, Generator, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from pgcn.embeddings.plan import digest
from pgcn.execution.graphs import load_source
from pgcn.source import GraphSource
from pgcn.store import Store
from pgcn.store.embeddings import Cached, EmbeddingCache

if TYPE_CHECKING:
    from pgcn.graph import Graph

FORMAT = 1
MOST_CLASSES, MOST_NOTES, LONGEST = 50, 50, 200
"""Classes and notes that are told, and characters of a name."""


def portrait_of(graph: "Graph") -> dict[str, Any]:
    """Return the portrait of a graph in plain values."""
    from pgcn.embeddings.predictions import sample_of
    from pgcn.graph.measures import degree_bins, homophily

    y, labelled = graph.y.numpy(), graph.train_mask.numpy()
    sizes = np.bincount(y[y >= 0], minlength=graph.num_classes)
    trained = np.bincount(y[labelled & (y >= 0)], minlength=graph.num_classes)
    sample = sample_of(graph, "")
    sample["classes"] = [name[:LONGEST] for name in sample["classes"][:MOST_CLASSES]]
    if graph.node_names is not None:
        sample["names"] = [graph.node_names[node][:LONGEST] for node in sample["nodes"]]
    return {
        **graph.facts(),
        "validation": int(graph.val_mask.sum()),
        "test": int(graph.test_mask.sum()),
        "unknown": int((y < 0).sum()),
        "homophily": homophily(graph),
        "weighted": graph.edge_weight is not None,
        "density": graph.features.nnz / max(1, graph.num_nodes * graph.num_features),
        "degrees": [list(pair) for pair in degree_bins(graph)],
        "class_names": [name[:LONGEST] for name in graph.class_names[:MOST_CLASSES]],
        "sizes": sizes[:MOST_CLASSES].tolist(),
        "trained": trained[:MOST_CLASSES].tolist(),
        "split": graph.split,
        "notes": [note[:1000] for note in graph.notes[:MOST_NOTES]],
        "sample": sample,
    }


def portrait_key(source: GraphSource) -> str:
    """Return under which key a portrait is cached: of a stored graph it depends on its content alone."""
    return digest("portrait", FORMAT, source.content or source.to_recipe())


def read_portraits(store: Store, sources: Sequence[GraphSource]) -> dict[str, dict[str, Any]]:
    """Return the portraits that are there, by the name of their graph."""
    cache, found = EmbeddingCache(store), {}
    for source in sources:
        if (cached := cache.get(portrait_key(source))) is not None:
            found[source.name] = cached.facts
    return found


def cache_portrait(store: Store, source: GraphSource, portrait: dict[str, Any]) -> None:
    EmbeddingCache(store).put(portrait_key(source), Cached(facts=portrait, arrays={"none": np.zeros(0, np.int8)}))


class Portraits(Iterator[None]):
    """The work of a job: the portraits that are missing, one after the other."""

    def __init__(self, store: Store, sources: Sequence[GraphSource], progress: Callable[[str], None]) -> None:
        self._made = self._make(store, sources, progress)

    def __next__(self) -> None:
        return next(self._made)

    def cancel(self, reason: str = "", *, status: str = "cancelled") -> list:
        """Stop; what is there stays."""
        self._made.close()
        return []

    def _make(self, store: Store, sources: Sequence[GraphSource], progress: Callable) -> Generator[None]:
        for source in sources:
            if not read_portraits(store, [source]):
                graph = load_source(source, store, progress=progress)
                progress(f"Drawing {source.name}…")
                cache_portrait(store, source, portrait_of(graph))
            yield
