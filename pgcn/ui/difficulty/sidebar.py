"""The question in the sidebar of the Difficulty page."""

from typing import Any

import streamlit as st

from pgcn.data.catalogue import dataset_title
from pgcn.errors import ConfigError
from pgcn.numbers import exact
from pgcn.studies.difficulty import CONTENDERS
from pgcn.ui.difficulty.question import FIXED, MOST_EXPERIMENTS, READERS, Question, study_datasets
from pgcn.ui.difficulty.session import DifficultySession
from pgcn.ui.graphs import graph_facts
from pgcn.ui.presets import ABOUT_REPRODUCIBLE
from pgcn.ui.study.sidebar import Widgets, changes_text, read_changes

DIMS = (10, 20, 30, 50, 80, 100, 200, 300, 500, 1000)
RATES = (5.2, 10, 30, 50, 80)


def show_sidebar(session: DifficultySession) -> None:
    """Draw the settings of the study; a change goes to the session at once."""
    question = session.question
    WIDGETS.start(session)
    dims = sorted({*DIMS, *question.dims, *(graph_facts(name).features for name in question.datasets)})
    with st.sidebar:
        about = "One is drawn at a time; the others are summarised below the chart."
        choose(session, "Data sets", "datasets", study_datasets(), about, format_func=dataset_title)
        about = "The features are projected at random to D' dimensions; the largest is all of them. Type your own."
        choose(session, "Dimensions D'", "dims", map(str, dims), about, accept_new_options=True)
        about = "Sets the labels per feature, N\\_L/D'. Several rates add a heat map. Type your own."
        rates = [exact(rate) for rate in RATES]
        choose(session, "Labelled nodes (%)", "rates", rates, about, accept_new_options=True)
        about = "Each has its own split and projection, the same for all methods."
        st.number_input(
            "Experiments",
            min_value=1,
            max_value=MOST_EXPERIMENTS,
            step=1,
            help=about,
            **WIDGETS.of(session, "experiments"),
        )
        about = "\n".join(f"- **{method.label}**: {method.about}" for method in CONTENDERS.values())
        choose(session, "Methods", "methods", CONTENDERS, about, format_func=lambda name: CONTENDERS[name].label)
        st.toggle("Reproducible", help=ABOUT_REPRODUCIBLE, **WIDGETS.of(session, "reproducible"))
        WIDGETS.show_growth(session, "The default of the study is dropout=0.1.")


def choose(session: DifficultySession, label: str, name: str, options, about: str, **how: Any) -> None:
    """Draw a setting that is several of some options."""
    given = WIDGETS.of(session, name)
    default = given.pop("value")
    options = list(dict.fromkeys([*options, *default, *st.session_state[given["key"]]]))
    st.multiselect(label, options, default, help=about, **given, **how)


def widget_values(question: Question) -> dict[str, Any]:
    """Return what the widgets show of a question."""
    return {
        "datasets": list(question.datasets),
        "dims": [str(dims) for dims in question.dims],
        "rates": [exact(rate) for rate in question.rates],
        "experiments": question.experiments,
        "methods": list(question.methods),
        "preset": question.preset,
        "reproducible": question.reproducible,
        "changes": changes_text(question),
    }


def read_widget(name: str, value: Any) -> Any:
    """Return what a widget's value means."""
    if name in ("dims", "rates"):
        if not value:
            raise ConfigError(f"{name} must name at least one, got none.")
        return tuple(sorted(READERS[name](",".join(value))))
    if name == "changes":
        return read_changes(value, FIXED)
    return tuple(value) if isinstance(value, list) else value


WIDGETS = Widgets(prefix="ask_", values=widget_values, read=read_widget)
