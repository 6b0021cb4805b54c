"""The question in the sidebar of the Landscape page."""

from typing import Any

import streamlit as st

from pgcn.data.catalogue import dataset_title
from pgcn.ui.graphs import graph_names
from pgcn.ui.landscape.question import FIXED, MOST_RUNS, READERS, Question
from pgcn.ui.landscape.session import LandscapeSession
from pgcn.ui.links import MOST_IN_BROWSER, as_text
from pgcn.ui.presets import ABOUT_REPRODUCIBLE
from pgcn.ui.study.sidebar import Widgets, changes_text, read_changes

WRITTEN = ("widths", "depths", "dims")
"""Settings that are typed."""


def show_sidebar(session: LandscapeSession) -> None:
    """Draw the settings of the landscape; a change goes to the session at once."""
    WIDGETS.start(session)
    with st.sidebar:
        names = list(dict.fromkeys([*graph_names(wait=False), session.question.dataset]))
        WIDGETS.choose_one(session, "Data set", "dataset", names, dataset_title)
        about = "public, random:20 (labelled nodes of each class) or fraction:0.5 (share of all nodes)."
        st.text_input("Split", help=about, **WIDGETS.of(session, "split"))
        about = "Project the features at random to D' dimensions; empty: all of them."
        st.text_input("Features D'", placeholder="all", help=about, **WIDGETS.of(session, "dims"))
        about = "Of a random split and of the projection."
        how = {"min_value": 0, "max_value": MOST_IN_BROWSER, "step": 1}
        st.number_input("Seed of the data", help=about, **how, **WIDGETS.of(session, "data_seed"))
        st.text_input("Widths", help="Neurons of every hidden layer.", **WIDGETS.of(session, "widths"))
        st.text_input("Depths", help="Numbers of hidden layers.", **WIDGETS.of(session, "depths"))
        how = {"max_value": MOST_RUNS, "step": 1}
        st.number_input("Seeds at each point", min_value=1, **how, **WIDGETS.of(session, "runs"))
        about = "Growth and the GCN baseline have the same seeds."
        st.number_input("Growth runs", min_value=0, help=about, **how, **WIDGETS.of(session, "paths"))
        st.toggle("Reproducible", help=ABOUT_REPRODUCIBLE, **WIDGETS.of(session, "reproducible"))
        WIDGETS.show_growth(session, "Fixed topologies are trained alike.")


def widget_values(question: Question) -> dict[str, Any]:
    """Return what the widgets show of a question."""
    plain = ("dataset", "split", "data_seed", "runs", "paths", "preset", "reproducible")
    return {
        **{name: getattr(question, name) for name in plain},
        **{name: as_text(getattr(question, name)) for name in ("widths", "depths")},
        "dims": "" if question.dims is None else str(question.dims),
        "changes": changes_text(question),
    }


def read_widget(name: str, value: Any) -> Any:
    """Return what a widget's value means."""
    if name in WRITTEN:
        return READERS[name](value.strip())
    if name == "changes":
        return read_changes(value, FIXED)
    return value.strip() if isinstance(value, str) else value


WIDGETS = Widgets(prefix="land_", values=widget_values, read=read_widget)
