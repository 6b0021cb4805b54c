"""What a study consists of: its runs, and the shares in which workers are given them. No torch."""

import functools
import math
from collections.abc import Sequence
from typing import Any, ClassVar, Protocol

from pgcn.config import RunConfig
from pgcn.events import Event
from pgcn.execution.spec import RunSpec
from pgcn.source import GraphSource
from pgcn.studies.identity import question_id

MOST_TOGETHER = 45
"""Runs of a group that one worker is given at a time.

More of them are no faster: of the paper's grid on Cora a run of block width 1 took 0.98 s among 9, 0.53 s among 36
and 0.49 s among 90, one of block width 20 took 1.75 s among 18, 1.44 s among 36 and 1.49 s among 90.
"""


FEW_TOGETHER = 8
"""A group of so few runs stays whole where every worker has ``ENOUGH`` groups: the first lanes save most."""
ENOUGH = 4


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


class IdentifiedTask:
    """What gives a task its ids; ``study`` is the kind of study."""

    study: ClassVar[str]
    source: GraphSource
    reproducible: bool

    @property
    def asked(self) -> dict[str, Any]:
        """The method and its settings, in plain values."""
        raise NotImplementedError

    @functools.cached_property
    def id(self) -> str:
        return self.id_in(reproducible=self.reproducible)

    @functools.cached_property
    def recorded_id(self) -> str:
        """The id of the same question in the reproducible mode, in which everything recorded was made."""
        return self.id if self.reproducible else self.id_in(reproducible=True)

    def id_in(self, *, reproducible: bool) -> str:
        """Return the id of the question in a mode."""
        mode = {"reproducible": True} if reproducible else {}
        return question_id(study=self.study, recipe=self.source.to_recipe(), **self.asked, **mode)


class SingleTask(IdentifiedTask):
    """A task that needs no other."""

    method: str
    config: RunConfig
    needed = None

    @property
    def asked(self) -> dict[str, Any]:
        return {"method": self.method, "config": self.config.to_dict()}

    def spec(self, before: Sequence[Event] | None = None) -> RunSpec:
        """Return the run to carry out."""
        return RunSpec(method=self.method, config=self.config, source=self.source, reproducible=self.reproducible)

    def unmatched(self, before: Sequence[Event]) -> Sequence[Event]:
        """There is always something to do."""
        raise NotImplementedError


def batch_name(study: str, dataset: str, content: str | None) -> str:
    """Return the name that all runs of a kind of study on one graph share."""
    return f"{study}-{content[:16] if content else dataset}"


class Study(Protocol):
    """A grid of runs."""

    reproducible: bool

    def tasks(self) -> Sequence[StudyTask]: ...


def divided(tasks: Sequence[StudyTask], workers: int) -> list[list[StudyTask]]:
    """Return the shares that workers are given, in the order of their first tasks: of a group, one for each.

    Where there are many small groups, each is a share.
    """
    groups: dict[str, list[StudyTask]] = {}
    for task in tasks:
        groups.setdefault(task.group or task.id, []).append(task)
    shares = []
    for group in groups.values():
        whole = len(group) <= FEW_TOGETHER and len(groups) >= ENOUGH * workers
        size = len(group) if whole else min(MOST_TOGETHER, math.ceil(len(group) / workers))
        shares += [group[first : first + size] for first in range(0, len(group), size)]
    return shares
