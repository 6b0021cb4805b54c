"""An advice and a choice of presets as tables on the terminal."""

from rich.table import Table

from pgcn.cli.terminal import open_table
from pgcn.numbers import signed
from pgcn.studies.advice.evidence import WIDE, Advice, Choice, Measured
from pgcn.studies.advice.facts import Facts


def facts_table(facts: Facts) -> Table:
    """Return what was counted on a graph."""
    table = open_table("", "")
    table.show_header = False
    for what, how_much in facts.rows():
        table.add_row(what, how_much)
    return table


def measured_table(advice: Advice) -> Table:
    """Return what was measured: every contender, and what it gains over GCN-16."""
    gains = {WIDE: advice.wide, "growth": advice.growth}
    columns = ("", "parameters", "accuracy", "gain", "95 % CI", "runs")
    title = "measured on held-out validation nodes, in % and points, mean ± sd"
    table = open_table(*columns, right=columns[1:4], title=title)
    for row in advice.measured:
        name = f"growth: {', '.join(advice.grown)}" if row.name == "growth" else row.name.upper()
        found = gains.get(row.name)
        figures = ("", "") if found is None else (signed(found.mean), found.interval().removeprefix("95 % CI "))
        table.add_row(name, f"{row.parameters:,.0f}", row.accuracy_text(), *figures, runs(row))
    return table


def presets_table(choice: Choice) -> Table:
    """Return every preset that was tried, and how far it is behind the best, ± the standard error of that."""
    columns = ("preset", "parameters", "accuracy", "behind the best", "runs")
    title = "presets on held-out validation nodes, mean ± sd; behind the best ± standard error"
    table = open_table(*columns, right=columns[1:4], title=title)
    for row in choice.tried:
        behind = "" if row.behind is None else f"{signed(row.behind.mean)} ± {row.behind.error:.1f}"
        style = "bold" if row.name == choice.preset else None
        table.add_row(row.name, f"{row.parameters:,.0f}", row.accuracy_text(), behind, runs(row), style=style)
    return table


def runs(row: Measured) -> str:
    """Return for example '3 seeds, cut short'."""
    return f"{row.runs} seed{'s' * (row.runs != 1)}{'' if row.finished else ', cut short'}"
