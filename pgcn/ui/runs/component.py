"""The table of stored runs in the browser, updated in place."""

from collections.abc import Callable
from typing import Any

import streamlit as st

from pgcn.ui.components import LOADER, served
from pgcn.web import RUNS, style

KEY = "runs_table"
RUNS_CODE = served("components/runs.js", *RUNS)

_table = st.components.v2.component(
    "pgcn_runs", html="<div></div>", css=style("runs"), js=LOADER, isolate_styles=False
)


def show_run_table(values: dict[str, Any], choose: Callable[[list[str]], None]) -> None:
    """Show a table of :mod:`pgcn.views.run_table`; ``choose`` is called with the ids of chosen rows."""

    def chosen() -> None:
        ids = st.session_state[KEY].selection
        if isinstance(ids, list):
            choose([str(one) for one in ids])

    _table(data=[RUNS_CODE, values], key=KEY, on_selection_change=chosen)
