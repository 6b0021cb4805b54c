"""The Data page: every data set at a glance, and one's own graph from files."""

import streamlit as st

from pgcn.data.catalogue import CATALOGUE, GraphFacts
from pgcn.errors import DataError, PgcnError
from pgcn.execution.graphs import named_source
from pgcn.source import GraphSource
from pgcn.ui.data.add import show_add
from pgcn.ui.data.component import show_data
from pgcn.ui.data.deletion import show_deleted, show_undo
from pgcn.ui.data.details import show_details, show_draw
from pgcn.ui.data.known import is_drawing, portrait
from pgcn.ui.links import unknown_names
from pgcn.ui.refreshing import refreshed, whole_page
from pgcn.ui.server import store
from pgcn.ui.shell import show_error, show_problems
from pgcn.ui.timing import timed
from pgcn.views.data_page import card_of

TICK = 1.0
"""Seconds between two looks whether a graph has been drawn."""


@whole_page
@timed("data page")
def show_data_page() -> None:
    show_problems(unknown_names(st.query_params.to_dict(), ("dataset",)))
    name = asked()
    try:
        if name and is_there(name):
            show_details(name)
        else:
            show_all()
        show_undo()
    except PgcnError as error:
        show_error(str(error))


def is_there(name: str) -> bool:
    """Return whether there is such a data set; say so where there is none."""
    try:
        named_source(store(), name)
    except DataError as error:
        show_problems([str(error)])
        return False
    return True


def show_all() -> None:
    """Draw where files are dropped, and below it every data set."""
    st.markdown("#### Your graph, or one of these")
    show_add()
    own = [graph.source for graph in store().stored_graphs().values()]
    running = is_drawing(own)
    show_draw(own, running)
    refreshed(show_cards, TICK if running else None, running, asked())
    show_deleted()


def asked() -> str:
    """Return the data set that the address names, "" where it names none."""
    return st.query_params.get("dataset", "")


def show_cards(running: bool, before: str) -> None:
    """Draw the cards; while graphs are being drawn, or when a card is clicked, this alone runs again.

    ``before`` is what the address named when the whole page was drawn.
    """
    if asked() != before:
        st.rerun()  # a card was clicked
    stored = store().stored_graphs()  # once: another visitor may add or delete one in the meantime
    own = [
        card_of(
            name,
            GraphFacts(title=name, **graph.facts),
            portrait(graph.source),
            f"Yours, from {graph.origin}" if graph.origin else "Yours",
        )
        for name, graph in reversed(stored.items())
    ]
    built_in = [
        card_of(name, facts, portrait(GraphSource(name=name)), facts.note) for name, facts in CATALOGUE.items()
    ]
    show_data({"kind": "cards", "cards": own + built_in}, "data_cards", choose)
    if running and not is_drawing([graph.source for graph in stored.values()]):
        st.rerun()


def choose(name: str) -> None:
    """Open a data set: the address alone says which."""
    st.query_params.from_dict({"dataset": name})
