"""The question in the sidebar of the Difficulty page."""

from typing import Any

import streamlit as st

from pgcn.config import assignments
from pgcn.data.catalogue import dataset_title
from pgcn.errors import ConfigError, PgcnError
from pgcn.methods.pgcn import PRESETS, GrowthConfig
from pgcn.numbers import exact
from pgcn.studies.difficulty import CONTENDERS
from pgcn.ui.difficulty.question import FIXED, MOST_EXPERIMENTS, READERS, Question, study_datasets
from pgcn.ui.difficulty.session import DifficultySession
from pgcn.ui.graphs import graph_facts
from pgcn.ui.links import as_text
from pgcn.ui.presets import ABOUT_REPRODUCIBLE

DIMS = (10, 20, 30, 50, 80, 100, 200, 300, 500, 1000)
RATES = (5.2, 10, 30, 50, 80)


def show_sidebar(session: DifficultySession) -> None:
    """Draw the settings of the study; a change goes to the session at once."""
    question = session.question
    for name, value in widget_values(question).items():
        st.session_state.setdefault(f"ask_{name}", value)
    dims = sorted({*DIMS, *question.dims, *(graph_facts(name).features for name in question.datasets)})
    with st.sidebar:
        about = "One is drawn at a time; the others are summed up below it."
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
            **widget(session, "experiments"),
        )
        about = "\n".join(f"- **{method.label}**: {method.about}" for method in CONTENDERS.values())
        choose(session, "Methods", "methods", CONTENDERS, about, format_func=lambda name: CONTENDERS[name].label)
        st.toggle("Reproducible", help=ABOUT_REPRODUCIBLE, **widget(session, "reproducible"))
        with st.expander("How PGCN grows", key="ask_more"):
            preset = widget(session, "preset")
            first = list(PRESETS).index(preset.pop("value"))
            st.selectbox("Preset", list(PRESETS), first, format_func=str.capitalize, **preset)
            st.text_input(
                "Settings",
                placeholder="dropout=0.1 block_width=5",
                help="Written as for `pgcn grow --set`. The default of the study is dropout=0.1.",
                **widget(session, "changes"),
            )
            st.caption("The same in a terminal")
            st.code(question.command(), language=None, wrap_lines=True)


def widget(session: DifficultySession, name: str) -> dict[str, Any]:
    """Return what the widget of a setting is given: its value, its key and what a change does.

    Its value is told twice, as that of Grow's (:func:`pgcn.ui.grow.sidebar.widget`).
    """
    value = widget_values(session.question)[name]
    return {"value": value, "key": f"ask_{name}", "on_change": apply_widget, "args": (session, name)}


def choose(session: DifficultySession, label: str, name: str, options, about: str, **how: Any) -> None:
    """Draw a setting that is several of some options."""
    given = widget(session, name)
    default = given.pop("value")
    options = list(dict.fromkeys([*options, *default, *st.session_state[f"ask_{name}"]]))
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
        "changes": " ".join(f"{name}={as_text(value)}" for name, value in question.changes.items()),
    }


def apply_widget(session: DifficultySession, name: str) -> None:
    """Take a widget's value into the question, or say why it cannot be used and restore the widget."""
    if f"ask_{name}" not in st.session_state:
        return  # a run of the page that was cut short had not drawn the widget
    session.problems = []
    try:
        value = read_widget(name, st.session_state[f"ask_{name}"])
        session.question = session.question.change(**{name: value})
    except PgcnError as error:
        session.problems = [f"{error} It was not changed."]
    for key, value in widget_values(session.question).items():
        if f"ask_{key}" in st.session_state and st.session_state[f"ask_{key}"] != value:
            st.session_state[f"ask_{key}"] = value


def read_widget(name: str, value: Any) -> Any:
    """Return what a widget's value means."""
    if name in ("dims", "rates"):
        if not value:
            raise ConfigError(f"{name} must name at least one, got none.")
        return tuple(sorted(READERS[name](",".join(value))))
    if name == "changes":
        changes = assignments(GrowthConfig, value.split())
        for fixed in FIXED:
            if fixed in changes:
                raise ConfigError(f"{fixed} cannot be changed: the study sets it for every experiment and method.")
        return changes
    return tuple(value) if isinstance(value, list) else value
