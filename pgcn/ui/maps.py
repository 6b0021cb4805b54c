"""The component that shows the maps of a run, updated in place."""

from typing import Any

import streamlit as st

from pgcn.ui.components import LOADER, served
from pgcn.views.maps import CODE
from pgcn.web import WEB

MAPS_CODE = served("components/maps", *(f"player/{file.removesuffix('.js')}" for file in CODE))
STYLE = "\n".join((WEB / "player" / name).read_text() for name in ("player.css", "map/map.css"))

_maps = st.components.v2.component("pgcn_maps", html="<div></div>", css=STYLE, js=LOADER, isolate_styles=False)


def show_maps(film: dict[str, Any], key: str) -> None:
    """Show maps, or their continuation where those with this key are there already."""
    _maps(data=[MAPS_CODE, film], key=key)
