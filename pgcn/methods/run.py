"""Runs under way: iterate over their events, then ask for what they left behind."""

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from typing import Any

import torch

from pgcn import reproducible
from pgcn.config import Config
from pgcn.engine.architecture import Architecture
from pgcn.engine.lanes import Weights
from pgcn.engine.model import GraphNet
from pgcn.errors import GraphError, PgcnError
from pgcn.events import (
    BlockAccepted,
    BlockJudged,
    Event,
    LayerAccepted,
    LayerJudged,
    RunEvent,
    RunFinished,
    RunStarted,
    Scores,
)
from pgcn.graph import Graph

Step = tuple[int, Event, Weights | None]
"""The run it belongs to, what happened, and the accepted weights where they changed."""
Listener = Callable[[RunEvent, GraphNet | None], None]


@dataclass(frozen=True, kw_only=True, eq=False)
class RunResult:
    """What a run left behind; ``model`` is None where nothing had been accepted when it failed or was stopped."""

    config: Config
    events: tuple[Event, ...]
    model: GraphNet | None
    finished: RunFinished

    @property
    def topology(self) -> tuple[int, ...]:
        return self.finished.topology

    @property
    def scores(self) -> Scores | None:
        return self.finished.scores

    @property
    def parameters(self) -> int:
        return self.finished.parameters


@dataclass(frozen=True, kw_only=True, eq=False)
class RunRecord:
    """What is known of a run that was interrupted: its events, and the weights of the networks it had accepted.

    ``weights`` is looked up by topology; the last accepted network and the one before the layer in growth are
    needed to go on.
    """

    events: tuple[Event, ...]
    weights: Mapping[tuple[int, ...], Weights]

    def __post_init__(self) -> None:
        if not self.events or not isinstance(self.events[0], RunStarted):
            raise PgcnError("The record of a run must begin with RunStarted.")
        accepted = [event.topology for event in self.events if isinstance(event, BlockAccepted)]
        before_layer = [event.topology for event in self.events if isinstance(event, LayerAccepted)]
        for topology in accepted[-1:] + before_layer[-1:]:
            if topology not in self.weights:
                raise PgcnError(f"The record lacks the weights of the network {list(topology)}; it cannot go on.")

    @property
    def started(self) -> RunStarted:
        return self.events[0]

    @property
    def kept(self) -> tuple[Event, ...]:
        """The events up to the last judgement; a candidate after it is tried again."""
        last = max((i for i, e in enumerate(self.events) if isinstance(e, BlockJudged | LayerJudged)), default=0)
        return self.events[: last + 1]


class Runs(Iterator[RunEvent]):
    """Many runs side by side. Each ``next`` works until something has happened; to stop is to stop asking."""

    def __init__(
        self,
        configs: Sequence[Config],
        steps: Generator[Step | None],
        architecture: Callable[[Config, tuple], Architecture],
        records: Sequence[RunRecord] = (),
    ) -> None:
        self.configs = tuple(configs)
        self._steps = steps
        self._architecture = architecture
        self._listeners: list[Listener] = []
        self._events: list[list[Event]] = [[] for _ in configs]
        self._accepted: list[tuple[Event, Weights] | None] = [None for _ in configs]
        for run, record in enumerate(records):
            self._events[run] = list(record.kept)
            accepted = [event for event in record.kept if isinstance(event, BlockAccepted)]
            if accepted:
                self._accepted[run] = accepted[-1], record.weights[accepted[-1].topology]

    def __next__(self) -> RunEvent:
        while (said := self.look()) is None:
            pass
        return said

    def look(self) -> RunEvent | None:
        """Work until something has happened; None where processes do the work and nothing has for a moment."""
        step = next(self._steps)
        if step is None:
            return None
        run, event, weights = step
        self._events[run].append(event)
        if weights is not None:
            self._accepted[run] = (event, weights)
        return self._tell(RunEvent(run=run, event=event), changed=weights is not None)

    def started(self, run: int = 0) -> RunStarted:
        """Return the event that opened a run; of a run that has not begun, begin it."""
        while not self._events[run]:
            next(self)
        return self._events[run][0]

    def listen(self, listener: Listener) -> None:
        """Have a function called with every event, and with the accepted network where that changed."""
        self._listeners.append(listener)

    def _tell(self, said: RunEvent, *, changed: bool) -> RunEvent:
        if self._listeners:
            model = self.model(said.run) if changed else None
            for listener in self._listeners:
                listener(said, model)
        return said

    def cancel(self, reason: str = "Stopped before its end.", *, status: str = "cancelled") -> list[RunEvent]:
        """Give up the runs that have not ended; each ends with what it had accepted, as the events returned say.

        Of a run that has not begun there is nothing to say.
        """
        self._steps.close()
        ended = []
        for run, events in enumerate(self._events):
            if not events or isinstance(events[-1], RunFinished):
                continue
            judged = [event for event in events if isinstance(event, BlockJudged)]
            standing = self._accepted[run][0] if self._accepted[run] else None
            events.append(
                RunFinished(
                    status=status,
                    reason=reason,
                    topology=standing.topology if standing else (),
                    parameters=standing.parameters if standing else 0,
                    scores=standing.after if isinstance(standing, BlockAccepted) else standing and standing.before,
                    seconds=sum(event.seconds for event in judged),
                )
            )
            ended.append(self._tell(RunEvent(run=run, event=events[-1]), changed=False))
        return ended

    def model(self, run: int = 0) -> GraphNet | None:
        """Return the network accepted so far, None before the first block is."""
        if self._accepted[run] is None:
            return None
        event, weights = self._accepted[run]
        config = self.configs[run]
        return GraphNet.from_weights(self._architecture(config, event.topology), weights, config.to_dict())

    def result(self, run: int = 0) -> RunResult:
        """Return what a run left behind; it must have ended."""
        events = self._events[run]
        if not events or not isinstance(events[-1], RunFinished):
            raise PgcnError(f"Run {run} has not ended. Iterate over its events to the end, or call finish().")
        return RunResult(config=self.configs[run], events=tuple(events), model=self.model(run), finished=events[-1])

    def finish(self) -> list[RunResult]:
        """Work until all runs have ended and return what they left behind."""
        for _ in self:
            pass
        return [self.result(run) for run in range(len(self.configs))]


class Run(Iterator[Event]):
    """One run: iterate over its events, then ask for its result."""

    def __init__(self, runs: Runs) -> None:
        self.runs = runs

    def __next__(self) -> Event:
        return next(self.runs).event

    def cancel(self, reason: str = "Stopped before its end.") -> Event | None:
        """Give the run up; return the event that ends it, None if it had ended or not begun."""
        return next((said.event for said in self.runs.cancel(reason)), None)

    @property
    def model(self) -> GraphNet | None:
        """The network accepted so far."""
        return self.runs.model()

    @property
    def result(self) -> RunResult:
        return self.runs.result()

    def finish(self) -> RunResult:
        """Work until the run has ended and return what it left behind."""
        return self.runs.finish()[0]


def run_started(graph: Graph, method: str, config: Config) -> RunStarted:
    """Return the event that opens a run."""
    promised, notes = False, graph.notes
    if reproducible.is_on():
        obstacle = reproducible.obstacle()
        if config.device != "cpu":
            obstacle = f"it computes on {config.device}"
        promised = obstacle is None
        if obstacle:
            notes = (*notes, f"Reproducible mode: it can promise nothing here, because {obstacle}.")
    return RunStarted(
        method=method,
        **graph_facts(graph),
        config=config.to_dict(),
        versions={"pgcn": version("pgcn"), "torch": str(torch.__version__)},
        notes=notes,
        recipe=graph.recipe,
        reproducible=promised,
    )


def graph_facts(graph: Graph) -> dict[str, Any]:
    """Return what an opening event says of its graph."""
    return {
        "dataset": graph.name,
        "split": graph.split,
        "nodes": graph.num_nodes,
        "edges": graph.num_edges,
        "features": graph.num_features,
        "classes": graph.num_classes,
        "labelled": int(graph.train_mask.sum()),
        "val": int(graph.val_mask.sum()),
        "test": int(graph.test_mask.sum()),
    }


def check_same_graph(graph: Graph, started: RunStarted) -> None:
    """Refuse to resume a run on another graph than the one it was started on."""
    for name, is_now in graph_facts(graph).items():
        was = getattr(started, name)
        if was != is_now:
            raise GraphError(f"The run was started on another graph: {name} was {was}, now it is {is_now}.")
