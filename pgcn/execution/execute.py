"""What jobs do: load a graph by its recipe, grow or train on it, and write everything down as it happens."""

import json
import os
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from threading import Lock
from typing import Any

from pgcn.data import load_graph
from pgcn.events import RunEvent
from pgcn.execution.recorder import record_runs, resume_stored
from pgcn.execution.start import grow_many
from pgcn.graph import Graph
from pgcn.methods.pgcn import GrowthConfig
from pgcn.methods.run import RunResult, Runs
from pgcn.store import Store

Tell = Callable[[str], None]
Recipe = dict[str, Any]

GRAPHS_KEPT = 4
_graphs: OrderedDict[str, Graph] = OrderedDict()
_lock = Lock()


def graph_of(recipe: Recipe, tell: Tell, *, data_dir: str | None = None) -> Graph:
    """Return the graph of a recipe; the last few are kept, so that the next run on one starts at once."""
    key = json.dumps([recipe, data_dir], sort_keys=True)
    with _lock:
        if key in _graphs:
            _graphs.move_to_end(key)
            return _graphs[key]

    def progress(description: str, done: int, total: int | None) -> None:
        amount = f"{done / 1e6:.1f} of {total / 1e6:.1f} MB" if total else f"{done / 1e6:.1f} MB" if done else ""
        tell(f"Fetching {recipe['name']}: {description} {amount}".strip())

    tell(f"Loading {recipe['name']}…")
    graph = load_graph(**recipe, progress=progress, data_dir=data_dir)
    tell("")
    with _lock:
        _graphs[key] = graph
        while len(_graphs) > GRAPHS_KEPT:
            _graphs.popitem(last=False)
    return graph


def start_growth(
    recipe: Recipe, config: GrowthConfig, store: Store, run: str, tell: Tell, *, reproducible: bool = False
) -> "Divided":
    """Grow one network; it is written down under the id ``run``."""
    graph = graph_of(recipe, tell)
    if reproducible:
        tell("Starting a process that computes reproducibly…")
    runs = grow_many(graph, [config], reproducible=reproducible)
    record_runs(runs, store, ids=[run])
    return Divided(runs)


def start_batch(
    recipe: Recipe,
    configs: Sequence[GrowthConfig],
    store: Store,
    ids: Sequence[str],
    batch: str,
    tell: Tell,
    *,
    reproducible: bool = False,
) -> "Divided":
    """Grow many networks in lanes, divided among processes."""
    graph = graph_of(recipe, tell)
    tell("Starting processes…")
    runs = grow_many(graph, configs, workers=os.cpu_count() or 1, reproducible=reproducible)
    record_runs(runs, store, ids=ids, batch=batch)
    return Divided(runs)


class Divided(Iterator[RunEvent | None]):
    """Runs perhaps in processes of their own, which can be cancelled also while nothing happens."""

    def __init__(self, runs: Runs) -> None:
        self._runs = runs

    def __next__(self) -> RunEvent | None:
        return self._runs.look()

    def cancel(self, reason: str, *, status: str = "cancelled") -> list[RunEvent]:
        return self._runs.cancel(reason, status=status)

    def finish(self) -> list[RunResult]:
        """Work until all runs have ended and return what they left behind."""
        return self._runs.finish()


class Resumed:
    """A stored run that goes on: what happened before, then what happens now."""

    def __init__(self, store: Store, run: str) -> None:
        going_on, _ = resume_stored(store, run)
        self._runs = going_on.runs
        self._before = [RunEvent(run=0, event=event) for event in store.events(run)]

    def __next__(self) -> RunEvent | None:
        return self._before.pop(0) if self._before else self._runs.look()

    def cancel(self, reason: str, *, status: str = "cancelled") -> list[RunEvent]:
        return [*self._before, *self._runs.cancel(reason, status=status)]
