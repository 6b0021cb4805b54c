"""A lesson as work for a job: it tells its values when they are there. Standard library only."""

from collections.abc import Generator
from dataclasses import dataclass
from typing import Any

from pgcn.events import Event, RunEvent


@dataclass(frozen=True, kw_only=True)
class Told(Event):
    """A lesson came to a new state."""

    values: dict[str, Any]


class Telling:
    """States of a lesson, one after the other, in the form a job carries out."""

    def __init__(self, states: Generator[dict[str, Any]]) -> None:
        self._states = states

    def __next__(self) -> RunEvent:
        return RunEvent(run=0, event=Told(values=next(self._states)))

    def cancel(self, reason: str, *, status: str = "cancelled") -> list[RunEvent]:
        self._states.close()
        return []
