"""The table of stored runs and its filters."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import streamlit as st

from pgcn.tables import as_csv
from pgcn.ui.runs.component import KEY, show_run_table
from pgcn.ui.runs.filters import filters_of, show_filters
from pgcn.ui.runs.selection import choose
from pgcn.ui.server import store
from pgcn.ui.shell import show_problems
from pgcn.ui.text import plain
from pgcn.views.run_facts import Facts, Row, facts_of, rows_of
from pgcn.views.run_table import row_of, run_table

if TYPE_CHECKING:
    from pgcn.store import StoredRun

ROW, MOST_HIGH = 34, 460
"""Pixels: the room that a table will take is there before it is drawn."""


@st.cache_resource(show_spinner=False)
def _known_facts() -> dict[str, Facts]:
    """Return what runs were asked for, by id: that never changes."""
    return {}


def run_facts(runs: "Sequence[StoredRun]") -> dict[str, Facts]:
    """Return what runs were asked for; only what is not known yet is read."""
    known = _known_facts()
    openings = store().openings([run.id for run in runs if run.id not in known])
    for run in runs:
        if run.id in openings:
            known[run.id] = facts_of(run, openings[run.id])
    return {run.id: known.get(run.id) or facts_of(run, None) for run in runs}


def described_rows(runs: "Sequence[StoredRun]") -> list[Row]:
    return rows_of(runs, run_facts(runs))


def filtered(runs: "list[StoredRun]") -> "list[StoredRun]":
    """Draw the filters and return the runs that pass them."""
    filters, problems = filters_of(st.query_params.to_dict(), runs)
    show_problems(problems)
    passing = [run for run in runs if filters.passes(run)]
    with st.container(horizontal=True, vertical_alignment="bottom", key="runs_filters"):
        show_filters(filters, runs)
        st.download_button(
            "CSV",
            data=lambda: runs_as_csv(passing),
            file_name="pgcn-runs.csv",
            mime="text/csv",
            icon=":material/download:",
            on_click="ignore",
            key="runs_csv",
            help="These runs with all their settings, a row for each.",
        )
    return passing


def runs_as_csv(runs: "Sequence[StoredRun]") -> str:
    """Return a row for every run, with all its settings."""
    facts = run_facts(runs)
    rows = [row_of(run, facts[run.id]) for run in runs]
    return as_csv(list(dict.fromkeys(name for row in rows for name in row)), rows)


def show_table(rows: Sequence[Row], chosen: Sequence[str]) -> None:
    """Draw what is the same for all runs in a sentence, and the rest as a table."""
    if not rows:
        st.info("No run matches these filters.", icon=":material/filter_alt_off:")
        return
    table = run_table(rows)
    count = sum(len(row.runs) for row in rows)
    whole = f"{count:,} run{'s' * (count != 1)}"
    said = plain(", ".join(table.same))
    st.markdown(f"{whole}{f', all: **{said}**' * bool(table.same and count > 1)}")
    height = min(MOST_HIGH, ROW * (len(rows) + 1))
    st.html(f"<style>.st-key-{KEY} {{ min-height: {height}px; }}</style>")
    show_run_table({"columns": table.columns, "rows": table.rows, "selected": list(chosen)}, choose)
