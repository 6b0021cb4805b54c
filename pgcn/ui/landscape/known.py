"""What is known of a landscape: what came with the program at once, what was computed here with the store."""

import threading

import streamlit as st

from pgcn.studies.landscape import Landscape
from pgcn.studies.landscape.outcomes import LandscapeOutcome, stored_outcomes
from pgcn.studies.landscape.results import LandscapeResults
from pgcn.ui.graphs import store_is_at_hand
from pgcn.ui.server import store

_readers: dict[str, threading.Thread] = {}
"""Who reads the paths of growth of a landscape, by the id of its first run: at most one for each."""


@st.cache_resource(show_spinner=False)
def recorded_outcomes() -> dict[str, LandscapeOutcome]:
    """Return what was recorded of landscapes, by the id of the task."""
    from pgcn.recorded import recorded_landscapes

    return {one.run: one for _, outcomes in recorded_landscapes() for one in outcomes}


def known_results(landscape: Landscape) -> tuple[list[LandscapeOutcome], LandscapeResults]:
    """Return what was computed here, and that with what came with the program."""
    own = stored_outcomes(landscape, store(), within=0) if store_is_at_hand() else []
    recorded = recorded_outcomes()
    found = (recorded.get(task.recorded_id) for task in landscape.tasks())
    results = LandscapeResults(landscape, [*own, *(one for one in found if one is not None)])
    if results.is_reading:
        read_paths(landscape)
    return own, results


def read_paths(landscape: Landscape) -> None:
    """Read the paths of growth from the store in the background: hundreds of events each, once per server."""
    name = landscape.tasks()[0].id
    if name in _readers and _readers[name].is_alive():
        return
    for other in [other for other, reader in _readers.items() if not reader.is_alive()]:
        _readers.pop(other, None)
    database = store()
    reader = threading.Thread(target=stored_outcomes, args=(landscape, database), daemon=True, name="read-paths")
    _readers[name] = reader
    reader.start()
