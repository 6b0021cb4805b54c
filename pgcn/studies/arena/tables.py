"""The paper's Tables II, III and IV, published and measured side by side. No torch.

How a table becomes text is in :mod:`pgcn.views.tables`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pgcn.data.catalogue import dataset_title
from pgcn.studies.arena.contenders import ArenaContender, budget_on
from pgcn.studies.arena.published import ROWS, published
from pgcn.studies.arena.question import RUNS, SEARCH_RUNS, Arena
from pgcn.studies.arena.results import ArenaCell, ArenaResults, failures
from pgcn.studies.statistics import Spread

if TYPE_CHECKING:
    from pgcn.studies.sweep.results import SweepResults

NOTHING = "–"
SWEEP_ROW, SWEEP_TITLE = "pgcn-ce", "PGCN (CE), the paper's protocol"
"""The row of the paper that its own protocol answers to: a grid of settings, of all runs the best by validation."""
RECORDED = "†"
"""Marks what came with the program."""
Sweeps = Mapping[str, "SweepResults"]
"""What the paper's own protocol came to, by data set."""
NO_SWEEPS: Sweeps = {}


@dataclass(frozen=True, kw_only=True)
class Table:
    """A table of texts; ``notes`` are sentences that belong under it."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Row:
    """A row of all tables: of a contender, or of a method of the paper that nobody here answers to."""

    title: str
    published: str | None
    contender: ArenaContender | None

    def name_on(self, arenas: Sequence[Arena]) -> str:
        """Return its title; a search says its budget where that is the same on all data sets."""
        if self.contender is None:
            return self.title
        titles = {self.contender.title_on(arena.dataset, arena.budget) for arena in arenas}
        return titles.pop() if len(titles) == 1 else self.title


def table_rows(arenas: Sequence[Arena]) -> list[Row]:
    """Return the contenders under the rows of the paper that they answer to, then those the paper does not have."""
    competing = {one.name: one for arena in arenas for one in arena.contenders}
    rows = []
    for name, about in ROWS.items():
        answering = [one for one in competing.values() if one.row == name]
        rows += [Row(title=one.title, published=name, contender=one) for one in answering]
        if not answering and any(published(name, arena.dataset) for arena in arenas):
            rows.append(Row(title=about.title, published=name, contender=None))
    others = [one for one in competing.values() if one.row is None]
    return rows + [Row(title=one.title, published=None, contender=one) for one in others]


def paper_tables(results: ArenaResults, arenas: Sequence[Arena], sweeps: Sweeps = NO_SWEEPS) -> list[Table]:
    """Return the three tables: accuracy, parameters with seconds, architectures."""
    return [table(results, arenas, sweeps) for table in (accuracy_table, parameter_table, architecture_table)]


def build(
    title: str,
    columns: Sequence[str],
    results: ArenaResults,
    arenas: Sequence[Arena],
    texts: Callable[[Row, Arena, ArenaCell | None], Sequence[str]],
    notes: Sequence[str],
    sweeps: Sweeps,
    swept: Callable[["SweepResults"], Sequence[str]],
) -> Table:
    """Return a table with the given columns for every data set; ``texts`` fills those of one of them.

    ``swept`` does so in the row of the paper's own protocol, but for what is published. That row comes after those
    of PGCN (CE), where a data set has been swept.
    """
    heads = [f"{dataset_title(arena.dataset)}: {column}" for arena in arenas for column in columns]
    rows = []
    for row in table_rows(arenas):
        texts_of_row = [row.name_on(arenas)]
        for arena in arenas:
            cell = row.contender and results.cell(arena.place, row.contender.name)
            texts_of_row += texts(row, arena, cell or None)
        rows.append(tuple(texts_of_row))
    at = 1 + max(
        (n for n, row in enumerate(table_rows(arenas)) if row.published == SWEEP_ROW), default=len(rows) - 1
    )
    if any(arena.dataset in sweeps for arena in arenas):
        like = Row(title=SWEEP_TITLE, published=SWEEP_ROW, contender=None)
        texts_of_row = [SWEEP_TITLE]
        for arena in arenas:
            printed, *nothing = texts(like, arena, None)
            sweep = sweeps.get(arena.dataset)
            mark = RECORDED if sweep and sweep.recorded else ""
            found = [text if text == NOTHING else text + mark for text in swept(sweep)] if sweep else nothing
            texts_of_row += [printed, *found]
        rows.insert(at, tuple(texts_of_row))
    return Table(title=title, columns=("method", *heads), rows=tuple(rows), notes=tuple(notes))


def accuracy_table(results: ArenaResults, arenas: Sequence[Arena], sweeps: Sweeps) -> Table:
    """Table II: what the paper prints, our mean over runs, and our best run by validation."""

    def texts(row: Row, arena: Arena, cell: ArenaCell | None) -> tuple[str, str, str]:
        printed = published(row.published, arena.dataset)
        if cell is None:
            return (printed.accuracy_text if printed else NOTHING, NOTHING, NOTHING)
        return (
            printed.accuracy_text if printed else NOTHING,
            marked(f"{cell.test.text()} (n = {cell.test.n})", cell),
            marked(cell.best_text, cell),
        )

    def swept(sweep: "SweepResults") -> tuple[str, str]:
        n = len(sweep.measured)
        return f"{sweep.test.text()} (n = {n:,})", f"{sweep.best_of(n).mean:.1f} (of {n:,})"

    notes = [
        "Published: as the paper prints it, each row by its own protocol. "
        + " ".join(f"{row.title}: {row.protocol.text}." for row in ROWS.values()),
        "Mean ± sd: over n runs here, one seed each, or over n networks that a search retrained. Best by "
        "validation: the test accuracy of the best of them, the mean where several are equal. "
        "For PGCN the paper reports the best of 900 runs over 45 settings.",
    ]
    notes += budget_notes(arenas)
    columns = ("published", "mean ± sd", "best by validation")
    return build("Table II: test accuracy (%)", columns, results, arenas, texts, notes, sweeps, swept)


def parameter_table(results: ArenaResults, arenas: Sequence[Arena], sweeps: Sweeps) -> Table:
    """Table III: parameters as printed and as counted, and the seconds of our runs."""

    def texts(row: Row, arena: Arena, cell: ArenaCell | None) -> tuple[str, str, str, str]:
        printed = published(row.published, arena.dataset)
        count = printed.parameters_text if printed else NOTHING
        if cell is None:
            return count, NOTHING, NOTHING, NOTHING
        return (
            count,
            marked(steady(cell.parameters, 0), cell),
            marked(seconds_text(cell.training_seconds), cell),
            marked(seconds_text(cell.search_seconds), cell),
        )

    notes = [
        "Published counts: " + " ".join(f"{row.title}: {row.counts}." for row in ROWS.values()),
        "Seconds: of one run, mean ± sd; of runs that were trained together each has its share. Where a network "
        "grows or an architecture is searched for, they are of everything that led to the network. They compare "
        "only with others of the same machine.",
    ]

    def swept(sweep: "SweepResults") -> tuple[str, str, str]:
        return f"{sweep.best[0].parameters:,}", NOTHING, f"{sweep.seconds:,.0f}"

    columns = ("published", "parameters", "training (s)", "search (s)")
    return build("Table III: parameters and time", columns, results, arenas, texts, notes, sweeps, swept)


def architecture_table(results: ArenaResults, arenas: Sequence[Arena], sweeps: Sweeps) -> Table:
    """Table IV: the hidden layers as printed, those found most often, and those of the best run by validation."""

    def texts(row: Row, arena: Arena, cell: ArenaCell | None) -> tuple[str, str, str]:
        printed = published(row.published, arena.dataset)
        widths = "-".join(map(str, printed.architecture)) if printed and printed.architecture else NOTHING
        if cell is None:
            return widths, NOTHING, NOTHING
        found, count = cell.usual
        often = f"{found} ({count} of {len(cell.outcomes)})"
        return widths, marked(often, cell), marked(cell.best[0].found, cell)

    notes = ["Neurons of the hidden layers, first to last. The paper prints those of GCN and PGCN only."]
    columns = ("published", "most frequent", "best by validation")

    def swept(sweep: "SweepResults") -> tuple[str, str]:
        return NOTHING, "-".join(map(str, sweep.best[0].topology))

    return build("Table IV: architectures", columns, results, arenas, texts, notes, sweeps, swept)


def marked(text: str, cell: ArenaCell) -> str:
    """Return a text with the mark of what was recorded."""
    return f"{text}{RECORDED}" if cell.recorded and text != NOTHING else text


def steady(spread: Spread, digits: int) -> str:
    """Return mean ± sd, without sd where all values are the same."""
    return spread.text(digits) if spread.sd else f"{spread.mean:,.{digits}f}"


def seconds_text(spread: Spread | None) -> str:
    return NOTHING if spread is None else spread.text(2 if spread.mean < 1 else 1)


def budget_notes(arenas: Sequence[Arena]) -> list[str]:
    """Say how many architectures searches tried, beside the paper's."""
    if not any(one.searches for arena in arenas for one in arena.contenders):
        return []
    each = ", ".join(
        f"{arena.budget or budget_on(arena.dataset):,} on {dataset_title(arena.dataset)}" for arena in arenas
    )
    return [
        f"Architectures that a search here tries: {each}. The paper's searches tried 1,000. Their n networks are "
        "retrained after the search: of GraphNAS and random search the best by validation, of Auto-GNN the best "
        "one, n times."
    ]


def closing_notes(results: ArenaResults, arenas: Sequence[Arena]) -> list[str]:
    """Say what the mark means, which runs failed, what is missing and how to compute it."""
    notes = []
    if any(cell.recorded for cell in results.cells.values()):
        notes.append(f"{RECORDED} recorded: included with the program, computed on another machine.")
    return notes + failures(results) + [note for arena in arenas if (note := missing_note(results, arena))]


def gaps(results: ArenaResults, arena: Arena) -> list[tuple[ArenaContender, int, int]]:
    """Return whose runs are missing: a contender, how many of its runs there are, and how many there should be."""
    found = []
    for contender in arena.contenders:
        ended = [o for o in results.outcomes if o.contender == contender.name and o.place == arena.place]
        wanted = arena.splits * arena.runs_of(contender)
        have = max(sum(o.recorded for o in ended), sum(not o.recorded for o in ended))
        if have < wanted:
            found.append((contender, have, wanted))
    return found


def missing_note(results: ArenaResults, arena: Arena) -> str | None:
    """Say which runs of an arena are missing and which command computes them; None where none is."""
    missing = gaps(results, arena)
    if not missing:
        return None
    those = ", ".join(f"{one.title} ({have} of {wanted} runs)" for one, have, wanted in missing)
    chosen = [one for one, _, _ in missing]
    return f"Missing on {dataset_title(arena.dataset)}: {those}. To compute them: {command(arena, chosen)}"


def command(arena: Arena, chosen: Sequence[ArenaContender]) -> str:
    """Return the command that computes the runs of some contenders."""
    names = ",".join(one.name for one in chosen)
    parts = ["pgcn arena", f"--datasets {arena.dataset}", f"--methods {names}"]
    searching = any(one.searches for one in chosen)
    flags = {
        "--runs": (arena.runs, RUNS, any(not one.searches for one in chosen)),
        "--search-runs": (arena.search_runs, SEARCH_RUNS, searching),
        "--budget": (arena.budget, None, searching),
        "--split": (arena.split, "public", True),
        "--splits": (arena.splits, 1, True),
    }
    parts += [f"{flag} {value}" for flag, (value, usual, matters) in flags.items() if matters and value != usual]
    return " ".join(parts + ["--reproducible"] * arena.reproducible)
