"""The Runs page: every stored run, to compare, open, export and delete."""

from typing import TYPE_CHECKING

import streamlit as st

from pgcn.errors import PgcnError
from pgcn.ui.links import unknown_names
from pgcn.ui.refreshing import whole_page
from pgcn.ui.runs.compare import show_comparison
from pgcn.ui.runs.deletion import show_deleted, show_undo
from pgcn.ui.runs.details import show_batch, show_details
from pgcn.ui.runs.filters import NAMES
from pgcn.ui.runs.selection import CHOSEN, chosen_ids, find, not_found
from pgcn.ui.runs.table import described_rows, filtered, show_table
from pgcn.ui.server import store
from pgcn.ui.shell import go_to, show_error, show_problems
from pgcn.ui.stored_runs import is_visible
from pgcn.ui.timing import timed

if TYPE_CHECKING:
    from pgcn.store import StoredRun
    from pgcn.views.run_facts import Row


@whole_page
@timed("runs page")
def show_runs_page() -> None:
    try:
        runs = [run for run in store().runs() if is_visible(run)]
    except PgcnError as error:
        show_error(str(error))
        return
    st.markdown("#### Runs")
    if runs:
        show_runs(runs)
    else:
        st.info(
            "No runs are stored yet. Runs of the Grow and Arena pages appear here, and those of the command line "
            "with `--store`: `pgcn grow`, `pgcn gcn`, `pgcn train METHOD` and `pgcn search METHOD`.",
            icon=":material/inbox:",
        )
        if st.button("Grow one", icon=":material/eco:", type="primary", key="to_grow"):
            go_to("grow")
    show_deleted()
    show_undo()


def show_runs(runs: "list[StoredRun]") -> None:
    """Draw the table, and below it what is chosen: one run, a batch, or a comparison."""
    rows = described_rows(filtered(runs))
    asked = chosen_ids()
    chosen, hidden = chosen_rows(asked, rows, runs)
    show_problems(not_found([one for one in asked if one not in chosen]))
    show_problems(unknown_names(st.query_params.to_dict(), (*CHOSEN, *NAMES)))
    show_table([*hidden, *rows], list(chosen))
    if not chosen:
        st.caption("Choose a run or a batch to open, name, export or delete it; tick several to compare them.")
    elif len(chosen) > 1:
        show_comparison(list(chosen.values()))
    else:
        [row] = chosen.values()
        show_batch(row) if row.is_batch else show_details(row.runs[0])


def chosen_rows(asked: list[str], rows: "list[Row]", runs: "list[StoredRun]") -> "tuple[dict[str, Row], list[Row]]":
    """Return the chosen rows by id, and those of them that the filters hide: what a link shows is in the table."""
    chosen = find(asked, rows)
    if len(chosen) == len(asked):
        return chosen, []
    everything = described_rows(runs)
    chosen = find(asked, everything)
    there = {run.id for row in rows for run in row.runs}
    wanted = {run.id for row in chosen.values() for run in row.runs} - there
    return chosen, [row for row in everything if wanted & {run.id for run in row.runs}]
