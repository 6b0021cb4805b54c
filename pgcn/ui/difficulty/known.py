"""What is known of a study: what came with the program at once, what was computed here once the store is there."""

import threading
from collections.abc import Sequence

import streamlit as st

from pgcn.studies.difficulty import Study
from pgcn.studies.difficulty.results import Outcome, Results, stored_outcomes
from pgcn.ui.graphs import store_is_at_hand
from pgcn.ui.recorded import recorded_for
from pgcn.ui.server import store


@st.cache_resource(show_spinner=False)
def fetch_store() -> threading.Thread:
    """Import the store in the background, once per server: it takes 0.1 s, and the first page need not wait."""

    def fetch() -> None:
        import pgcn.store  # noqa: F401

    thread = threading.Thread(target=fetch, daemon=True, name="fetch-store")
    thread.start()
    return thread


def known_results(studies: Sequence[Study]) -> tuple[list[Outcome], Results]:
    """Return what was computed here, and that with what came with the program."""
    own = (
        [outcome for study in studies for outcome in stored_outcomes(study, store())] if store_is_at_hand() else []
    )
    return own, Results([*own, *recorded_for([task for study in studies for task in study.tasks()])])
