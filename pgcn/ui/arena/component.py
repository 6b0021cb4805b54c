"""Parts of the Arena page that are updated in place: tables, an architecture, a controller's preferences."""

from typing import Any

import streamlit as st

from pgcn.ui.components import LOADER, served
from pgcn.web import ARENA, style

ARENA_CODE = served("components/arena.js", *ARENA)

_arena = st.components.v2.component(
    "pgcn_arena", html="<div></div>", css=style("arena"), js=LOADER, isolate_styles=False
)


def show_table(values: dict[str, Any], key: str) -> str | None:
    """Show a table of :mod:`pgcn.views.arena.table`; return the key of the row that was just chosen, else None."""
    return _arena(data=[ARENA_CODE, "table", values], key=key, on_row_change=lambda: None).row


def show_architecture(values: dict[str, Any], key: str) -> None:
    """Show the network of an architecture."""
    _arena(data=[ARENA_CODE, "network", values], key=key, on_row_change=lambda: None)


def show_preferences(values: dict[str, Any], key: str) -> None:
    """Show how likely a controller is to make each choice."""
    _arena(data=[ARENA_CODE, "preferences", values], key=key, on_row_change=lambda: None)
