"""How long a study will take: a rough model of its tasks, put right by those that ended here lately."""

from collections.abc import Mapping, Sequence

from pgcn.studies.difficulty.contenders import CONTENDERS
from pgcn.studies.difficulty.results import Outcome
from pgcn.studies.difficulty.task import Task
from pgcn.studies.timing import Takes, lately, range_of, time_left


def task_seconds(task: Task) -> float:
    """Return about how many seconds of one core a task takes; measured on Cora, in proportion elsewhere."""
    size, dims = task.facts.nodes / 2708, task.place.dims
    if not CONTENDERS[task.contender].grows and task.needed is None:
        return task.config.epochs * size * (0.002 + 2e-5 * dims)
    blocks = 14 + 200 / (dims + 5)
    epoch = size * (0.0025 + 4e-6 * dims)
    return blocks * task.config.epochs * epoch * {"same-topology": 1.3}.get(task.contender, 1.0)


def seconds_by_task(tasks: Sequence[Task], ended: Sequence[Outcome]) -> Mapping[str, Takes]:
    """Return the seconds each task may take, by id: the model, times the pace of those of its method lately."""
    known = {outcome.run: outcome for outcome in ended if outcome.seconds}
    paces: dict[str, list[tuple[float | None, float]]] = {}
    for task in tasks:
        if task.id in known:
            outcome = known[task.id]
            paces.setdefault(task.contender, []).append((outcome.ended, outcome.seconds / task_seconds(task)))
    everything = lately([pace for method in paces.values() for pace in method])
    usual = range_of(everything, 1.0)
    pace = {name: range_of(lately(paces.get(name, [])), usual.usual) for name in CONTENDERS}
    return {task.id: pace[task.contender] * task_seconds(task) for task in tasks}


def seconds_left(tasks: Sequence[Task], ended: Sequence[Outcome], workers: int) -> Takes | None:
    """Return about how many seconds it takes until all tasks have ended; None where all have."""
    expected, done = seconds_by_task(tasks, ended), {outcome.run for outcome in ended}
    return time_left([expected[task.id] for task in tasks if task.id not in done], workers)
