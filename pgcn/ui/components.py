"""Two components that are updated in place: the player of a run, and a Plotly chart.

``st.plotly_chart`` makes the whole chart anew whenever its data changes; these keep it, so that nothing flickers and
zoom stays. Their code and Plotly come from this server: no network is needed.
"""

from pathlib import Path
from typing import Any

import plotly
import streamlit as st
from streamlit.components.v1 import declare_component

from pgcn.figures.film import PLAYER

FILES = Path(__file__).parent / "components"

# Declaring a folder has the server serve its files under component/<name>/.
declare_component("player", path=str(PLAYER))
declare_component("plotly", path=str(Path(plotly.__file__).parent / "package_data"))
PLACES = {
    "player": f"component/{__name__}.player/player.js",
    "plotly": f"component/{__name__}.plotly/plotly.min.js",
}

_player = st.components.v2.component(
    "pgcn_player",
    html="<div></div>",
    css=(PLAYER / "player.css").read_text(),
    js=(FILES / "player.js").read_text(),
    isolate_styles=False,
)
_chart = st.components.v2.component(
    "pgcn_chart",
    html="<div></div>",
    js=(FILES / "chart.js").read_text(),
    isolate_styles=False,
)


def show_player(film: dict[str, Any], key: str) -> None:
    """Show a film, or its continuation where the player with this key is there already."""
    _player(data={"film": film, "places": PLACES}, key=key)


def plotly_live(figure: dict[str, Any], key: str, height: int = 360) -> None:
    """Show a Plotly figure, given as plain values, and update it in place when it changes."""
    _chart(data={"figure": figure, "places": PLACES, "height": height}, key=key)
