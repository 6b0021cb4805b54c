"""Graphs by their source, whether of the catalogue or of a store; those used last stay in memory."""

import functools
import multiprocessing
from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import TYPE_CHECKING
from weakref import WeakValueDictionary

from pgcn.data.catalogue import CATALOGUE, GraphFacts, catalogue_facts
from pgcn.errors import DataError, no_such
from pgcn.execution.limits import Limits
from pgcn.source import GraphSource

if TYPE_CHECKING:  # a page that is shown first does not wait for the database
    from pgcn.graph import Graph
    from pgcn.store import Store

Progress = Callable[[str], None]
MOMENT = 0.2
"""Seconds after which whoever waits for a graph may think again."""


class GraphCache:
    """The graphs used last, as many as fit into so many bytes, and all that somebody works with.

    Those who want the same graph at the same time load it once.
    """

    def __init__(self, limit: int) -> None:
        self.limit = limit
        self._last: OrderedDict[Hashable, Graph] = OrderedDict()
        self._alive: WeakValueDictionary[Hashable, Graph] = WeakValueDictionary()
        self._loading: dict[Hashable, Lock] = {}
        self._lock = Lock()

    @property
    def size(self) -> int:
        """The bytes that the graphs used last take."""
        with self._lock:
            return sum(map(bytes_of, self._last.values()))

    def get(
        self, key: Hashable, load: Callable[[], "Graph"], waiting: Callable[[], None] = lambda: None
    ) -> "Graph":
        """Return a graph; one that is not there is loaded. ``waiting`` is called while somebody else loads it."""
        with self._lock:
            loading = self._loading.setdefault(key, Lock())
        while not loading.acquire(timeout=MOMENT):
            waiting()
        try:
            graph = self._alive.get(key)
            if graph is None:
                graph = load()
            self._use(key, graph)
            return graph
        finally:
            with self._lock:
                self._loading.pop(key, None)  # who waits has it already; who comes later finds the graph
            loading.release()

    def _use(self, key: Hashable, graph: "Graph") -> None:
        with self._lock:
            self._alive[key] = self._last[key] = graph
            self._last.move_to_end(key)
            used = sum(map(bytes_of, self._last.values()))
            while used > self.limit:
                used -= bytes_of(self._last.popitem(last=False)[1])


def bytes_of(graph: "Graph") -> int:
    """Return the bytes that a graph takes in memory, but for names."""
    features = graph.features
    tensors = (graph.edge_index, graph.edge_weight, graph.y, graph.train_mask, graph.val_mask, graph.test_mask)
    sparse = features.data.nbytes + features.indices.nbytes + features.indptr.nbytes
    return sparse + sum(tensor.numel() * tensor.element_size() for tensor in tensors if tensor is not None)


@functools.cache
def graph_cache() -> GraphCache:
    """Return the cache of this process: at most 1 GiB, a quarter of that where it only works for another one.

    And at most a quarter of what a job may take (PGCN_MAX_MEMORY).
    """
    most = 2**30 if multiprocessing.parent_process() is None else 2**28
    return GraphCache(min(most, (Limits.from_environment().memory or 2**32) // 4))


def known_graphs(store: "Store") -> dict[str, GraphFacts]:
    """Return what is known of every graph by name: the catalogue's, then the stored ones."""
    stored = {name: GraphFacts(title=name, **graph.facts) for name, graph in store.stored_graphs().items()}
    return CATALOGUE | stored


def named_source(store: "Store", name: str, **how) -> GraphSource:
    """Return the source of a graph by its name, with a split, a seed and so on."""
    found = GraphSource.of(name, **how)
    if name.lower() in CATALOGUE:
        return found.change(name=name.lower())
    stored = store.stored_graphs()
    if name not in stored:
        raise DataError(no_such("data set", name, [*CATALOGUE, *stored]))
    return found.change(content=stored[name].content)


def facts_of(source: GraphSource, store: "Store") -> GraphFacts:
    """Return what is known of a source's graph, without loading it."""
    if source.content is None:
        return catalogue_facts(source)
    for graph in store.stored_graphs().values():
        if graph.content == source.content:
            return GraphFacts(title=graph.name, **graph.facts).of(source)
    raise DataError(f"The graph {source.name} is no longer in this store.")


def load_source(
    source: GraphSource,
    store: "Store | None" = None,
    *,
    data_dir: str | None = None,
    progress: Progress = lambda text: None,
    fetching: Callable | None = None,
) -> "Graph":
    """Return the graph of a source; the next run on it starts at once.

    ``progress`` is called with a sentence about what is done; ``fetching(description, done, total)`` shows a
    download instead.
    """
    from pgcn.data import load

    def fetch_progress(description: str, done: int, total: int | None) -> None:
        amount = f"{done / 1e6:.1f} of {total / 1e6:.1f} MB" if total else f"{done / 1e6:.1f} MB" if done else ""
        progress(f"Fetching {source.name}: {description} {amount}".strip())

    def stored_graph(wanted: GraphSource) -> "Graph":
        from pgcn.graph import graph_from_bytes
        from pgcn.store.graphs import damaged_graph

        if store is None:
            raise DataError(f"The graph {wanted.name} is in a store, and none was given to load it from.")
        graph = graph_from_bytes(store.graph_bytes(wanted))
        if graph.content_id() != wanted.content:  # damaged before it had a checksum
            raise damaged_graph(wanted.name)
        return graph

    def loaded() -> "Graph":
        progress(f"Loading {source.name}…")
        graph = load(source, data_dir=data_dir, progress=fetching or fetch_progress, stored=stored_graph)
        progress("")
        return graph

    return graph_cache().get((source, data_dir), loaded, lambda: progress(f"Loading {source.name}…"))


def load_graph(name: str, *, data_dir=None, progress=None, **how) -> "Graph":
    """Return a graph by its name: a data set of the catalogue, or one in the store that ``PGCN_STORE`` names.

    Arguments as in :func:`pgcn.data.load_graph`.
    """
    from pgcn import data
    from pgcn.store import Store

    if not isinstance(name, str) or name.lower() in CATALOGUE:
        return data.load_graph(name, data_dir=data_dir, progress=progress, **how)
    store = Store()
    try:
        return load_source(named_source(store, name, **how), store)
    finally:
        store.close()
