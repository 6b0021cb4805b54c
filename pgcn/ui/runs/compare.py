"""Several stored runs and batches side by side."""

from collections.abc import Sequence
from html import escape
from typing import TYPE_CHECKING

import streamlit as st

from pgcn.methods.registry import grows
from pgcn.ui.components import plotly_live
from pgcn.ui.runs.deletion import show_delete_button
from pgcn.ui.stored_runs import shown_events
from pgcn.views.compare import (
    CURVES,
    LETTERS,
    STYLES,
    accuracy_of,
    comparison_figure,
    graph_of,
    group_differences,
    group_figure,
    settings_table,
)
from pgcn.views.run_facts import NOT_SAID, Row
from pgcn.views.run_table import measured_cells

if TYPE_CHECKING:
    from pgcn.studies.two_groups import Difference

MOST_COMPARED = len(LETTERS)
GLYPHS = {"circle": "●", "square": "■", "diamond": "◆", "triangle-up": "▲", "star": "★", "x": "✖"}
STYLE = """
.pgcn-table { overflow-x: auto; border: 1px solid rgb(128 128 128 / 35%); border-radius: 8px; }
.pgcn-table table { border-collapse: collapse; width: 100%; font-size: 14px; font-variant-numeric: tabular-nums; }
.pgcn-table :is(th, td) { padding: 6px 12px; text-align: left; vertical-align: top; font-weight: 400;
  border-bottom: 1px solid rgb(128 128 128 / 25%); overflow-wrap: anywhere; min-width: 7rem; }
.pgcn-table tbody tr:last-child > * { border-bottom: 0; }
.pgcn-table thead th { font-weight: 600; }
.pgcn-table tbody th { min-width: 9rem; }
.pgcn-table mark { font-weight: 700; color: inherit; background: rgb(230 159 0 / 28%); border-radius: 3px;
  padding: 1px 5px; margin: -1px -5px; }
"""


def show_comparison(rows: Sequence[Row]) -> None:
    """Draw what was reached with a test, the curves or the spread, and where settings differ."""
    st.html(f"<style>{STYLE}</style>")
    everything = [run for row in rows for run in row.runs]
    if len(rows) > MOST_COMPARED:
        st.info(f"The first {MOST_COMPARED} of the {len(rows)} are compared.", icon=":material/info:")
        rows = rows[:MOST_COMPARED]
    show_reached(rows)
    if any(row.is_batch for row in rows):
        show_spreads(rows)
    else:
        show_curves(rows)
    show_settings(rows)
    with st.container(horizontal=True):
        show_delete_button(everything)


def named(number: int, row: Row, *, identified: bool = False) -> str:
    """Return a letter, the mark of the figures and the name of a run or batch as HTML."""
    style = STYLES[number]
    colour = f"light-dark({style['color']}, color-mix(in srgb, {style['color']}, white 45%))"  # also seen on dark
    mark = f'<span style="color: {colour}">{GLYPHS[style["symbol"]]}</span>'
    which = f" ({row.id[:8]})" if identified and not row.is_batch else ""
    return f"{LETTERS[number]} {mark} {escape(row.name + which)}"


def html_table(head: Sequence[str], lines: Sequence[Sequence[str]]) -> None:
    """Draw a table whose cells are HTML; the first of a line is its heading."""
    top = "".join(f'<th scope="col">{cell}</th>' for cell in head)
    body = "".join(
        f'<tr><th scope="row">{first}</th>{"".join(f"<td>{cell}</td>" for cell in others)}</tr>'
        for first, *others in lines
    )
    table = f"<table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>"
    st.html(f'<div class="pgcn-table" tabindex="0" role="region" aria-label="Comparison">{table}</div>')


def show_reached(rows: Sequence[Row]) -> None:
    """Draw what every run or batch reached, and how far it is from the first."""
    what = accuracy_of(rows)
    lines = []
    for number, (row, found) in enumerate(zip(rows, [None, *group_differences(rows)], strict=True)):
        cells = measured_cells(row)
        reached = [cells[name][0] for name in (f"{what} (%)", "parameters", "topology")]
        lines.append([named(number, row, identified=True), str(len(row.runs)), *map(escape, reached)])
        why = "nothing has finished" if graph_of(row) == graph_of(rows[0]) else "on another data set"
        lines[-1] += ["reference", NOT_SAID, NOT_SAID] if number == 0 else list(told(found, why))
    st.markdown(f"**Compared** by {what} accuracy, mean ± sd over runs; A is the reference")
    difference = "difference to A, points (95 % CI)"
    html_table(["run or batch", "runs", f"{what} (%)", "parameters", "topology", difference, "p", "test"], lines)


def told(found: "Difference | None", why_not: str) -> tuple[str, str, str]:
    """Return a difference, its p-value and the test as cells; marked where the interval leaves out 0."""
    if found is None:
        return (NOT_SAID, NOT_SAID, why_not)
    text = escape(found.text())
    return (f"<mark>{text}</mark>" if found.is_certain else text, escape(found.p_text()), escape(found.test))


def show_spreads(rows: Sequence[Row]) -> None:
    st.markdown("**A mark for every run**, the bar is the mean with its 95 % confidence interval")
    about = ",".join(row.id for row in rows)
    for column, what in zip(st.columns(len(CURVES)), CURVES, strict=True):
        with column:
            plotly_live(group_figure(rows, what), key=f"spread_{what}", height=320, about=about)


def show_curves(rows: Sequence[Row]) -> None:
    """Draw the curves of runs in the same figures."""
    found = {letter: shown_events(row.runs[0]) for letter, row in zip(LETTERS, rows, strict=False)}
    events = {letter: these for letter, these in found.items() if these}
    if not events:
        return
    growing = sum(grows(row.runs[0].method) for row in rows)
    if growing:
        level = "" if growing == len(rows) else "; a run that does not grow is a horizontal line"
        st.markdown(f"**Compared block by block**; lines join accepted blocks only{level}")
    else:
        st.markdown("None of these runs grows, so each is a horizontal line")
    about = ",".join(row.id for row in rows)
    for column, what in zip(st.columns(len(CURVES)), CURVES, strict=True):
        with column:
            plotly_live(comparison_figure(events, what), key=f"compare_{what}", height=320, about=about)


def show_settings(rows: Sequence[Row]) -> None:
    """Draw the settings of several runs, by default those that differ; of these the cells that do are marked."""
    names = [named(number, row) for number, row in enumerate(rows)]
    table = settings_table([{**row.facts.basic, **row.facts.settings} for row in rows])
    different = [line for line in table if any(marked for _, marked in line[1])]
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(f"**Settings that differ** ({len(different)} of {len(table)})")
        everything = st.toggle("Show all settings", key="all_settings")
    listed = table if everything else different
    if not listed:
        st.caption("None: these runs have the same settings.")
        return

    def cell(value: str, marked: bool) -> str:
        return f"<mark>{escape(value)}</mark>" if marked else escape(value)

    html_table(["setting", *names], [[escape(name), *(cell(*one) for one in cells)] for name, cells in listed])
