"""Which rows are chosen: the address alone says so, so that a link, a reload and the browser's Back show it."""

from collections.abc import Sequence

import streamlit as st

from pgcn.errors import shown
from pgcn.ui.links import ID
from pgcn.views.run_facts import Row

CHOSEN = ("run", "runs")
"""What names rows in an address."""
MOST_CHOSEN = 200
"""Ids that fit into an address that browsers and proxies take; as many rows as the table draws at a time."""


def chosen_ids() -> list[str]:
    """Return the ids that the address names, of runs or of batches."""
    text = st.query_params.get("runs") or st.query_params.get("run", "")
    return list(dict.fromkeys(filter(None, text.split(","))))[:MOST_CHOSEN]


def choose(ids: Sequence[str]) -> None:
    """Make these rows the chosen ones."""
    if len(ids) > MOST_CHOSEN:
        st.toast(f"The first {MOST_CHOSEN} are selected: a link cannot hold more.", icon=":material/info:")
    link = {"run" if len(ids) == 1 else "runs": ",".join(ids[:MOST_CHOSEN])} if ids else {}
    others = {name: text for name, text in st.query_params.to_dict().items() if name not in CHOSEN}
    st.query_params.from_dict({**link, **others})


def find(ids: Sequence[str], rows: Sequence[Row]) -> dict[str, Row]:
    """Return the rows of these ids, in their order: batches, single runs, and runs of a batch by themselves."""
    known = {row.id: row for row in rows}
    known |= {run.id: row.part(run) for row in rows if row.is_batch for run in row.runs}
    return {name: known[name] for name in ids if name in known}


def not_found(ids: Sequence[str]) -> list[str]:
    """Return a sentence for each id of the address that is of no stored run."""
    return [
        f"No run or batch has the id {one[:8] if ID.fullmatch(one) else shown(one)} here: it was deleted, or is of "
        "another server."
        for one in ids
    ]
