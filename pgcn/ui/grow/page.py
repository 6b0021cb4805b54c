"""The Grow page: watch one network grow, live or in replay."""

import streamlit as st

from pgcn.engine.architecture import describe_topology
from pgcn.errors import PgcnError
from pgcn.events import Event, RunFinished
from pgcn.execution.jobs import Job
from pgcn.methods.pgcn.events import BlockJudged
from pgcn.methods.registry import grows, method_title
from pgcn.ui.access import why_not_start
from pgcn.ui.components import show_player
from pgcn.ui.grow.baseline import baseline_in_training, baseline_of, is_own
from pgcn.ui.grow.batch import show_batch
from pgcn.ui.grow.controls import show_controls
from pgcn.ui.grow.graph import graph_beside, graph_to_come, is_predicting
from pgcn.ui.grow.header import header_style, show_header
from pgcn.ui.grow.session import GrowSession, grow_session, write_link
from pgcn.ui.grow.sidebar import show_sidebar
from pgcn.ui.grow.status import run_status, run_title, show_failure
from pgcn.ui.grow.summary import show_summary
from pgcn.ui.recorded import first_run, recorded_replay
from pgcn.ui.server import job_manager, store
from pgcn.ui.session import is_running, wait_until_sent
from pgcn.ui.shell import show_error, show_problems
from pgcn.ui.stored_runs import stored_events
from pgcn.ui.text import plain
from pgcn.ui.timing import timed
from pgcn.views.replay import replay, waiting_replay

TICK, PAUSED_TICK, SLOWEST_TICK = 0.4, 1.5, 3.0
"""Seconds between two refreshes while a job runs, while it is paused, and at most however many others there are."""
AT_FULL_PACE = 10
"""So many jobs at a time are refreshed at full pace; with more, each is refreshed less often."""
WELCOME = "Watch a graph network grow its own layers"
ABOUT = (
    "It starts with one block of neurons. Each further block is a candidate: accepted if validation accuracy "
    "rises, else rejected."
)


@timed("grow page")
def show_grow_page() -> None:
    st.html(f"<style>{header_style()}</style>")
    session = grow_session()
    write_link(session)
    job = session.current_job()
    with st.container(
        key="problems"
    ):  # a place of its own: what comes or goes in it moves nothing to another place
        show_problems(session.problems)
    show_controls(session, job)
    live = is_live(session, job)
    # The player stays in a fragment also when nothing runs: elsewhere the browser would draw it from scratch.
    st.fragment(refresh, run_every=pace(job) if live else None)(session, job and job.status, live)
    show_sidebar(session)  # drawn after the canvas, which comes first
    if live:
        wait_until_sent()


@timed("grow tick")
def refresh(session: GrowSession, status: str | None, live: bool) -> None:
    """Draw what is shown; while a job runs or the GCN baseline is trained, this alone runs again and again."""
    job = session.current_job()
    changed = (job and job.status) != status
    try:
        if session.batch:
            show_batch(session, job)
        elif session.run:
            show_run(session, job)
        else:
            show_recorded(WELCOME, ABOUT)
    except PgcnError as error:
        show_error(str(error))
    if changed or is_live(session, job) != live:
        st.rerun()  # the buttons change; or to start or to stop refreshing


def pace(job: Job | None) -> float:
    """Return the seconds between two refreshes: drawing takes the time that computing needs."""
    if job is not None and job.status == "paused":
        return PAUSED_TICK
    return min(SLOWEST_TICK, TICK * max(1.0, job_manager().unended / AT_FULL_PACE))


def is_live(session: GrowSession, job: Job | None) -> bool:
    return is_running(job) or baseline_in_training(session) or is_predicting(session.run)


def show_recorded(name: str, about: str) -> None:
    """Show the run that was recorded to greet a visitor."""
    events, baseline = first_run()
    show_header(name, about, events, baseline)
    show_player(recorded_replay(), key="player")


def show_run(session: GrowSession, job: Job | None) -> None:
    live = is_running(job)  # asked first: all events of a job that has ended are there
    events = events_of_job(session, job) if job is not None else events_of_link(session)
    if events is None:
        return
    title, doing = run_title(session, events), run_status(session, job, events)
    if not events:
        facts = session.base.facts
        shape = describe_topology(facts.features, (), facts.classes)
        show_header(title, doing, events, None, topology=shape)
        if live:  # else it never started, and the header says why
            data = graph_to_come(session.base, make=is_own(job))
            waits = waiting_replay(session.run, facts.features, facts.classes, job.doing, data)
            show_player(waits, key="player")
        show_failure(session, job, events)
        return
    started, ended = events[0], isinstance(events[-1], RunFinished)
    begun = any(isinstance(event, BlockJudged) for event in events)
    baseline = baseline_of(session, started, train=begun and is_own(job))
    waiting = "GCN baseline in training" if baseline_in_training(session) else ""
    show_header(title, doing, events, baseline, waiting=waiting)
    badge = "" if live else "stored run"
    data = graph_beside(session.run, events, make=is_own(job) or (session.wanted and not why_not_start()))
    how = {"badge": badge, "at": session.at, "shareable": not live}
    shown = replay(events, name=session.run, live=live, baseline=baseline, data=data, **how)
    show_player(shown, key="player")
    show_failure(session, job, events)
    if ended and not live:
        show_summary(session, events, baseline)


def events_of_job(session: GrowSession, job: Job) -> tuple[Event, ...] | list[Event]:
    """Return the events of a job so far."""
    if session.waited_for != job.id:  # once, so that the first block is shown at once
        session.waited_for = job.id
        job.wait_for_events(2, 0.3)
    events = [recorded.event for recorded in job.events()]
    if job.error and not events:  # such as of a run that somebody else has resumed in the meantime
        try:
            return stored_events(store().run(session.run))
        except PgcnError:
            return ()
    return events


def events_of_link(session: GrowSession) -> tuple[Event, ...] | None:
    """Return the events of the stored run that the link names; say so where there is none to show."""
    try:
        stored = store().run(session.run)
    except PgcnError:
        again = "Its settings are in the sidebar: Grow again makes the same network. " if session.is_known else ""
        show_recorded("The run of this link is not stored on this server", f"{again}Below is the recorded run.")
        return None
    if not grows(stored.method):
        st.info(f"Nothing grows in a run of {plain(method_title(stored.method))}. The Runs page shows its results.")
        return None
    return stored_events(stored)
