"""The table of stored runs: a row for each run or batch, a column only for what differs. No streamlit, no torch."""

import datetime
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pgcn.numbers import known
from pgcn.studies.statistics import Spread
from pgcn.views.batch import topology_text
from pgcn.views.run_facts import NOT_SAID, Facts, Row, run_name

if TYPE_CHECKING:
    from pgcn.store import StoredRun

STATUS = {
    "running": "▶ running",
    "finished": "✓ finished",
    "cancelled": "■ cancelled",
    "failed": "✕ failed",
    "interrupted": "⚠ interrupted",
    "damaged": "✕ damaged",
}
USUAL = {"D'": "all", "reproducible": "no", "status": "finished"}
"""What need not be said where it is so of all runs."""
SHARE = 1
"""Digits of accuracies in %, and of seconds."""


def percent(value: float | None) -> float | None:
    return None if value is None or known(value) is None else 100 * value


NUMBERS: "dict[str, tuple[Callable[[StoredRun], float | None], int]]" = {
    "test (%)": (lambda run: percent((run.scores or {}).get("test_accuracy")), SHARE),
    "validation (%)": (lambda run: percent((run.scores or {}).get("val_accuracy")), SHARE),
    "best validation (%)": (lambda run: percent(run.best_val_accuracy), SHARE),
    "parameters": (lambda run: run.parameters if run.step is not None else None, 0),
    "seconds": (lambda run: run.seconds, SHARE),
}
"""What was measured of a run, and with how many digits it is shown."""


@dataclass(frozen=True, kw_only=True)
class RunTable:
    """Plain values for :file:`pgcn/web/runs/table.js`.

    ``columns`` are names and whether they hold numbers; a row has an id, a name, cells of a text and what to sort
    by, and the rows it unfolds. ``same`` says what is the same for all runs.
    """

    columns: list[tuple[str, bool]]
    rows: list[dict[str, Any]]
    same: list[str]


def run_table(rows: Sequence[Row]) -> RunTable:
    """Return the table of rows: what is the same for all runs is said once instead of in a column."""
    runs = [run for row in rows for run in row.runs]
    asked, changed, same = differing([row.facts for row in rows])
    states = {run.status for run in runs}
    if len(states) == 1 and states != {USUAL["status"]}:
        same.append(next(iter(states)))
    leading = ["status"] * (len(states) > 1)
    noted = ["note"] * any(run.note for run in runs)
    numbers = [name for name in NUMBERS if name != "best validation (%)" or best_differs(runs)]
    # What was reached comes first: on a phone it is beside the name.
    columns = [*leading, *numbers, "topology", *asked, *changed, "when", *noted, "id"]

    def filled(row: Row) -> dict[str, Any]:
        measured = measured_cells(row)
        cells = [measured[name] if name in measured else text_cell(row.facts.of(name)) for name in columns]
        parts = map(row.part, row.runs) if row.is_batch else ()
        return {"id": row.id, "name": row.name, "cells": cells, "runs": [filled(part) for part in parts]}

    kinds = [(name, name in NUMBERS) for name in columns]
    return RunTable(columns=kinds, rows=[filled(row) for row in rows], same=same)


def best_differs(runs: "Iterable[StoredRun]") -> bool:
    """Return whether some run was better on validation than it is in the end."""
    best, last = NUMBERS["best validation (%)"][0], NUMBERS["validation (%)"][0]
    return any(best(run) != last(run) for run in runs)


def differing(facts: Sequence[Facts]) -> tuple[list[str], list[str], list[str]]:
    """Return in which basic facts and in which settings runs differ, and in words what is the same for all.

    A setting counts where some run changes it from its preset; others follow from the preset.
    """
    basic = list(dict.fromkeys(name for one in facts for name in one.basic))
    changed = sorted({name for one in facts for name in one.changed})
    values = {name: {one.of(name) for one in facts} for name in (*basic, *changed)}
    known = {name: next(iter(found)) for name, found in values.items() if len(found) == 1}
    same = [said(name, value) for name, value in known.items() if value not in (NOT_SAID, USUAL.get(name))]
    return [name for name in basic if name not in known], [name for name in changed if name not in known], same


def said(name: str, value: str) -> str:
    """Return what is the same for all runs in words."""
    if name in ("data set", "method"):
        return value
    if name == "split":
        return f"{value} split"
    if name == "reproducible":
        return name
    if name == "branched from":
        return f"{name} {value}"
    return f"preset {value}" if name == "preset" else f"{name} = {value}"


def measured_cells(row: Row) -> dict[str, tuple[str, Any]]:
    """Return what came of a row by column: its text, and what it is sorted by."""
    runs = row.runs
    newest = max(run.created for run in runs)
    measured = row.finished if row.is_batch else runs
    return {
        "status": text_cell(states_text(runs)),
        "topology": text_cell(topologies_text(runs)),
        **{
            name: number_cell([value(run) for run in measured], digits) for name, (value, digits) in NUMBERS.items()
        },
        "when": (f"{datetime.datetime.fromtimestamp(newest):%Y-%m-%d %H:%M}", newest),
        "note": text_cell(" · ".join(dict.fromkeys(run.note for run in runs if run.note))),
        "id": text_cell(f"{len(runs)} runs" if row.is_batch else row.id[:8]),
    }


def text_cell(text: str) -> tuple[str, str]:
    return (text, text)


def number_cell(values: Sequence[float | None], digits: int) -> tuple[str, float | None]:
    """Return mean ± sd of what was measured, and the mean to sort by."""
    there = [value for value in values if value is not None]
    if not there:
        return (NOT_SAID, None)
    spread = Spread.of(there)
    return (spread.text(digits), spread.mean)


def states_text(runs: "Sequence[StoredRun]") -> str:
    """Return for example '✓ finished', or '✓ 18 finished, ⚠ 2 interrupted'."""
    if len(runs) == 1:
        return STATUS[runs[0].status]
    parts = []
    for status, count in Counter(run.status for run in runs).most_common():
        mark, word = STATUS[status].split()
        parts.append(f"{mark} {count} {word}")
    return ", ".join(parts)


def topologies_text(runs: "Sequence[StoredRun]") -> str:
    """Return the topology of a run, or how many different ones a batch has."""
    found = {topology_text(run) if run.step is not None else NOT_SAID for run in runs}
    return found.pop() if len(found) == 1 else f"{len(found)} different"


def row_of(run: "StoredRun", facts: Facts | None = None) -> dict[str, Any]:
    """Return a run as a row of a file: everything, in plain values."""
    measured = {name: value(run) for name, (value, _) in NUMBERS.items()}
    return {
        "name": run_name(run),
        "status": run.status,
        "topology": topology_text(run) if run.step is not None else "-",
        **measured,
        "when": datetime.datetime.fromtimestamp(run.created).isoformat(sep=" ", timespec="seconds"),
        "seed": run.seed,
        "batch": run.batch,
        "note": run.note,
        "id": run.id,
        **({"split seed": facts.split_seed, **facts.basic, **facts.settings} if facts else {}),
    }
