"""The steps of a run: the networks it has accepted, as its method counts them. No torch."""

from collections.abc import Sequence
from dataclasses import dataclass

from pgcn.engine.architecture import describe_topology
from pgcn.events import Event, RunFinished, RunStarted


@dataclass(frozen=True, kw_only=True)
class Step:
    """An accepted network of a run, by the number it is stored under; ``stands``: it was not undone later."""

    number: int
    title: str
    topology: tuple[int, ...]
    stands: bool = True


def describe(started: RunStarted, topology: Sequence[int]) -> str:
    """Return a topology with what goes in and what comes out, for example '1433 → 10 → 7'."""
    return describe_topology(started.features, topology, started.classes)


def final_step(events: Sequence[Event]) -> list[Step]:
    """Return the one step of a method that does not grow: the network at its end."""
    started, ended = events[0], events[-1]
    if not isinstance(started, RunStarted) or not isinstance(ended, RunFinished) or ended.status != "finished":
        return []
    return [Step(number=1, title=describe(started, ended.topology), topology=ended.topology)]
