"""The runs behind one place of a study: the buttons that run them and that open them on other pages."""

from collections.abc import Callable

import streamlit as st

from pgcn.ui.access import why_not_start
from pgcn.ui.session import is_running
from pgcn.ui.study.session import StudySession

ABOUT_RECORDED = (
    "A recorded run. Opens Grow with its settings and seed in reproducible mode; growing "
    "there gives the same network."
)


def show_run_place(session: StudySession, label: str, run: Callable[[], None], about: str = "") -> None:
    """Draw the button that runs what is missing at a place."""
    running = is_running(session.current_job())
    why = why_not_start() or ("Wait until the running study has ended." if running else "")
    st.button(
        label,
        icon=":material/play_arrow:",
        key="study_run_place",
        disabled=bool(why),
        on_click=run,
        help=why or about or None,
    )


def link_button(label: str, icon: str, run: str, key: str, about: str) -> bool:
    """Draw a button that opens a run on another page; return whether it was pressed."""
    return st.button(label, icon=f":material/{icon}:", key=f"{key}_{run}", type="tertiary", help=about)
