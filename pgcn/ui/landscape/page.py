"""The Landscape page: what fixed topologies reach over widths and depths, and where growth goes among them."""

import streamlit as st

from pgcn.errors import PgcnError
from pgcn.studies.landscape.outcomes import outcomes_as_csv
from pgcn.studies.landscape.results import LandscapeResults
from pgcn.ui.graphs import store_is_at_hand
from pgcn.ui.landscape.chart import show_findings, show_headline, show_map
from pgcn.ui.landscape.known import known_results
from pgcn.ui.landscape.place import chosen_of, show_place
from pgcn.ui.landscape.progress import show_progress
from pgcn.ui.landscape.question import recorded_questions
from pgcn.ui.landscape.session import LandscapeSession, landscape_session
from pgcn.ui.landscape.sidebar import WIDGETS, show_sidebar
from pgcn.ui.refreshing import refreshed, whole_page
from pgcn.ui.server import fetch_store
from pgcn.ui.session import is_running, show_link
from pgcn.ui.shell import show_error, show_problems
from pgcn.ui.study.export import show_exports
from pgcn.ui.study.progress import NO_RESULTS, NOTHING_ENDED
from pgcn.ui.study.recorded import show_recorded_choice
from pgcn.ui.study.style import show_style
from pgcn.ui.timing import timed

TICK = 1.0
"""Seconds between two refreshes while a landscape runs."""
MOMENT = 0.3
"""Seconds between two looks whether the store is at hand, or while paths are read."""


@whole_page
@timed("landscape page")
def show_landscape_page() -> None:
    session = landscape_session()
    show_sidebar(session)
    show_style("landscape")
    st.markdown("#### Which topologies does growth find, and how good are they?")
    st.caption(
        "A grid of fixed topologies, trained from scratch with the settings of growth, with "
        "the growth runs drawn over it."
    )
    show_recorded_choice(session, recorded_questions(), WIDGETS, at="")
    show_problems(session.problems)
    running, waiting = is_running(session.current_job()), not store_is_at_hand()
    if waiting:
        fetch_store()
    reading = not waiting and is_reading(session)
    tick = TICK if running else MOMENT if waiting or reading else None
    refreshed(refresh, tick, session, running, waiting, reading, session.problems)


def is_reading(session: LandscapeSession) -> bool:
    """Return whether paths of growth are still to be read from the store."""
    try:
        return known_results(session.question.landscape)[1].is_reading
    except PgcnError:
        return False  # it is said where the results are drawn


@timed("landscape tick")
def refresh(session: LandscapeSession, running: bool, waiting: bool, reading: bool, said: list[str]) -> None:
    """Draw the results so far; while the study runs, or when only the view changes, this alone runs again.

    ``said`` is what was said above when the whole page was drawn.
    """
    show_link(session, session.query())
    job = session.current_job()
    if is_running(job) != running or session.problems != said or (waiting and store_is_at_hand()):
        st.rerun()
    try:
        own, results = known_results(session.question.landscape)
    except PgcnError as error:
        show_error(str(error))
        return
    if reading and not results.is_reading:
        st.rerun()
    show_progress(session, job, own, results)
    if not results.cells and waiting:
        st.info("Looking for stored results…")
        return
    if not results.cells:
        st.info(NOTHING_ENDED if is_running(job) else f"{NO_RESULTS} Run the study, or choose a recorded one.")
        return
    show_headline(results)
    chosen = chosen_of(session, results)
    left, right = st.columns([2, 1])
    with left:
        show_map(session, results, chosen)
    with right:
        show_place(session, results, own, chosen)
    show_findings(results)
    show_files(results)


def show_files(results: LandscapeResults) -> None:
    """Offer the numbers as a table and the map as a page."""

    def report() -> str:
        from pgcn.views.landscape.report import landscape_page

        return landscape_page(results)

    show_exports("landscape", lambda: outcomes_as_csv(results.shown), report)
