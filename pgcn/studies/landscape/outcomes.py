"""What single runs of a landscape came to: from a store, from a file, and as a table. No torch."""

import json
import math
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pgcn.errors import PgcnError
from pgcn.studies.landscape.paths import Step, path_of
from pgcn.studies.landscape.question import FIXED, GCN, GROWN, Landscape, LandscapeTask, Point
from pgcn.studies.outcomes import ACCURACIES, ended_runs, values_of
from pgcn.tables import as_csv

if TYPE_CHECKING:
    from pgcn.store import Store, StoredRun

MOST_PATHS = 5_000
"""Paths that stay in memory."""
_PATHS: dict[tuple[str, str, float], tuple[Step, ...]] = {}
WRITTEN = ("kind", "point", "seed", "status", "topology", "parameters", *ACCURACIES, "steps")
"""What a file has of every run; its id follows from the question, and seconds are of the machine that recorded."""


@dataclass(frozen=True, kw_only=True)
class LandscapeOutcome:
    """What one run of a landscape came to; ``run`` is its id in the store, accuracies are shares of 1.

    ``steps`` are those of growth. ``seconds`` are its share of the time in which it was trained together with
    others, None of what was ``recorded``: that came with the program, and is never averaged with what was computed
    here.
    """

    kind: str
    point: Point | None
    seed: int
    run: str
    status: str
    topology: tuple[int, ...]
    parameters: int
    seconds: float | None
    labelled_accuracy: float | None
    val_accuracy: float | None
    test_accuracy: float | None
    steps: tuple[Step, ...] = ()
    recorded: bool = False
    ended: float | None = field(default=None, compare=False)


def stored_outcomes(landscape: Landscape, store: "Store", *, within: float = math.inf) -> list[LandscapeOutcome]:
    """Return what is stored of a landscape, in the order of its tasks.

    Paths that were not looked at before are read for about so many seconds; the rest when asked for again.
    """
    until = time.monotonic() + within
    outcomes = []
    for task, run in ended_runs(landscape.tasks(), store):
        grown = task.kind == GROWN and run.status == "finished"
        steps = stored_path(store, run, until) if grown else ()
        asked = {"kind": task.kind, "point": task.point, "seed": task.seed}
        outcomes.append(LandscapeOutcome(**asked, **values_of(run), steps=steps, ended=run.created))
    return outcomes


def stored_path(store: "Store", run: "StoredRun", until: float) -> tuple[Step, ...]:
    """Return the steps of a stored run that has ended, nothing where it is too late to read them.

    They are looked at again and again while others are computed, and never change.
    """
    key = (store.url, run.id, run.created)
    if key not in _PATHS:
        if time.monotonic() >= until:
            return ()
        if len(_PATHS) >= MOST_PATHS:
            _PATHS.clear()
        _PATHS[key] = path_of(store.events(run.id))
    return _PATHS[key]


def outcomes_as_csv(outcomes: Sequence[LandscapeOutcome]) -> str:
    """Return a table with a row for every run."""
    rows = [plain_row(one) for one in outcomes]
    return as_csv(list(rows[0]) if rows else [], rows)


def plain_row(outcome: LandscapeOutcome) -> dict:
    """Return an outcome in plain values, its steps counted."""
    values = {name: value for name, value in vars(outcome).items() if name not in ("point", "steps", "ended")}
    place = outcome.point or (None, None)
    accepted = sum(step.accepted for step in outcome.steps)
    return {
        "kind": values.pop("kind"),
        "depth": place[0],
        "width": place[1],
        **values,
        "topology": "-".join(map(str, outcome.topology)),
        "blocks_tried": len(outcome.steps) or None,
        "blocks_accepted": accepted or None,
    }


def written_lines(landscape: Landscape, outcomes: Iterable[LandscapeOutcome]) -> list[str]:
    """Return a landscape as lines of JSON: the question, then a row for every run."""
    lines: list = [{"landscape": landscape.to_dict(), "columns": WRITTEN}]
    lines += [
        [getattr(one, name) if name != "steps" else [step.to_row() for step in one.steps] for name in WRITTEN]
        for one in outcomes
    ]
    return [json.dumps(line, separators=(",", ":")) for line in lines]


def read_lines(lines: Iterable[str]) -> tuple[Landscape, list[LandscapeOutcome]]:
    """Return the landscape that :func:`written_lines` wrote, and its outcomes."""
    try:
        head, *rows = map(json.loads, lines)
        landscape, outcomes = Landscape.from_dict(head["landscape"]), []
        ids = {(task.kind, task.point, task.seed): task.id for task in landscape.tasks()}
        for row in rows:
            about = dict(zip(head["columns"], row, strict=True))
            about["point"] = Point(*about["point"]) if about["point"] else None
            about["topology"] = tuple(about["topology"])
            about["steps"] = tuple(map(Step.from_row, about["steps"]))
            run = ids[about["kind"], about["point"], about["seed"]]
            outcomes.append(LandscapeOutcome(**about, run=run, seconds=None, recorded=True))
    except (TypeError, KeyError, IndexError, ValueError) as error:
        raise PgcnError(f"This is not a recorded landscape: {error}.") from error
    return landscape, outcomes


def place_of(task: "LandscapeTask | LandscapeOutcome") -> "Place":
    """Return where on the map a run belongs: a point of the grid, growth or the GCN."""
    return task.point if task.kind == FIXED else task.kind


Place = Point | str
"""A point of the grid, or ``pgcn`` or ``gcn``."""
PLACES = {GROWN: "PGCN", GCN: "GCN"}
