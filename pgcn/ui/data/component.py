"""Data sets at a glance in the browser, updated in place."""

from collections.abc import Callable
from typing import Any

import streamlit as st

from pgcn.ui.components import LOADER, served
from pgcn.web import DATA, style

DATA_CODE = served("components/data.js", "components/theme.js", *DATA)

_data = st.components.v2.component(
    "pgcn_data", html="<div></div>", css=style("data"), js=LOADER, isolate_styles=False
)


def show_data(values: dict[str, Any], key: str, choose: Callable[[str], None] = lambda name: None) -> None:
    """Show cards, one data set or the first rows of a table; ``choose`` is called with the name of a card."""

    def chosen() -> None:
        if isinstance(name := st.session_state[key].choice, str):
            choose(name)

    _data(data=[DATA_CODE, values], key=key, on_choice_change=chosen)
