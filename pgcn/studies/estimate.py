"""How long a study will take: a rough model of its tasks, put right by those that have ended here."""

import statistics
from collections.abc import Mapping, Sequence

from pgcn.data.sources import STATISTICS
from pgcn.studies.difficulty import Task
from pgcn.studies.results import Outcome

START_UP = 4.0
"""Seconds until new processes have imported what they need."""


def task_seconds(task: Task) -> float:
    """Return about how many seconds of one core a task takes; measured on Cora, in proportion elsewhere."""
    size, dims = STATISTICS[task.place.dataset][0] / 2708, task.place.dims
    if task.method == "gcn":
        return task.config.epochs * size * (0.002 + 2e-5 * dims)
    blocks = 14 + 200 / (dims + 5)
    epoch = size * (0.0025 + 4e-6 * dims)
    return blocks * task.config.epochs * epoch * {"same-topology": 1.3}.get(task.method, 1.0)


def seconds_by_task(tasks: Sequence[Task], ended: Sequence[Outcome]) -> Mapping[str, float]:
    """Return the seconds each task may take, by id: the model, scaled by what ended ones of its method took."""
    took = {outcome.run: outcome.seconds for outcome in ended if outcome.seconds}
    ratios: dict[str, list[float]] = {}
    for task in tasks:
        if task.id in took:
            ratios.setdefault(task.method, []).append(took[task.id] / task_seconds(task))
    everything = [ratio for known in ratios.values() for ratio in known]
    usual = statistics.median(everything) if everything else 1.0
    return {
        task.id: task_seconds(task) * (statistics.median(ratios[task.method]) if task.method in ratios else usual)
        for task in tasks
    }


def seconds_left(tasks: Sequence[Task], ended: Sequence[Outcome], workers: int) -> float:
    """Return about how many seconds it takes until all tasks have ended."""
    expected, done = seconds_by_task(tasks, ended), {outcome.run for outcome in ended}
    missing = [expected[task.id] for task in tasks if task.id not in done]
    return START_UP + max(sum(missing) / workers, max(missing)) if missing else 0.0


def in_words(seconds: float) -> str:
    """Return for example 'about 3 minutes'."""
    if seconds < 90:
        return f"about {max(1, round(seconds / 5)) * 5} seconds"
    if seconds < 5400:
        return f"about {round(seconds / 60)} minutes"
    return f"about {seconds / 3600:.1f} hours"
