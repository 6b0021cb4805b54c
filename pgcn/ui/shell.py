"""What every page begins with."""

from pathlib import Path

import streamlit as st
from streamlit.errors import StreamlitAPIException

from pgcn.ui.server import viewer, warm_up

# A file of ours: an icon by its name would be fetched from the internet.
ICON = Path(__file__).parents[2] / "assets" / "icon.png"
PAGES = {  # file, title, icon
    "grow": ("pages/grow.py", "Grow", ":material/hub:"),
    "runs": ("pages/runs.py", "Runs", ":material/table_rows:"),
}


def open_page(name: str) -> None:
    """Set the page up; also where the page was not reached through app.py. May be called more than once."""
    st.set_page_config(page_title=f"{PAGES[name][1]} · PGCN explorer", page_icon=str(ICON), layout="wide")
    viewer()
    warm_up()


def go_to(name: str, **query: str) -> None:
    """Open another page; where a page runs alone, say how to get there."""
    try:
        st.switch_page(PAGES[name][0], query_params=query)
    except StreamlitAPIException:
        st.info(f"The {PAGES[name][1]} page opens from the whole app: streamlit run app.py", icon=":material/info:")
