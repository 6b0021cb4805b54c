"""What every page begins with."""

import streamlit as st
from streamlit.errors import StreamlitAPIException

from pgcn.places import dashboard_folder
from pgcn.ui.server import viewer, warm_up
from pgcn.ui.visits import ask

ICON = dashboard_folder() / "assets" / "icon.png"
PAGES = {
    "grow": ("pages/grow.py", "Grow"),
    "embedding": ("pages/embedding.py", "Embedding"),
    "difficulty": ("pages/difficulty.py", "Difficulty"),
    "runs": ("pages/runs.py", "Runs"),
    "learn": ("pages/learn.py", "Learn"),
}
"""File and title. No icon: the browser would fetch it from the internet to show it in the tab."""

# Streamlit leaves much air around a page; the canvas needs the room.
STYLE = """
.stMainBlockContainer { padding: 4.4rem 1.6rem 2rem; max-width: 1500px; }
.stSidebar .stCaption, .stSidebar [data-testid="stCaptionContainer"] { margin-top: -0.6rem; }
.st-key-controls, .st-key-status { gap: 0.5rem; }
.st-key-status { min-height: 2.6rem; }
.st-key-status p { margin: 0; }
@media (max-width: 700px) { .stMainBlockContainer { padding: 4rem 0.7rem 2rem; } }
"""


def open_page(name: str) -> None:
    """Set the page up; also where the page was not reached through app.py. May be called more than once."""
    st.set_page_config(page_title=f"{PAGES[name][1]} · PGCN explorer", page_icon=str(ICON), layout="wide")
    st.html(f"<style>{STYLE}</style>")
    viewer()
    warm_up()


def go_to(name: str, **query: str) -> None:
    """Open another page; where a page runs alone, say how to get there."""
    ask(name, query)
    try:
        st.switch_page(PAGES[name][0], query_params=query)
    except StreamlitAPIException:
        ask(name, None)
        st.info(f"The {PAGES[name][1]} page opens from the whole app: streamlit run app.py", icon=":material/info:")


def show_error(message: str) -> None:
    """Say what went wrong: its first line, the others on demand."""
    first, *others = message.splitlines()
    st.error(first, icon=":material/error:")
    if others:
        with st.expander("What was tried, and what to do", expanded=False):
            st.code("\n".join(line.strip() for line in others), language=None, wrap_lines=True)
