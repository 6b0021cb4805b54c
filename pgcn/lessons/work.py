"""A lesson as work for a job: each new state of it is an event. Standard library only."""

from collections.abc import Generator
from dataclasses import dataclass
from typing import Any

from pgcn.events import Event, RunEvent


@dataclass(frozen=True, kw_only=True)
class LessonUpdated(Event):
    """A lesson has new values."""

    values: dict[str, Any]


class LessonWork:
    """The states of a lesson, one after the other, as a job runs them."""

    def __init__(self, states: Generator[dict[str, Any]]) -> None:
        self._states = states

    def __next__(self) -> RunEvent:
        return RunEvent(run=0, event=LessonUpdated(values=next(self._states)))

    def cancel(self, reason: str, *, status: str = "cancelled") -> list[RunEvent]:
        self._states.close()
        return []
