"""Runs under way: iterate over their events, then ask for what they left behind."""

from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass

from torch import nn

from pgcn.config import RunConfig
from pgcn.engine.allocation import allocation_in_words
from pgcn.engine.lanes import Weights
from pgcn.errors import ConfigError, PgcnError, no_such
from pgcn.events import DecisionAwaited, Event, RunEvent, RunFinished, RunStarted, Scores, opening
from pgcn.methods.network import Network, build_network
from pgcn.methods.registry import Method, method_named

RunStep = tuple[int, Event, Network | None]
"""The run it belongs to, what happened, and the accepted network where that changed."""
Listener = Callable[[RunEvent, Network | None], None]


@dataclass(frozen=True, kw_only=True, eq=False)
class RunResult:
    """What a run left behind; ``model`` is None where nothing had been accepted when it failed or was stopped."""

    config: RunConfig
    events: tuple[Event, ...]
    model: nn.Module | None
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
    """What is known of a run that was interrupted: its events, and the weights of its accepted networks by step."""

    events: tuple[Event, ...]
    weights: Mapping[int, Weights]

    def __post_init__(self) -> None:
        opening(self.events)

    @property
    def started(self) -> RunStarted:
        return opening(self.events)

    @property
    def standing(self) -> tuple[Event, ...]:
        """The events that stand when the run is resumed; what was under way after them is tried again."""
        method = method_named(self.started.method)
        if method.standing is None:
            raise ConfigError(f"A run of {method.title} cannot be resumed; start it again.")
        return self.events[: method.standing(self.events)]


class Runs(Iterator[RunEvent]):
    """Many runs side by side. Each ``next`` works until something has happened; to stop is to stop asking."""

    def __init__(
        self,
        method: Method,
        configs: Sequence[RunConfig],
        steps: Generator[RunStep | None, str | None],
        resumed: Mapping[int, tuple[RunRecord, Network | None]] | None = None,
    ) -> None:
        """``resumed`` holds, by position, the records of runs that go on and the network each had accepted."""
        self.method, self.configs = method, tuple(configs)
        self._steps = steps
        self._listeners: list[Listener] = []
        self._events: list[list[Event]] = [[] for _ in configs]
        self._accepted: list[Network | None] = [None for _ in configs]
        self._decision: str | None = None
        self._answered: DecisionAwaited | None = None
        for run, (record, network) in (resumed or {}).items():
            self._events[run] = list(record.standing)
            self._accepted[run] = network

    def __next__(self) -> RunEvent:
        while (event := self.poll()) is None:
            if self.question is not None:
                raise PgcnError(
                    f"The run waits for a decision: {', '.join(self.question.choices)}. Call decide(...) before "
                    "you ask for the next event, or let the rule decide (decider=rule)."
                )
        return event

    @property
    def question(self) -> DecisionAwaited | None:
        """What a person is asked now; None while nobody is."""
        asked = (told[-1] for told in self._events if told and isinstance(told[-1], DecisionAwaited))
        return next((question for question in asked if question is not self._answered), None)

    def decide(self, decision: str) -> None:
        """Answer the question that a run waits for."""
        question = self.question
        if question is None:
            raise PgcnError("No run waits for a decision now.")
        if decision not in question.choices:
            raise ConfigError(no_such("decision", decision, question.choices))
        self._decision, self._answered = decision, question

    def poll(self) -> RunEvent | None:
        """Work until something has happened.

        None where processes do the work and nothing has for a moment, or where a person's decision is awaited.
        """
        with allocation_in_words():
            step = next(self._steps)
            if step is None and self._decision is not None:  # they are where they take it
                decision, self._decision = self._decision, None
                step = self._steps.send(decision)
        if step is None:
            return None
        run, event, network = step
        self._events[run].append(event)
        if network is not None:
            self._accepted[run] = network
        return self._notify(RunEvent(run=run, event=event), network)

    def started(self, run: int = 0) -> RunStarted:
        """Return the event that opened a run; of a run that has not begun, begin it."""
        while not self._events[run]:
            next(self)
        return opening(self._events[run])

    def listen(self, listener: Listener) -> None:
        """Call a function with every event, and with the accepted network where that changed."""
        self._listeners.append(listener)

    def _notify(self, event: RunEvent, network: Network | None) -> RunEvent:
        for listener in self._listeners:
            listener(event, network)
        return event

    def cancel(self, reason: str = "", *, status: str = "cancelled") -> list[RunEvent]:
        """Cancel the runs that have not ended; each ends with what it had accepted, as the events returned say.

        ``reason`` is text from outside, such as an error's. Of a run that has not begun there is nothing to say.
        """
        self._steps.close()
        ended = []
        for run, events in enumerate(self._events):
            if not events or isinstance(events[-1], RunFinished):
                continue
            network = self._accepted[run]
            end = RunFinished(
                status=status,
                ending=status,
                reason=reason,
                topology=network.topology if network else (),
                parameters=network.parameters if network else 0,
                scores=network.scores if network else None,
                seconds=sum(getattr(event, "seconds", 0.0) for event in events),
            )
            events.append(end)
            ended.append(self._notify(RunEvent(run=run, event=end), None))
        return ended

    def model(self, run: int = 0) -> nn.Module | None:
        """Return the network accepted so far, None before there is one."""
        network = self._accepted[run]
        if network is None:
            return None
        return build_network(self.method.name, network.description, network.weights, self.configs[run].to_dict())

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

    @property
    def question(self) -> DecisionAwaited | None:
        """What a person is asked now; None while nobody is."""
        return self.runs.question

    def decide(self, decision: str) -> None:
        """Answer the question that the run waits for.

        >>> for event in run:
        ...     if isinstance(event, DecisionAwaited): run.decide(event.rule)
        """
        self.runs.decide(decision)

    def cancel(self, reason: str = "") -> Event | None:
        """Cancel the run; return the event that ends it, None if it had ended or not begun."""
        return next((ended.event for ended in self.runs.cancel(reason)), None)

    @property
    def model(self) -> nn.Module | None:
        """The network accepted so far."""
        return self.runs.model()

    @property
    def result(self) -> RunResult:
        return self.runs.result()

    def finish(self) -> RunResult:
        """Work until the run has ended and return what it left behind."""
        return self.runs.finish()[0]
