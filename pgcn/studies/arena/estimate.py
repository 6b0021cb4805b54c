"""How long an arena will take, by what runs of the same contender took."""

from collections.abc import Mapping, Sequence

from pgcn.studies.arena.question import ArenaTask
from pgcn.studies.arena.results import ArenaOutcome
from pgcn.studies.timing import Takes, lately, range_of


def seconds_by_task(tasks: Sequence[ArenaTask], ended: Sequence[ArenaOutcome]) -> Mapping[str, Takes | None]:
    """Return the seconds each task may take, by id; None where no run of its contender on its data set has ended.

    Runs that ended here say more than recorded ones.
    """
    took: dict[tuple[str, str, bool], list[tuple[None, float]]] = {}
    for outcome in ended:
        took.setdefault((outcome.dataset, outcome.contender, outcome.recorded), []).append((None, outcome.seconds))

    def expected(task: ArenaTask) -> Takes | None:
        name = (task.place.dataset, task.contender.name)
        known = took.get((*name, False)) or took.get((*name, True))
        return range_of(lately(known or ()))

    return {task.id: expected(task) for task in tasks}
