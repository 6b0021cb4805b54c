"""The Difficulty page: how the lead of a grown over a fixed topology depends on the labels per feature."""

import streamlit as st

from pgcn.errors import PgcnError
from pgcn.studies.difficulty.results import Results, outcomes_as_csv
from pgcn.ui.difficulty.chart import show_chart, show_choices, show_headline, show_heat_maps
from pgcn.ui.difficulty.comparison import show_comparison, show_other_data_sets
from pgcn.ui.difficulty.known import known_results
from pgcn.ui.difficulty.place import show_place
from pgcn.ui.difficulty.progress import show_progress
from pgcn.ui.difficulty.question import recorded_questions
from pgcn.ui.difficulty.session import DifficultySession, difficulty_session
from pgcn.ui.difficulty.shown import view_of
from pgcn.ui.difficulty.sidebar import WIDGETS, show_sidebar
from pgcn.ui.graphs import store_is_at_hand
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
"""Seconds between two refreshes while a study runs."""
MOMENT = 0.3
"""Seconds between two looks whether the store is at hand."""


@whole_page
@timed("difficulty page")
def show_difficulty_page() -> None:
    session = difficulty_session()
    show_sidebar(session)
    show_style("difficulty")
    st.markdown("#### When does growing pay?")
    st.caption(
        "Features are projected at random to D' dimensions, and a share of the nodes is labelled. In every "
        "experiment all methods have the same split and the same projection."
    )
    show_recorded_choice(session, recorded_questions(), WIDGETS)
    show_problems(session.problems)
    running, waiting = is_running(session.current_job()), not store_is_at_hand()
    if waiting:
        fetch_store()
    tick = TICK if running else MOMENT if waiting else None
    refreshed(refresh, tick, session, running, waiting, session.problems)


@timed("difficulty tick")
def refresh(session: DifficultySession, running: bool, waiting: bool, said: list[str]) -> None:
    """Draw the results so far; while the study runs, or when only the view changes, this alone runs again.

    ``said`` is what was said above when the whole page was drawn.
    """
    show_link(session, session.query())
    job = session.current_job()
    if is_running(job) != running or session.problems != said or (waiting and store_is_at_hand()):
        st.rerun()
    try:
        own, results = known_results(session.question.studies)
    except PgcnError as error:
        show_error(str(error))
        return
    show_progress(session, job, own, results)
    if not results.cells and waiting:
        st.info("Looking for stored results…")
        return
    if not results.cells:
        others = f"{NO_RESULTS} Run the study, or choose D' and methods that have results."
        st.info(NOTHING_ENDED if is_running(job) else others)
        return
    view = view_of(session.question, results)
    show_headline(results, view)
    show_choices(session, results, view)
    left, right = st.columns([2, 1])
    with left:
        show_chart(session, results, view)
    with right:
        show_place(session, view.place)
    show_comparison(results, view)
    show_other_data_sets(results, view)
    show_heat_maps(session, results, view)
    show_files(session, results)


def show_files(session: DifficultySession, results: Results) -> None:
    """Offer the numbers as a table and the figures as a page."""

    def report() -> str:
        from pgcn.views.report import report_page

        return report_page(results, session.question.studies)

    show_exports("difficulty", lambda: outcomes_as_csv(results.shown), report)
