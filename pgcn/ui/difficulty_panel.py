"""The question at the left of the Difficulty page."""

import streamlit as st

from pgcn.config import assignments
from pgcn.data.sources import STATISTICS, TITLES
from pgcn.errors import ConfigError, PgcnError
from pgcn.methods.pgcn import PRESETS, GrowthConfig
from pgcn.studies.difficulty import METHODS
from pgcn.ui.difficulty_asked import DATASETS, FIXED, READERS, Asked
from pgcn.ui.difficulty_session import Inquiry
from pgcn.ui.settings import ABOUT_REPRODUCIBLE

DIMS = (10, 20, 30, 50, 80, 100, 200, 300, 500, 1000)
RATES = (5.2, 10, 30, 50, 80)


def show_question(session: Inquiry) -> None:
    """Draw the settings of the study in the sidebar; a change goes to the session at once."""
    asked = session.asked
    for name, value in widget_values(asked).items():
        st.session_state.setdefault(f"ask_{name}", value)
    known = {*DIMS, *asked.dims, *(STATISTICS[name][2] for name in asked.datasets)}
    with st.sidebar:

        def choose(label: str, name: str, options: list[str], about: str, *, own: bool = False, **more) -> None:
            options = list(dict.fromkeys([*options, *st.session_state[f"ask_{name}"]]))
            st.multiselect(
                label, options, key=f"ask_{name}", accept_new_options=own, on_change=take, args=(session, name),
                help=about, **more,
            )  # fmt: skip

        choose("Data sets", "datasets", list(DATASETS), "One column of figures for each.", format_func=TITLES.get)
        choose(
            "Dimensions D'", "dims", [str(dims) for dims in sorted(known)],
            "The features are projected at random to so many; all D is the largest. Type your own.", own=True,
        )  # fmt: skip
        choose(
            "Labelled nodes (%)", "rates", [f"{rate:g}" for rate in RATES],
            "The other handle of N_L/D'. With several, a map over both handles can be drawn.", own=True,
        )  # fmt: skip
        st.number_input(
            "Experiments", 1, 100, step=1, key="ask_experiments", on_change=take, args=(session, "experiments"),
            help="Each has its own split and its own projection, shared by all methods.",
        )  # fmt: skip
        choose(
            "Methods", "methods", list(METHODS),
            "\n".join(f"- **{method.label}**: {method.about}" for method in METHODS.values()),
            format_func=lambda name: METHODS[name].label,
        )  # fmt: skip
        st.toggle(
            "Reproducible", key="ask_reproducible", on_change=take, args=(session, "reproducible"),
            help=ABOUT_REPRODUCIBLE,
        )  # fmt: skip
        with st.expander("How PGCN grows", key="ask_more"):
            st.selectbox(
                "Preset", list(PRESETS), key="ask_preset", format_func=str.capitalize,
                on_change=take, args=(session, "preset"),
            )  # fmt: skip
            st.text_input(
                "Settings", key="ask_changes", placeholder="dropout=0.1 block_width=5",
                on_change=take, args=(session, "changes"),
                help="As `pgcn grow --set` takes them. The study's own: dropout=0.1.",
            )  # fmt: skip
            st.caption("The same in a terminal")
            st.code(asked.command(), language="bash", wrap_lines=True)


def widget_values(asked: Asked) -> dict:
    """Return what the widgets show of a question."""
    return {
        "datasets": list(asked.datasets),
        "dims": [str(dims) for dims in asked.dims],
        "rates": [f"{rate:g}" for rate in asked.rates],
        "experiments": asked.experiments,
        "methods": list(asked.methods),
        "preset": asked.preset,
        "reproducible": asked.reproducible,
        "changes": " ".join(f"{name}={value}" for name, value in asked.changes.items()),
    }


def take(session: Inquiry, name: str) -> None:
    """Take a widget's value into the question, or say why it cannot be and put the old one back."""
    if f"ask_{name}" not in st.session_state:
        return  # a run of the page that was cut short had not drawn the widget
    session.complaints = []
    try:
        session.asked = session.asked.change(**{name: read(name, st.session_state[f"ask_{name}"])})
    except PgcnError as error:
        session.complaints = [f"{error} It stays as it was."]
    for key, value in widget_values(session.asked).items():
        if f"ask_{key}" in st.session_state and st.session_state[f"ask_{key}"] != value:
            st.session_state[f"ask_{key}"] = value


def read(name: str, value):
    if name in ("dims", "rates"):
        if not value:
            raise ConfigError(f"{name} must name at least one, got none.")
        return tuple(sorted(READERS[name](",".join(value))))
    if name == "changes":
        changes = assignments(GrowthConfig, value.split())
        for own in FIXED:
            if own in changes:
                raise ConfigError(f"{own} cannot be set here: the study sets it for every experiment and method.")
        return changes
    return tuple(value) if isinstance(value, list) else value
