"""Runs written down as they happen."""

from collections.abc import Sequence

from pgcn.data import load_graph
from pgcn.engine.model import GraphNet
from pgcn.errors import StoreError
from pgcn.events import EpochsTrained, Event, RunEvent
from pgcn.execution.start import resume
from pgcn.graph import Graph
from pgcn.methods.registry import method_named
from pgcn.methods.run import Run, Runs
from pgcn.store import Store, new_id


class Recorder:
    """Writes a run's events to a store as they come; losses in training wait for the next event that decides."""

    def __init__(self, store: Store, run: str | None = None, *, number: int = 0, batch: str | None = None) -> None:
        """``run`` is the id the run has or shall have, ``number`` how many of its events are written already."""
        self.store, self.run, self.batch = store, run or new_id(), batch
        self._number, self._waiting = number, []

    def take(self, event: Event, model: GraphNet | None) -> None:
        """Write down an event, with the accepted network where that changed."""
        if not self._number:
            self.store.open_run(event, run=self.run, batch=self.batch)
            self._number = 1
            return
        self._waiting.append(event)
        if not isinstance(event, EpochsTrained):
            self.store.append(self.run, self._number, self._waiting, model)
            self._number += len(self._waiting)
            self._waiting = []


def record_runs(
    runs: Runs, store: Store, *, ids: Sequence[str] | None = None, batch: str | None = None
) -> list[Recorder]:
    """Write runs to a store while they are iterated over; each recorder knows its run's id."""
    recorders = [Recorder(store, run, batch=batch) for run in ids or [None] * len(runs.configs)]

    def write_down(said: RunEvent, model: GraphNet | None) -> None:
        recorders[said.run].take(said.event, model)

    runs.listen(write_down)
    return recorders


def resume_stored(store: Store, run: str, *, data_dir=None) -> tuple[Run, Graph]:
    """Resume a stored run that was interrupted; its new events follow the old ones in the store."""
    stored, record = store.run(run), store.record(run)
    if stored.status in ("running", "finished", "failed"):
        raise StoreError(
            f"Run {stored.id[:8]} is {stored.status}; only one that was interrupted or cancelled can be resumed."
        )
    if not method_named(stored.method).resumable:
        raise StoreError(f"Run {stored.id[:8]} is of method {stored.method}, whose runs cannot go on.")
    if record.started.recipe is None:
        raise StoreError(f"Run {stored.id[:8]} was on a graph of your own; go on from Python with pgcn.resume.")
    graph = load_graph(**record.started.recipe, data_dir=data_dir)
    going_on = resume(graph, record)
    store.reopen(stored.id, len(record.kept))
    recorder = Recorder(store, stored.id, number=len(record.kept))
    going_on.runs.listen(lambda said, model: recorder.take(said.event, model))
    return going_on, graph
