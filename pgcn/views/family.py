"""A run's family: where it was branched from, and what was branched from it. No streamlit, no torch."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from pgcn.errors import PgcnError
from pgcn.events import Event, RunStarted
from pgcn.methods.pgcn import GrowthConfig
from pgcn.methods.pgcn.events import BlockAccepted
from pgcn.methods.pgcn.lineage import point_name, settings_changed
from pgcn.numbers import known, percent
from pgcn.views.event_log import NEXT
from pgcn.views.run_facts import as_text, run_name
from pgcn.views.run_table import STATUS

if TYPE_CHECKING:
    from pgcn.store import StoredRun

MOST_CHANGES = 4
"""Changed settings that are named in a row of the tree; all of them are in its tooltip."""


def family_rows(
    family: "Sequence[StoredRun]", openings: Mapping[str, RunStarted], shown: str
) -> list[dict[str, Any]]:
    """Return the tree as rows, each before its branches: how deep it is, what was changed, and what it reached."""
    children: dict[str, list[StoredRun]] = {}
    there = {run.id for run in family}
    for run in family:
        above = run.parent if run.parent in there and run.parent != run.id else ""
        children.setdefault(above or "", []).append(run)
    rows, waiting = [], [(run, 0) for run in reversed(children.get("", []))]
    while waiting:
        run, depth = waiting.pop()
        rows.append(family_row(run, openings.get(run.id), depth=depth, shown=shown))
        waiting += [(child, depth + 1) for child in reversed(children.get(run.id, []))]
    return rows


def family_row(run: "StoredRun", started: RunStarted | None, *, depth: int, shown: str) -> dict[str, Any]:
    changes = changes_of(started)
    named = ", ".join(changes[:MOST_CHANGES])
    more = f" and {len(changes) - MOST_CHANGES} more" if len(changes) > MOST_CHANGES else ""
    parent = started.parent if started else None
    return {
        "id": run.id,
        "depth": depth,
        "name": run_name(run) if run.name or not parent else "",
        "point": point_name(parent) if parent else "",
        "changes": f"{named}{more}" if changes else "the same settings" if parent else "",
        "all": ", ".join(changes),
        "reached": reached(run),
        "shown": run.id == shown,
    }


def changes_of(started: RunStarted | None) -> list[str]:
    """Return what a branch changed, for example 'seed 0 → 7'; nothing of a run that is none."""
    if started is None or started.parent is None:
        return []
    try:
        before, after = map(GrowthConfig.from_dict, (started.parent["config"], started.config))
    except PgcnError:  # of a later version
        return ["settings of another version"]
    return change_texts(before, after)


def change_texts(before: GrowthConfig, after: GrowthConfig) -> list[str]:
    """Return what differs, for example 'seed 0 → 7'."""
    changed = settings_changed(before, after)
    return [f"{name} {as_text(getattr(before, name))} → {as_text(value)}" for name, value in changed.items()]


def reached(run: "StoredRun") -> str:
    """Return what a run reached: its accuracy, its parameters, and how it stands where it has not finished."""
    scores = run.scores or {}
    found = {"test": known(scores.get("test_accuracy")), "validation": known(scores.get("val_accuracy"))}
    measured = next((f"{name} {percent(value)}" for name, value in found.items() if value is not None), "")
    size = f"{run.parameters:,} parameters" if run.step is not None else ""
    state = "" if run.status == "finished" else STATUS[run.status]
    return " · ".join(filter(None, [measured, size, state]))


def frame_after(events: Sequence[Event], step: int) -> int | None:
    """Return the step of the replay at which a run accepted its ``step``-th block, None where it did not."""
    frame = accepted = 0
    for event in events[1:]:
        frame += type(event) in NEXT
        accepted += isinstance(event, BlockAccepted)
        if isinstance(event, BlockAccepted) and accepted == step:
            return frame
    return None
