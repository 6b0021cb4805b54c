"""What single runs of a sweep came to: from a store, from a file, and as tables. No torch."""

import itertools
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pgcn.errors import PgcnError
from pgcn.studies.outcomes import ACCURACIES, ended_runs, values_of
from pgcn.studies.sweep.grid import Point
from pgcn.studies.sweep.question import Sweep
from pgcn.tables import as_csv

if TYPE_CHECKING:
    from pgcn.store import Store

WRITTEN = ("seed", "status", "topology", "parameters", "seconds", *ACCURACIES)
"""What a file has of every run beside its point; its id follows from the question."""


@dataclass(frozen=True, kw_only=True)
class SweepOutcome:
    """What one run of a sweep came to; ``run`` is its id in the store, accuracies are shares of 1.

    ``seconds`` are its share of the time in which it was trained together with others.
    """

    point: Point
    seed: int
    run: str
    status: str
    topology: tuple[int, ...]
    parameters: int
    seconds: float
    labelled_accuracy: float | None
    val_accuracy: float | None
    test_accuracy: float | None

    def to_dict(self) -> dict[str, Any]:
        """Return the outcome in plain values, a column for each setting that is varied."""
        return {**dict(self.point), **{name: value for name, value in vars(self).items() if name != "point"}}


def stored_outcomes(sweep: Sweep, store: "Store") -> list[SweepOutcome]:
    """Return what is stored of a sweep, seed by seed and point by point."""
    tasks = {(task.seed, task.point): task for task in sweep.tasks()}
    in_order = [tasks[place] for place in itertools.product(range(sweep.runs), sweep.points)]
    return [
        SweepOutcome(point=task.point, seed=task.seed, **values_of(run))
        for task, run in ended_runs(in_order, store)
    ]


def outcomes_as_csv(outcomes: Sequence[SweepOutcome]) -> str:
    """Return a table with a row for every run."""
    rows = [{**one.to_dict(), "topology": "-".join(map(str, one.topology))} for one in outcomes]
    return as_csv(list(rows[0]) if rows else [], rows)


def written_lines(sweep: Sweep, outcomes: Iterable[SweepOutcome]) -> list[str]:
    """Return a sweep as lines of JSON: the question, then the point's number and the rest of every run."""
    numbers = {point: number for number, point in enumerate(sweep.points)}
    lines = [{"sweep": sweep.to_dict(), "columns": ["point", *WRITTEN]}]
    lines += [
        [numbers[one.point], *(getattr(one, name) for name in WRITTEN[:4]), round(one.seconds, 2)]
        + [getattr(one, name) for name in ACCURACIES]
        for one in outcomes
    ]
    return [json.dumps(line, separators=(",", ":")) for line in lines]


def read_lines(lines: Iterable[str]) -> tuple[Sweep, list[SweepOutcome]]:
    """Return the sweep that :func:`written_lines` wrote, and its outcomes."""
    try:
        head, *rows = map(json.loads, lines)
        sweep = Sweep.from_dict(head["sweep"])
        points, ids = sweep.points, {(task.point, task.seed): task.id for task in sweep.tasks()}
        outcomes = []
        for number, *values in rows:
            about = dict(zip(head["columns"][1:], values, strict=True))
            about["topology"] = tuple(about["topology"])
            outcomes.append(SweepOutcome(**about, point=points[number], run=ids[points[number], about["seed"]]))
    except (TypeError, KeyError, IndexError, ValueError) as error:
        raise PgcnError(f"This is not a recorded sweep: {error}.") from error
    return sweep, outcomes
