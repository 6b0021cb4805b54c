"""Runs stored as they happen, and built again from what is stored."""

import contextlib
import threading
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from pgcn.engine.model import weights_to_bytes
from pgcn.errors import StoreError, StoreUnavailable
from pgcn.events import EpochsTrained, Event, RunEvent, opening
from pgcn.execution.graphs import load_source
from pgcn.execution.spec import RunSpec
from pgcn.execution.start import resume
from pgcn.graph import Graph
from pgcn.methods.network import Network, build_network, weights_from_bytes
from pgcn.methods.pgcn.branch import branch_record
from pgcn.methods.pgcn.events import BlockAccepted
from pgcn.methods.registry import method_named
from pgcn.methods.run import Run, RunRecord, Runs
from pgcn.store import AcceptedNetwork, Store, new_id
from pgcn.store.patience import patiently
from pgcn.store.rows import NetworkRow

if TYPE_CHECKING:
    from torch import nn


class Recorder:
    """Writes a run's events to a store as they come; losses in training wait for the next event that decides.

    A write that fails for a passing reason is tried again for a while. If it fails for good, the run is interrupted
    with all that was stored, and can be resumed; nothing more of it is written.
    """

    def __init__(
        self,
        store: Store,
        run: str,
        *,
        number: int = 0,
        batch: str | None = None,
        creator: str = "",
        stopped: threading.Event | None = None,
    ) -> None:
        """``run`` is the id the run has or shall have, ``number`` how many of its events are stored already.

        ``stopped`` is shared by runs that are stored together: where one cannot be written, none is.
        """
        self.store, self.run, self.batch, self.creator = store, run, batch, creator
        self.stopped = stopped or threading.Event()
        self._number = number
        self._waiting: list[Event] = []

    def take(self, event: Event, network: Network | None) -> None:
        """Store an event, with the accepted network where that changed."""
        if self.stopped.is_set():
            return
        if not self._number:
            started = opening([event])
            self._write(lambda: self.store.open_run(started, run=self.run, batch=self.batch, creator=self.creator))
            self._number = 1
            return
        self._waiting.append(event)
        if not isinstance(event, EpochsTrained):
            row = accepted_row(network) if network else None
            self._write(lambda: self.store.append(self.run, self._number, self._waiting, row))
            self._number += len(self._waiting)
            self._waiting = []

    def _write(self, write: Callable[[], object]) -> None:
        """Write; where that does not succeed even after a while, nothing more of the run is written."""
        try:
            patiently(write)
        except StoreUnavailable as error:
            self._give_up()
            advice = "The run is interrupted, with all that was stored: resume it when the store is back."
            raise StoreError(f"{error} {advice}") from error
        except StoreError:
            self._give_up()
            raise

    def _give_up(self) -> None:
        self.stopped.set()
        with contextlib.suppress(StoreError):  # where it cannot be written, the lease runs out by itself
            self.store.abandon(self.run)


def accepted_row(network: Network) -> AcceptedNetwork:
    """Return a network as it is stored."""
    return AcceptedNetwork(
        step=network.step,
        description=network.description,
        weights=weights_to_bytes(network.weights),
        topology=network.topology,
        parameters=network.parameters,
        scores=network.scores,
    )


def record_runs(
    runs: Runs, store: Store, *, ids: Sequence[str] | None = None, batch: str | None = None, creator: str = ""
) -> list[Recorder]:
    """Store runs while they are iterated over; each recorder knows its run's id."""
    names = ids or [new_id() for _ in runs.configs]
    stopped = threading.Event()
    recorders = [Recorder(store, run, batch=batch, creator=creator, stopped=stopped) for run in names]

    def store_event(event: RunEvent, network: Network | None) -> None:
        recorders[event.run].take(event.event, network)

    runs.listen(store_event)
    return recorders


def stored_record(store: Store, run: str) -> RunRecord:
    """Return what is needed to resume a run."""
    weights = {step: weights_from_bytes(network.weights) for step, network in store.networks(run).items()}
    return RunRecord(events=store.events(run), weights=weights)


def resume_stored(store: Store, run: str, *, data_dir=None) -> tuple[Run, Graph]:
    """Resume a stored run that was interrupted; its new events follow the old ones in the store."""
    stored = store.run(run)
    if stored.status not in ("interrupted", "cancelled"):
        raise StoreError(
            f"Run {stored.id[:8]} is {stored.status}; only one that was interrupted or cancelled can be resumed."
        )
    if not method_named(stored.method).resumable:
        raise StoreError(f"Run {stored.id[:8]} is of method {stored.method}, whose runs cannot be resumed.")
    record = stored_record(store, run)
    graph = load_source(RunSpec.of(record.started).source, store, data_dir=data_dir)
    resumed = resume(graph, record)
    store.reopen(stored.id, len(record.standing))
    recorder = Recorder(store, stored.id, number=len(record.standing))
    resumed.runs.listen(lambda event, network: recorder.take(event.event, network))
    return resumed, graph


def store_branch(
    store: Store,
    parent: str,
    step: int,
    changes: dict[str, Any],
    *,
    run: str,
    batch: str | None = None,
    creator: str = "",
) -> None:
    """Store a branch from a step of a stored run, under an id: it is interrupted there, to be resumed.

    In one transaction: half of a beginning would be grown on with the settings that hold from its end on.
    """
    origin = store.run(parent)
    record = branch_record(stored_record(store, origin.id), origin.id, step, changes)
    accepted = [event for event in record.events if isinstance(event, BlockAccepted)]
    networks = store.networks(origin.id)
    rows = [
        accepted_with(networks[number], event)
        for number, event in enumerate(accepted, start=1)
        if number in networks
    ]
    store.save(run, record.events, rows, name="", batch=batch, creator=creator)


def accepted_with(network: NetworkRow, event: BlockAccepted) -> AcceptedNetwork:
    """Return a stored network with what its event says of it."""
    return AcceptedNetwork(
        **vars(network), topology=event.topology, parameters=event.parameters, scores=event.after
    )


def stored_models(store: Store, run: str) -> "dict[int, nn.Module]":
    """Return every network that a run has accepted, by step."""
    started = opening(store.events(run))
    return {
        step: build_network(started.method, row.description, weights_from_bytes(row.weights), started.config)
        for step, row in store.networks(run).items()
    }


def stored_model(store: Store, run: str) -> "nn.Module":
    """Return the network that a run has arrived at."""
    row, started = store.network(run), opening(store.events(run))
    return build_network(started.method, row.description, weights_from_bytes(row.weights), started.config)
