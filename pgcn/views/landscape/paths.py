"""The paths of growth over the map: what was accepted, what was rejected, where growth ended."""

import math
from collections.abc import Sequence
from typing import Any

from pgcn.numbers import percent
from pgcn.studies.landscape.outcomes import LandscapeOutcome
from pgcn.studies.landscape.paths import Step
from pgcn.studies.landscape.question import GROWN
from pgcn.studies.landscape.results import LandscapeResults
from pgcn.views.landscape.marks import ACCEPTED, INK, REJECTED, RING, points_trace

SPREAD = 0.5
"""Of a cell's height: paths lie side by side in it, not on top of each other."""
ASIDE = -0.35
"""Of that, how much they are moved sideways: upright parts of paths lie side by side too."""


def accepted_steps(results: LandscapeResults, runs: Sequence[LandscapeOutcome]) -> dict[str, Any]:
    """Return the paths through what was accepted."""
    marks: list = []
    for run in runs:
        marks += [mark_of(results, run, step) for step in run.steps if step.accepted] + [None]
    return points_trace(marks) | {
        "uid": "accepted",
        "mode": "lines+markers",
        "name": "growth: accepted",
        "line": {"color": ACCEPTED, "width": 1.2},
        "marker": {"color": ACCEPTED, "size": 5},
        "opacity": 0.75,
    }


def rejected_steps(results: LandscapeResults, runs: Sequence[LandscapeOutcome]) -> dict[str, Any]:
    """Return a spur from what stood to every candidate that was rejected."""
    marks: list = []
    for run in runs:
        stood = None
        for step in run.steps:
            if step.accepted:
                stood = step
                continue
            if stood is not None:
                marks.append((*mark_of(results, run, stood)[:2], "", None))
            marks += [mark_of(results, run, step), None]
    tips = [0 if mark is None or mark[3] is None else 7 for mark in marks]
    return points_trace(marks) | {
        "uid": "rejected",
        "mode": "lines+markers",
        "name": "rejected",
        "line": {"color": REJECTED, "width": 0.7, "dash": "dot"},
        "marker": {"color": REJECTED, "size": tips, "symbol": "x-thin-open", "line": {"width": 1.2}},
        "opacity": 0.55,
    }


def chosen_path(results: LandscapeResults, runs: Sequence[LandscapeOutcome], chosen: Any) -> list[dict[str, Any]]:
    """Return the path of the seed that is looked at, thicker than the others."""
    found = [run for run in runs if chosen == (GROWN, run.seed)]
    if not found:
        return []
    marks = [mark_of(results, found[0], step) for step in found[0].steps if step.accepted]
    style = {"line": {"color": RING, "width": 3}, "marker": {"color": RING, "size": 8}, "mode": "lines+markers"}
    return [points_trace(marks) | style | {"uid": "chosen", "name": f"seed {found[0].seed}", "showlegend": False}]


def ends(results: LandscapeResults, runs: Sequence[LandscapeOutcome]) -> dict[str, Any]:
    """Return a mark where every growth ended."""
    last = [(run, [step for step in run.steps if step.accepted]) for run in runs]
    marks = [mark_of(results, run, steps[-1]) for run, steps in last if steps]
    return points_trace(marks) | {
        "uid": "ends",
        "mode": "markers",
        "name": "where growth ended",
        "marker": {"symbol": "diamond", "size": 9, "color": "#ffb000", "line": {"color": INK, "width": 1}},
    }


def mark_of(results: LandscapeResults, run: LandscapeOutcome, step: Step) -> tuple[float, float, str, Any]:
    return *spot(results, run, step), step_text(run, step), [GROWN, run.seed]


def spot(results: LandscapeResults, run: LandscapeOutcome, step: Step) -> tuple[float, float]:
    depth, width = results.coordinates(step.topology, step.parameters)
    shift = shift_of(results, run.seed)
    return math.log2(width) + shift * ASIDE, depth + shift


def shift_of(results: LandscapeResults, seed: int) -> float:
    """Return how far beside its depth the path of a seed is drawn."""
    seeds = [one.seed for one in results.grown.outcomes]
    return SPREAD * (seeds.index(seed) / (len(seeds) - 1) - 0.5) if len(seeds) > 1 else 0.0


def step_text(run: LandscapeOutcome, step: Step) -> str:
    verdict = "accepted" if step.accepted else "rejected"
    test = "" if step.test_accuracy is None else f", test {percent(step.test_accuracy)}"
    return (
        f"<b>{'-'.join(map(str, step.topology))}</b>, seed {run.seed}: {verdict}<br>"
        f"validation {percent(step.val_accuracy)}{test}<br>{step.parameters:,} parameters"
    )
