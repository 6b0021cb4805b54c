"""The paper's protocol: 900 runs of PGCN over a grid of settings, of which the best by validation is reported."""

import threading
import time
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass

import streamlit as st

from pgcn.errors import PgcnError
from pgcn.studies.arena.published import ROWS
from pgcn.studies.sweep import Sweep, sweep_of
from pgcn.studies.sweep.estimate import seconds_by_task
from pgcn.studies.sweep.outcomes import SweepOutcome, stored_outcomes
from pgcn.studies.sweep.results import SweepResults, findings
from pgcn.studies.timing import Takes, in_words, time_left
from pgcn.ui.access import why_not_start
from pgcn.ui.arena.compare import ABOUT_RECORDED, show_run_links
from pgcn.ui.arena.jobs import compute_missing
from pgcn.ui.arena.missing import show_progress
from pgcn.ui.arena.session import ArenaSession
from pgcn.ui.components import plotly_live
from pgcn.ui.server import store
from pgcn.ui.session import is_running
from pgcn.ui.shell import show_error
from pgcn.ui.study.jobs import WORKERS
from pgcn.ui.text import plain, plain_title
from pgcn.views.sweep import distribution_figure, effects_figure, scatter_figure

FRESH = 5.0
"""Seconds for which what was read of a sweep is taken as it is."""


@dataclass(frozen=True, kw_only=True)
class SweepState:
    """What is known of a sweep: stored here, else recorded; and how many of its runs are not stored."""

    sweep: Sweep
    results: SweepResults
    own: tuple[SweepOutcome, ...]
    seconds: Takes | None

    @property
    def missing(self) -> int:
        return len(self.sweep.tasks()) - len(self.own)


class Reader:
    """Reads sweeps in a thread of its own: 900 runs take longer than a page may."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="sweep")
        self._lock = threading.Lock()
        self._known: dict[tuple[str, bool], tuple[float, Future[SweepState]]] = {}
        self._last: dict[tuple[str, bool], SweepState] = {}

    def ask(self, dataset: str, *, reproducible: bool) -> "Future[SweepState]":
        """Have a sweep read, unless it has just been or is being."""
        key, now, database = (dataset, reproducible), time.monotonic(), store()
        with self._lock:
            asked, future = self._known.get(key, (0.0, None))
            if future is None or (future.done() and now - asked > FRESH):
                future = self._thread.submit(read_state, database, dataset, reproducible)
                self._known[key] = (now, future)
        return future

    def state(self, dataset: str, *, reproducible: bool) -> SweepState | None:
        """Return what was last read, None where it is still being read for the first time."""
        future = self.ask(dataset, reproducible=reproducible)
        if future.done():
            self._last[dataset, reproducible] = future.result()
        return self._last.get((dataset, reproducible))


@st.cache_resource(show_spinner=False)
def reader() -> Reader:
    return Reader()


def read_state(database, dataset: str, reproducible: bool) -> SweepState:
    """Read what is stored of the paper's sweep on a data set, and what was recorded of it."""
    from pgcn.recorded import recorded_sweep

    sweep = sweep_of(dataset, store=database, reproducible=reproducible)
    own = stored_outcomes(sweep, database)
    came = recorded_sweep()
    same = came is not None and came.sweep.dataset == sweep.dataset
    expected = seconds_by_task(sweep.tasks(), own, came.outcomes if same and came else ())
    done = {outcome.run for outcome in own}
    takes = time_left([seconds for run, seconds in expected.items() if run not in done], WORKERS)
    results = came if same and came and not own else SweepResults(sweep, own)
    return SweepState(sweep=sweep, results=results, own=tuple(own), seconds=takes)


def is_reading(session: ArenaSession) -> bool:
    """Return whether the view waits for what is being read."""
    question = session.question
    if question.view != "protocol":
        return False
    try:
        return not reader().ask(question.dataset, reproducible=question.reproducible).done()
    except PgcnError:
        return False  # the view says so


def show_protocol(session: ArenaSession) -> None:
    """Draw what the paper would have reported, what stands behind it, and which settings mattered."""
    question = session.question
    state = reader().state(question.dataset, reproducible=question.reproducible)
    with st.container(key="arena_headline"):
        st.markdown(f"#### The best of 900: the paper's protocol on {plain_title(question.dataset)}")
    st.caption(plain(f"For PGCN the paper reports the {ROWS['pgcn-ce'].protocol.text}."))
    job = session.missing.current_job()
    if job is not None and job.error:
        show_error(job.error)
    if is_running(job):
        show_progress(session, job)
    if state is None:
        st.markdown("Reading…")
        return
    if not is_running(job):
        show_offer(session, state)
    if state.results:
        show_results(session, state)


def show_offer(session: ArenaSession, state: SweepState) -> None:
    """Offer to compute the runs that are not stored."""
    if not state.missing:
        return
    why = why_not_start()
    takes = "how long that takes is not known yet" if state.seconds is None else in_words(state.seconds)
    with st.container(horizontal=True, vertical_alignment="center"):
        label = "Compute the rest" if state.own else "Compute it here"
        how = {"icon": ":material/play_arrow:", "key": "arena_sweep", "disabled": bool(why), "help": why or None}
        st.button(label, on_click=begin, args=(session, state), **how)
        st.markdown(f"{state.missing:,} of {len(state.sweep.tasks()):,} runs; {takes}.")


def begin(session: ArenaSession, state: SweepState) -> None:
    try:
        compute_missing(session, state.sweep)
        session.missing.total = state.missing
    except PgcnError as error:
        session.say(str(error))


def show_results(session: ArenaSession, state: SweepState) -> None:
    """Draw the distribution behind the best run, validation against test, and the settings."""
    results = state.results
    first, *others = findings(results)
    st.markdown(f"**{plain(first)}**" + (f" {ABOUT_RECORDED[2:].capitalize()}" if results.recorded else ""))
    left, right = st.columns(2, gap="medium")
    about = session.question.dataset
    with left:
        plotly_live(distribution_figure(results), key="arena_sweep_spread", height=300, about=about)
        st.caption("Test accuracy of all runs, including the reported one.")
    with right:
        clicked = plotly_live(scatter_figure(results), key="arena_sweep_scatter", height=300, about=about)
        st.caption("Validation against test accuracy of every run. Click a run.")
    if clicked:
        st.session_state["arena_sweep_run"] = clicked[0]
    chosen = next((one for one in results.measured if one.run == st.session_state.get("arena_sweep_run")), None)
    if chosen is not None and not results.recorded:
        with st.container(horizontal=True, vertical_alignment="center"):
            st.markdown(f"Run `{chosen.run[:8]}`: {100 * chosen.test_accuracy:.1f} % test")
            show_run_links(chosen.run, "pgcn")
    elif chosen is not None:
        st.caption("A recorded run: its network is not included.")
    st.markdown("**Which settings mattered?**")
    plotly_live(effects_figure(results), key="arena_sweep_effects", height=300, about=about)
    with st.expander("In words"):
        st.markdown("\n".join(f"- {plain(sentence)}" for sentence in others))
