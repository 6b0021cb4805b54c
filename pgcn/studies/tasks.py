"""What a study consists of: its runs, and the shares in which workers are given them. No torch."""

import math
from collections.abc import Sequence
from typing import Protocol

from pgcn.events import Event
from pgcn.execution.spec import RunSpec
from pgcn.source import GraphSource

MOST_TOGETHER = 45
"""Runs of a group that one worker is given at a time.

More of them are no faster: of the paper's grid on Cora a run of block width 1 took 0.98 s among 9, 0.53 s among 36
and 0.49 s among 90, one of block width 20 took 1.75 s among 18, 1.44 s among 36 and 1.49 s among 90.
"""


class StudyTask(Protocol):
    """One run of a study. The same question has the same ``id``; ``needed`` is the task that must end before it.

    Tasks of the same ``group`` are faster together than one after another: a worker is given several of them. They
    are runs of one method on one graph that need no other task. A task whose group is None is by itself.
    """

    @property
    def id(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def batch(self) -> str: ...
    @property
    def experiment(self) -> int: ...
    @property
    def source(self) -> GraphSource: ...
    @property
    def needed(self) -> "StudyTask | None": ...
    @property
    def group(self) -> str | None: ...

    def spec(self, before: Sequence[Event] | None = None) -> RunSpec | None:
        """Return the run, after the events of the needed one; None where those leave nothing to do."""

    def unmatched(self, before: Sequence[Event]) -> Sequence[Event]:
        """Return the events of a run that has nothing to do."""


class Study(Protocol):
    """A grid of runs."""

    reproducible: bool

    def tasks(self) -> Sequence[StudyTask]: ...


def divided(tasks: Sequence[StudyTask], workers: int) -> list[list[StudyTask]]:
    """Return the shares that workers are given, in the order of their first tasks: of a group, one for each."""
    groups: dict[str, list[StudyTask]] = {}
    for task in tasks:
        groups.setdefault(task.group or task.id, []).append(task)
    shares = []
    for group in groups.values():
        size = min(MOST_TOGETHER, math.ceil(len(group) / workers))
        shares += [group[first : first + size] for first in range(0, len(group), size)]
    return shares
