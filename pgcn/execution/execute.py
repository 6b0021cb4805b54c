"""Runs by their specification: find the graph, start the method, store everything as it happens."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from pgcn.errors import ConfigError
from pgcn.events import DecisionAwaited, RunEvent
from pgcn.execution.graphs import load_source
from pgcn.execution.recorder import Recorder, record_runs, resume_stored, store_branch
from pgcn.execution.spec import RunSpec
from pgcn.execution.start import start
from pgcn.methods.run import RunResult, Runs
from pgcn.store import Store

Progress = Callable[[str], None]


def execute(
    specs: Sequence[RunSpec],
    store: Store | None = None,
    *,
    ids: Sequence[str] | None = None,
    batch: str | None = None,
    creator: str = "",
    workers: int = 1,
    report_every: int = 10,
    data_dir: str | None = None,
    progress: Progress = lambda text: None,
    fetching: Callable | None = None,
    record: bool = True,
) -> "Execution":
    """Start runs of one method on one graph, side by side; those of a study differ in their settings.

    They are stored as they happen where a store is given, unless ``record`` is False. ``progress`` is called with a
    sentence about what is done before they begin; ``fetching(description, done, total)`` shows a download instead.
    """
    if not specs:
        raise ConfigError("Runs need at least one specification, got none.")
    first = specs[0]
    if any((s.method, s.source, s.reproducible) != (first.method, first.source, first.reproducible) for s in specs):
        raise ConfigError("Runs that are started together must be of one method on one graph.")
    graph = load_source(first.source, store, data_dir=data_dir, progress=progress, fetching=fetching)
    if workers > 1 and len(specs) > 1:
        progress("Starting processes…")
    elif first.reproducible:
        progress("Starting a process that computes reproducibly…")
    runs = start(
        first.method,
        graph,
        [spec.config for spec in specs],
        workers=workers,
        reproducible=first.reproducible,
        report_every=report_every,
    )
    recorders = (
        record_runs(runs, store, ids=ids, batch=batch, creator=creator) if store is not None and record else []
    )
    return Execution(runs, recorders)


class Execution(Iterator[RunEvent | None]):
    """Runs as a job's work: ``next`` returns None where nothing has happened for a moment."""

    def __init__(self, runs: Runs, recorders: Sequence[Recorder] = (), before: Sequence[RunEvent] = ()) -> None:
        """``before`` are events of an earlier session, which are told first."""
        self.runs, self.recorders = runs, list(recorders)
        self._before = list(before)

    def __next__(self) -> RunEvent | None:
        return self._before.pop(0) if self._before else self.runs.poll()

    def cancel(self, reason: str, *, status: str = "cancelled") -> list[RunEvent]:
        ended = self.runs.cancel(reason, status=status)
        if any(recorder.stopped.is_set() for recorder in self.recorders):  # what was not stored is not shown
            return self._before
        return [*self._before, *ended]

    @property
    def question(self) -> DecisionAwaited | None:
        """What a person is asked now; None while nobody is."""
        return None if self._before else self.runs.question

    def decide(self, decision: str) -> None:
        self.runs.decide(decision)

    def finish(self) -> list[RunResult]:
        """Work until all runs have ended and return what they left behind."""
        return self.runs.finish()


def branch_execution(
    store: Store,
    parent: str,
    step: int,
    changes: dict[str, Any],
    *,
    run: str,
    batch: str | None = None,
    creator: str = "",
    data_dir: str | None = None,
) -> Execution:
    """Grow on from a step of a stored run with other settings, as a run of its own with this id."""
    store_branch(store, parent, step, changes, run=run, batch=batch, creator=creator)
    return resume_execution(store, run, data_dir=data_dir)


def resume_execution(store: Store, run: str, *, data_dir: str | None = None) -> Execution:
    """Resume a stored run: what happened before, then what happens now."""
    resumed, _ = resume_stored(store, run, data_dir=data_dir)
    return Execution(resumed.runs, before=[RunEvent(run=0, event=event) for event in store.events(run)])
