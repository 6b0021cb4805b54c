"""What every page begins with, the way to other pages, and errors."""

from collections.abc import Callable
from typing import Any

import streamlit as st
from streamlit.errors import StreamlitAPIException

from pgcn.errors import PgcnError
from pgcn.places import dashboard_folder
from pgcn.ui.access import LOG_IN, READ_ONLY, has_streamlit_login, is_read_only, why_not_start
from pgcn.ui.history import keep_history
from pgcn.ui.server import job_manager, viewer, warm_up
from pgcn.ui.session import request_link
from pgcn.ui.text import plain
from pgcn.web import WEB

ICON = dashboard_folder() / "assets" / "icon.png"
PAGES = {
    "grow": ("pages/grow.py", "Grow"),
    "embedding": ("pages/embedding.py", "Embedding"),
    "arena": ("pages/arena.py", "Arena"),
    "difficulty": ("pages/difficulty.py", "Difficulty"),
    "race": ("pages/race.py", "Race"),
    "landscape": ("pages/landscape.py", "Landscape"),
    "runs": ("pages/runs.py", "Runs"),
    "data": ("pages/data.py", "Data"),
    "predictions": ("pages/predictions.py", "Predictions"),
    "learn": ("pages/learn.py", "Learn"),
}
"""File and title by address. No icon: the browser would fetch it from the internet."""

WITHOUT_STORE = ("grow", "learn")
"""Pages whose first sight needs nothing of the store."""

STYLE = (WEB / "shell" / "shell.css").read_text()


def open_page(name: str) -> None:
    """Set the page up; also where the page was not reached through app.py. May be called more than once."""
    st.set_page_config(page_title=f"{PAGES[name][1]} · PGCN explorer", page_icon=str(ICON), layout="wide")
    st.html(f"<style>{STYLE}</style>")
    show_page_links()
    note_page(name)
    keep_history(name)
    viewer()
    warm_up(name not in WITHOUT_STORE)
    try:
        job_manager()
    except PgcnError as error:  # a limit that cannot be read
        show_error(str(error))
        st.stop()
    if is_read_only():
        st.caption(f":material/lock: {READ_ONLY}")
    elif why_not_start() and has_streamlit_login():
        st.button(LOG_IN, icon=":material/login:", key="log_in", on_click=st.login)
    elif why_not_start():
        st.caption(f":material/lock: {LOG_IN}")


def show_page_links() -> None:
    """Draw a link to every page."""
    with st.container(horizontal=True, vertical_alignment="center", key="page_links"):
        try:
            for file, title in PAGES.values():
                st.page_link(file, label=title)
        except StreamlitAPIException:  # this page runs alone
            return


def note_page(name: str) -> None:
    """Remember from which page this one was reached."""
    st.session_state["page_before"] = st.session_state.get("page_now", name)
    st.session_state["page_now"] = name


def go_to(name: str, **query: str) -> None:
    """Open another page; where this page runs alone, say how to get there."""
    request_link(name, query)
    try:
        st.switch_page(PAGES[name][0], query_params=query)
    except StreamlitAPIException:
        request_link(name, None)
        st.info(
            f"To open the {PAGES[name][1]} page, start the whole app: streamlit run app.py", icon=":material/info:"
        )


def show_error(message: str) -> None:
    """Show an error: its first line, the others on demand."""
    first, *others = message.splitlines() or [""]
    st.error(plain(first), icon=":material/error:")
    if others:
        with st.expander("Details", expanded=False):
            st.code("\n".join(line.strip() for line in others), language=None, wrap_lines=True)


def show_problems(problems: list[str]) -> None:
    """Show a warning for everything that was asked for and cannot be used."""
    for problem in problems:
        st.warning(plain(problem), icon=":material/rule_settings:")


def attempt(action: Callable[..., Any], *args: Any) -> None:
    """Do what a button says; where that cannot or may not be done, say so."""
    try:
        action(*args)
    except PgcnError as error:
        show_error(str(error))
