"""How long a landscape will take: a rough model of its runs, put right by those that ended lately. No torch."""

from collections.abc import Mapping, Sequence

from pgcn.studies.landscape.outcomes import LandscapeOutcome
from pgcn.studies.landscape.question import GROWN, Landscape, LandscapeTask
from pgcn.studies.timing import Takes, lately, range_of, time_left

CORA = 2708


def task_seconds(task: LandscapeTask, landscape: Landscape) -> float:
    """Return about how many seconds of one core a run takes beside its other seeds.

    Measured on Cora with all features and with 30; in proportion elsewhere.
    """
    facts = landscape.facts
    size, dims = facts.nodes / CORA, min(facts.features, 100)
    if task.point is not None:
        depth, width = task.point
        epoch = 0.0005 * depth + 2e-5 * width * (1 + depth * depth / 4) + 1e-6 * dims
        return size * landscape.growth.epochs * epoch
    if task.kind == GROWN:
        return size * landscape.growth.epochs * 0.008
    return size * task.config.epochs * 0.002


def seconds_by_task(
    tasks: Sequence[LandscapeTask], landscape: Landscape, ended: Sequence[LandscapeOutcome]
) -> Mapping[str, Takes]:
    """Return the seconds each task may take, by id: the model, times the pace of those of its kind lately."""
    known = {one.run: one for one in ended if one.seconds}
    paces: dict[str, list[tuple[float | None, float]]] = {}
    for task in tasks:
        if task.id in known:
            one = known[task.id]
            paces.setdefault(task.kind, []).append((one.ended, one.seconds / task_seconds(task, landscape)))
    usual = range_of(lately([pace for kind in paces.values() for pace in kind]), 1.0)
    pace = {kind: range_of(lately(paces.get(kind, [])), usual.usual) for kind in {task.kind for task in tasks}}
    return {task.id: pace[task.kind] * task_seconds(task, landscape) for task in tasks}


def seconds_left(landscape: Landscape, ended: Sequence[LandscapeOutcome], workers: int) -> Takes | None:
    """Return about how many seconds it takes until all runs have ended; None where all have."""
    tasks = landscape.tasks()
    expected, done = seconds_by_task(tasks, landscape, ended), {one.run for one in ended}
    return time_left([expected[task.id] for task in tasks if task.id not in done], workers)
