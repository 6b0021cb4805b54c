"""The paper's three tables on one data set, for a page: every cell says where its number comes from."""

from collections.abc import Callable, Sequence
from typing import Any

from pgcn.numbers import counted, percent
from pgcn.studies.arena.published import ROWS, Published, published
from pgcn.studies.arena.question import Arena
from pgcn.studies.arena.results import ArenaCell, ArenaOutcome, ArenaResults
from pgcn.studies.arena.tables import NOTHING, RECORDED, Row, marked, seconds_text, steady, table_rows
from pgcn.views.arena.styles import PUBLISHED_STYLES, origin, style_of

RECORDED_SECONDS = "Measured on another machine with two cores, which was busy during the PubMed and search runs."
ABOUT_BEST = "Test accuracy of the best by validation among {over}; the mean of those that tie."


Values = dict[str, Any]


def text_cell(text: str, about: str = "", *, quiet: bool = False) -> Values:
    """Return a cell; what is not ours is shown quietly."""
    return {"text": text, "about": about, "quiet": quiet}


def table_values(results: ArenaResults, arena: Arena, kind: str, chosen: str = "") -> Values:
    """Return a table of the paper as plain values: ``kind`` is accuracy, parameters or architectures.

    Where the paper prints nothing, as on one's own graph, there is no column for it. The key of a row is its
    contender, "" where nobody here answers to a row of the paper.
    """
    columns, cells = KINDS[kind]
    known = [row for row in table_rows([arena]) if row.contender or printed_on(row, arena)]
    first = 0 if any(printed_on(row, arena) for row in known) else 1  # nothing would be in its column
    rows = []
    for row in known:
        cell = results.cell(arena.place, row.contender.name) if row.contender else None
        colour, symbol = style_of(row.contender.name) if row.contender else PUBLISHED_STYLES[row.published or ""]
        rows.append(
            {
                "key": row.contender.name if row.contender and cell else "",
                "name": row.title,
                "about": about_row(row, arena),
                "colour": colour,
                "symbol": symbol if cell else f"{symbol}-open",
                "cells": cells(row, arena, cell)[first:],
                "chosen": bool(cell) and row.contender is not None and row.contender.name == chosen,
            }
        )
    return {"columns": ["Method", *columns[first:]], "rows": rows}


def printed_on(row: Row, arena: Arena) -> Published | None:
    """Return what the paper prints for a row on this data set; its figures are of the public split."""
    return published(row.published, arena.dataset) if arena.split == "public" else None


def about_row(row: Row, arena: Arena) -> str:
    """Say what a method is called in full, and how the paper came by its row."""
    title = row.name_on([arena])
    return f"{title}. In the paper: {ROWS[row.published].protocol.text}." if row.published else f"{title}."


def about_runs(cell: ArenaCell, arena: Arena) -> str:
    """Say over what a mean was taken."""
    seeds = sorted({outcome.seed for outcome in cell.outcomes})
    which = f"seed {seeds[0]}" if len(seeds) == 1 else f"seeds {seeds[0]} to {seeds[-1]}"
    return f"{cell.over_text} on the {arena.split} split, {which}, {origin(cell)}."


def about_published(row: Row) -> str:
    return (
        f"As printed in the paper: {ROWS[row.published].protocol.text}." if row.published else "Not in the paper."
    )


def accuracy_cells(row: Row, arena: Arena, cell: ArenaCell | None) -> list[Values]:
    printed = printed_on(row, arena)
    cells = [text_cell(printed.accuracy_text if printed else NOTHING, about_published(row), quiet=True)]
    if cell is None:
        return cells + [text_cell(NOTHING, missing(row))] * 2
    best = cell.best_of()
    interval = "" if cell.half_ci is None else f" 95 % CI of the mean: ± {cell.half_ci:.1f}."
    return [
        *cells,
        text_cell(marked(cell.test.text(), cell), f"Mean ± sd over {about_runs(cell, arena)}{interval}"),
        text_cell(marked(f"{best.mean:.1f}", cell), ABOUT_BEST.format(over=cell.over_text)),
    ]


def parameter_cells(row: Row, arena: Arena, cell: ArenaCell | None) -> list[Values]:
    printed = printed_on(row, arena)
    counts = f"As printed in the paper. {ROWS[row.published].counts}." if row.published else "Not in the paper."
    cells = [text_cell(printed.parameters_text if printed else NOTHING, counts, quiet=True)]
    if cell is None:
        return cells + [text_cell(NOTHING, missing(row))] * 2
    what = "growing or searching, all training included" if cell.searches else "training"
    whose = "Of the best by validation of" if cell.networks else "Mean ± sd over"
    return [
        *cells,
        text_cell(marked(steady(cell.parameters, 0), cell), f"{whose} {about_runs(cell, arena)}"),
        text_cell(
            marked(seconds_text(cell.seconds), cell),
            f"Seconds of one run: {what}. {RECORDED_SECONDS if cell.recorded else 'On this machine.'}",
        ),
    ]


def architecture_cells(row: Row, arena: Arena, cell: ArenaCell | None) -> list[Values]:
    printed = printed_on(row, arena)
    widths = "-".join(map(str, printed.architecture)) if printed and printed.architecture else NOTHING
    cells = [
        text_cell(widths, "Neurons of the hidden layers; the paper prints those of GCN and PGCN only.", quiet=True)
    ]
    if cell is None:
        return cells + [text_cell(NOTHING, missing(row))] * 2
    found, count = cell.usual
    often = f"Found in {count} of {len(cell.outcomes)} runs."
    return [
        *cells,
        text_cell(marked(found, cell), often),
        text_cell(marked(cell.best[0].found, cell), "From the run with the best validation accuracy."),
    ]


def missing(row: Row) -> str:
    return "No runs yet." if row.contender else "It is not among the methods shown."


Cells = Callable[[Row, Arena, ArenaCell | None], list[Values]]
KINDS: dict[str, tuple[tuple[str, ...], Cells]] = {
    "accuracy": (("Published", "Mean ± sd", "Best of n"), accuracy_cells),
    "parameters": (("Published", "Parameters", "Seconds"), parameter_cells),
    "architectures": (("Published", "Most frequent", "Best by validation"), architecture_cells),
}


def run_values(outcomes: Sequence[ArenaOutcome], *, splits: int, chosen: str = "") -> Values:
    """Return the runs behind a number, a row for each; the key of a row is its run."""
    rows = []
    for outcome in outcomes:
        colour, symbol = style_of(outcome.contender)
        mark = RECORDED if outcome.recorded else ""
        about = f"Mean of {counted(len(outcome.reported), 'network')} retrained." if outcome.reported else ""
        rows.append(
            {
                "key": outcome.run,
                "name": f"seed {outcome.seed}" + (f", split {outcome.split_seed}" if splits > 1 else ""),
                "about": f"Run {outcome.run[:8]}, {'recorded' if outcome.recorded else 'computed here'}.",
                "colour": colour,
                "symbol": symbol,
                "cells": [
                    text_cell(f"{percent(outcome.accuracy)}{mark}", about),
                    text_cell(percent(outcome.val_accuracy)),
                    text_cell(f"{outcome.parameters:,}"),
                    text_cell(outcome.found, outcome.found),
                ],
                "chosen": outcome.run == chosen,
            }
        )
        for number, accuracy in enumerate(outcome.reported, start=1):
            name = f"retrained network {number}"
            cells = [text_cell(f"{percent(accuracy)}{mark}"), *[text_cell("")] * 3]
            about = f"Of run {outcome.run[:8]}: its events tell its architecture."
            look = {"colour": colour, "symbol": f"{symbol}-open", "chosen": False}
            rows.append({"key": "", "name": name, "about": about, "cells": cells, **look})
    return {"columns": ["Run", "Test", "Validation", "Parameters", "Architecture"], "rows": rows}
