"""The Arena page: every method of the paper on the same splits and seeds, beside its published figures."""

import streamlit as st

from pgcn.errors import PgcnError
from pgcn.studies.arena.published import DATASETS
from pgcn.ui.arena.compare import show_compare
from pgcn.ui.arena.missing import show_missing
from pgcn.ui.arena.numbers import results_of
from pgcn.ui.arena.options import show_options
from pgcn.ui.arena.pair import show_pair
from pgcn.ui.arena.protocol import is_reading, show_protocol
from pgcn.ui.arena.question import VIEWS
from pgcn.ui.arena.search import show_search
from pgcn.ui.arena.session import ArenaSession, arena_session, write_link
from pgcn.ui.arena.train import show_train
from pgcn.ui.arena.widgets import choice
from pgcn.ui.refreshing import refreshed, whole_page
from pgcn.ui.session import is_running
from pgcn.ui.shell import show_error, show_problems
from pgcn.ui.text import plain, plain_title
from pgcn.ui.timing import timed
from pgcn.views.arena.page import headline

TICK = 1.0
"""Seconds between two refreshes while something is computed."""
STYLE = """
.st-key-arena_top { gap: 0.4rem 1.2rem; }
.st-key-arena_top .stPopover button { min-height: 2rem; padding-block: 0.15rem; }
.st-key-arena_headline h4 { padding: 0.4rem 0 0.5rem; font-size: 1.2rem; }
.stMainBlockContainer:has(.st-key-arena_top) { max-width: 1800px; }
@media (max-width: 1000px) { [class*="st-key-arena_"] [role="radiogroup"] { flex-wrap: wrap; } }
"""


@whole_page
@timed("arena page")
def show_arena_page() -> None:
    st.html(f"<style>{STYLE}</style>")
    session = arena_session()
    show_top(session)
    show_problems(session.problems)
    live = is_live(session)
    refreshed(refresh, TICK if live else None, session, live)


def show_top(session: ArenaSession) -> None:
    """Draw the choice of the data set and of the view."""
    question = session.question
    names = [*sorted(DATASETS, key=lambda name: name != "cora")]
    names += [] if question.dataset in names else [question.dataset]
    with st.container(horizontal=True, vertical_alignment="bottom", key="arena_top"):
        choice(session, "Data set", "dataset", {name: plain_title(name) for name in names})
        choice(session, "View", "view", VIEWS)
        show_options(session)


def is_live(session: ArenaSession) -> bool:
    return is_reading(session) or any(is_running(one.current_job()) for one in session.jobs.values())


@timed("arena tick")
def refresh(session: ArenaSession, live: bool) -> None:
    """Draw the view; while something is computed, this alone runs again and again."""
    if is_live(session) != live:
        write_link(session)  # a late tick may carry the address before
        st.rerun()
    question = session.question
    if st.session_state.get("arena_view") != question.view:
        st.rerun()  # a button below chose another view: the choice above must say so too
    try:
        if question.view in ("compare", "pair"):
            arena = question.arena
            results = results_of(arena)
            if question.view == "pair":
                show_pair(session, arena, results)
                return
            with st.container(key="arena_headline"):
                st.markdown(f"#### {plain(headline(results, arena.place))}")
            show_compare(session, arena, results)
            show_missing(session, arena, results)
        elif question.view == "search":
            show_search(session)
        elif question.view == "train":
            show_train(session)
        else:
            show_protocol(session)
    except PgcnError as error:
        show_error(str(error))
