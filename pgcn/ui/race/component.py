"""The race as it is drawn in the browser, updated in place."""

from typing import Any

import streamlit as st

from pgcn.ui.components import LOADER, served
from pgcn.web import RACE, style

RACE_CODE = served("components/race.js", "components/plotly.js", "components/theme.js", *RACE)

_race = st.components.v2.component(
    "pgcn_race", html="<div></div>", css=style("race"), js=LOADER, isolate_styles=False
)


def show_values(values: dict[str, Any], key: str) -> None:
    """Show a race (:mod:`pgcn.views.race`), or how it goes on."""
    _race(data=[RACE_CODE, values], key=key)
