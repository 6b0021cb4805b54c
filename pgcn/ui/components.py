"""Components that are updated in place: the player of a run, a Plotly chart, and the pictures of the tour.

``st.plotly_chart`` makes the whole chart anew whenever its data changes; these keep it, so that nothing flickers
and zoom stays. Their code and Plotly come from this server: no network is needed.
"""

from pathlib import Path
from typing import Any

import plotly
import streamlit as st
from streamlit.components.v1 import declare_component

from pgcn.web import WEB

# Declaring a folder has the server serve its files under component/<module>.<name>/; plotly.js relies on that.
for name, folder in {"web": WEB, "plotly": Path(plotly.__file__).parent / "package_data"}.items():
    declare_component(name, path=str(folder))

# Values travel as a list: Streamlit would look through a dictionary for data frames, and import pandas to do so.
LOADER = """
export default function (component) {
  const [addresses, ...values] = component.data;
  const modules = addresses.map((address) => import(new URL(address, document.baseURI).href));
  modules[0].then(({ show }) => show(component.parentElement, ...values, component.setTriggerValue));
}
"""


def served(*files: str) -> list[str]:
    return [f"component/{__name__}.web/{file}.js" for file in files]


# The first is the one that shows; the others are what it will ask for, fetched at the same time.
PLAYER_CODE = served(
    "components/player",
    "components/plotly",
    *(f"player/{name}" for name in ("player", "canvas", "plot", "charts", "transport")),
)
CHART_CODE = served("components/chart", "components/plotly", "player/plot")
LESSON_CODE = served(
    *(f"lesson/{name}" for name in ("lesson", "draw", "graph", "basics", "training", "growth", "compare"))
)


_player = st.components.v2.component(
    "pgcn_player",
    html="<div></div>",
    css=(WEB / "player" / "player.css").read_text(),
    js=LOADER,
    isolate_styles=False,
)
_chart = st.components.v2.component("pgcn_chart", html="<div></div>", js=LOADER, isolate_styles=False)

_lesson = st.components.v2.component(
    "pgcn_lesson",
    html="<div></div>",
    css=(WEB / "player" / "player.css").read_text() + (WEB / "lesson" / "lesson.css").read_text(),
    js=LOADER,
    isolate_styles=False,
)


def show_player(film: dict[str, Any], key: str) -> None:
    """Show a film, or its continuation where the player with this key is there already."""
    _player(data=[PLAYER_CODE, film], key=key)


def plotly_live(figure: dict[str, Any], key: str, height: int = 360, *, about: str = "") -> Any:
    """Show a Plotly figure, given as plain values, and update it in place when it changes.

    A zoom is kept as long as the figure is ``about`` the same. Return the ``customdata`` of the mark that was just
    clicked, None otherwise.
    """
    return _chart(data=[CHART_CODE, figure, height, about], key=key, on_point_change=lambda: None).point


def show_lesson(scene: dict[str, Any], key: str) -> None:
    """Show a picture of the tour; ``scene`` names its kind and holds its numbers."""
    _lesson(data=[LESSON_CODE, scene], key=key)
