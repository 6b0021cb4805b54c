"""Components that are updated in place: the player of a run, a Plotly chart, and the figures of the tour.

``st.plotly_chart`` draws a chart from scratch whenever its data changes; these keep it, so that nothing flickers
and zoom stays. Their code and Plotly come from this server: no internet is needed.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import plotly
import streamlit as st
from streamlit.components.v1 import declare_component

from pgcn.web import CHART, LESSON, PLAYER, WEB, style

# Declaring a folder has the server serve its files under component/<module>.<name>/; plotly.js relies on that.
for name, folder in {"web": WEB, "plotly": Path(plotly.__file__).parent / "package_data"}.items():
    declare_component(name, path=str(folder))

# Values are sent as a list: Streamlit would search a dictionary for data frames, and import pandas for it.
LOADER = """
export default function (component) {
  const [addresses, ...values] = component.data;
  const modules = addresses.map((address) => import(new URL(address, document.baseURI).href));
  modules[0].then(({ show }) => show(component.parentElement, ...values, component.setTriggerValue));
}
"""


def served(*files: str) -> list[str]:
    return [f"component/{__name__}.web/{file}" for file in files]


# The first is the one that shows; the others are what it will ask for, fetched at the same time.
PLAYER_CODE = served("components/player.js", "components/plotly.js", "components/theme.js", *PLAYER)
CHART_CODE = served("components/chart.js", "components/plotly.js", "components/theme.js", *CHART)
LESSON_CODE = served("components/lesson.js", *LESSON)


_player = st.components.v2.component(
    "pgcn_player",
    html="<div></div>",
    css=style("player"),
    js=LOADER,
    isolate_styles=False,
)
_chart = st.components.v2.component("pgcn_chart", html="<div></div>", js=LOADER, isolate_styles=False)

_lesson = st.components.v2.component(
    "pgcn_lesson",
    html="<div></div>",
    css=style("lesson"),
    js=LOADER,
    isolate_styles=False,
)

# It has nothing to show: without a place of its own, no room between others is lost for it.
_history = st.components.v2.component(
    "pgcn_history", html="<div></div>", css=".st-key-history { display: none; }", js=LOADER, isolate_styles=False
)

_view = st.components.v2.component(
    "pgcn_view", html="<div></div>", css=".st-key-in_view { display: none; }", js=LOADER, isolate_styles=False
)


def show_player(replay: dict[str, Any], key: str, branch: Callable[[int], None] | None = None) -> None:
    """Show a replay below the header of its run, or its continuation in the player that has this key.

    Where there is ``branch``, it is called with the accepted step from which the visitor wants to grow on.
    """

    def asked() -> None:
        step = st.session_state[key].branch
        if branch is not None and isinstance(step, int):
            branch(step)

    values = replay | {"headed": True, "branchable": branch is not None}
    _player(data=[PLAYER_CODE, values], key=key, on_branch_change=asked)


def plotly_live(figure: dict[str, Any], key: str, height: int = 360, *, about: str = "") -> Any:
    """Show a Plotly figure, given as plain values, and update it in place when it changes.

    The zoom stays as long as the figure is ``about`` the same. Return the ``customdata`` of the mark that was just
    clicked, else None.
    """
    return _chart(data=[CHART_CODE, figure, height, about], key=key, on_point_change=lambda: None).point


def show_lesson(scene: dict[str, Any], key: str) -> None:
    """Show a figure of the tour; ``scene`` names its kind and holds its numbers."""
    _lesson(data=[LESSON_CODE, scene], key=key)


def show_history(view: tuple[str, ...] | None, own: tuple[str, ...] = ()) -> None:
    """Have the browser add a step to its history where an address names another view (``pgcn.ui.history``)."""
    _history(data=[served("components/history.js"), view, own], key="history")


def keep_in_view(row: str, chosen: int) -> None:
    """Have a row of buttons, named by a selector, scroll sideways until a button of it is in view."""
    _view(data=[served("components/view.js"), row, chosen], key="in_view")
