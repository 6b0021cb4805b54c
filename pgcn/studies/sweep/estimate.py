"""How long a sweep will take, by what runs of the same shape took."""

from collections.abc import Mapping, Sequence

from pgcn.studies.sweep.grid import Point
from pgcn.studies.sweep.outcomes import SweepOutcome
from pgcn.studies.sweep.question import SweepTask
from pgcn.studies.timing import Takes, lately, range_of


def seconds_by_task(
    tasks: Sequence[SweepTask], ended: Sequence[SweepOutcome], recorded: Sequence[SweepOutcome] = ()
) -> Mapping[str, Takes | None]:
    """Return the seconds each task may take, by id: as those of its group that have ended, or else as all have.

    Where none of its group has ended here, ``recorded`` ones count. None where nothing is known.
    """
    groups = {task.point: task.group for task in tasks}
    here, before = group_ranges(ended, groups), group_ranges(recorded, groups)
    usual = range_of([takes.usual for takes in here.values()])
    return {task.id: here.get(task.group, before.get(task.group, usual)) for task in tasks}


def group_ranges(outcomes: Sequence[SweepOutcome], groups: Mapping[Point, str]) -> dict[str, Takes]:
    """Return the seconds of the newest runs of every group."""
    took: dict[str, list[tuple[None, float]]] = {}
    for outcome in outcomes:
        if outcome.point in groups:
            took.setdefault(groups[outcome.point], []).append((None, outcome.seconds))
    return {group: range_of(lately(seconds)) for group, seconds in took.items()}
