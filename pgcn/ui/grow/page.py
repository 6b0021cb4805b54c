"""The Grow page: watch one network grow, live or in replay."""

from collections.abc import Callable

import streamlit as st

from pgcn.engine.architecture import describe_topology
from pgcn.errors import PgcnError
from pgcn.events import Event, RunFinished, opening
from pgcn.execution.jobs import Job
from pgcn.methods.pgcn.events import BlockJudged
from pgcn.methods.registry import grows, method_title
from pgcn.ui.access import why_not_start
from pgcn.ui.components import show_player
from pgcn.ui.family import show_family, show_origin
from pgcn.ui.grow.baseline import baseline_in_training, baseline_of, baseline_state, is_own
from pgcn.ui.grow.batch import show_batch
from pgcn.ui.grow.beside import is_growing_beside, is_steered, show_beside
from pgcn.ui.grow.branch import begin_branch, is_branchable, show_branching
from pgcn.ui.grow.controls import show_controls
from pgcn.ui.grow.graph import graph_beside, graph_to_come, inside_of, is_predicting
from pgcn.ui.grow.header import header_style, show_header
from pgcn.ui.grow.session import GrowSession, grow_session, write_link
from pgcn.ui.grow.sidebar import show_sidebar
from pgcn.ui.grow.status import run_status, run_title, show_failure
from pgcn.ui.grow.steer import is_to_decide, show_decision
from pgcn.ui.grow.summary import show_summary
from pgcn.ui.recorded import first_run, recorded_replay
from pgcn.ui.refreshing import refreshed, whole_page
from pgcn.ui.server import job_manager, store
from pgcn.ui.session import is_running
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


@whole_page
@timed("grow page")
def show_grow_page() -> None:
    st.html(f"<style>{header_style()}</style>")
    session = grow_session()
    write_link(session)
    job = session.current_job()
    state = state_of(session, job)  # before anything is drawn: what changes meanwhile is then noticed, and drawn
    # A place of its own: what comes or goes in it moves nothing to another place.
    with st.container(key="problems"):
        show_problems(session.problems)
    show_controls(session, job)
    live = is_live(session, job)
    # The player stays in a fragment also when nothing runs: elsewhere the browser would draw it from scratch.
    refreshed(refresh, pace(job) if live else None, session, state)
    show_branching(session)
    show_sidebar(session)  # drawn after the canvas, which comes first


@timed("grow tick")
def refresh(session: GrowSession, before: tuple) -> None:
    """Draw what is shown; while a job runs or the GCN baseline is trained, this alone runs again and again.

    ``before`` is the state in which the whole page was drawn.
    """
    if before[:2] != (session.run, session.batch):
        st.rerun()  # something else is to be shown
    job = session.current_job()
    try:
        with st.container(key="lineage"):
            show_parent(session, job)
        if session.batch:
            show_batch(session, job)
        elif session.run:
            show_run(session, job)
        else:
            show_recorded(session, WELCOME, ABOUT)
        show_relatives(session, job)
    except PgcnError as error:
        show_error(str(error))
    if before != state_of(session, job):
        st.rerun()  # the buttons change; or to start or to stop refreshing


def state_of(session: GrowSession, job: Job | None) -> tuple:
    """Return what the page depends on that is not refreshed: buttons, sidebar, dialog, and what is said above."""
    asks, said = session.branching is not None, tuple(session.problems)
    return (session.run, session.batch, job and job.status, is_live(session, job), asks, said)


def pace(job: Job | None) -> float:
    """Return the seconds between two refreshes: drawing takes the time that computing needs."""
    if job is not None and job.status in ("paused", "asking"):
        return PAUSED_TICK
    return min(SLOWEST_TICK, TICK * max(1.0, job_manager().unended / AT_FULL_PACE))


def is_live(session: GrowSession, job: Job | None) -> bool:
    beside = is_growing_beside(session) or baseline_in_training(session) or is_predicting(session.run)
    return is_running(job) or beside


def show_recorded(session: GrowSession, name: str, about: str) -> None:
    """Show the run that was recorded to greet a visitor."""
    events, baseline = first_run()
    place = show_header(name, about, events, baseline)
    if is_to_decide(session):
        show_decision(place, session, None, events)
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
        place = show_header(title, doing, events, None, topology=shape)
        if (live and session.base.config.decider == "person") or (not live and is_to_decide(session)):
            show_decision(place, session, job if live else None, events)
        if live:  # else it never started, and the header says why
            data = graph_to_come(session.base, make=is_own(job))
            waits = waiting_replay(session.run, facts.features, facts.classes, job.doing, data)
            show_player(waits, key="player")
        show_failure(session, job, events)
        return
    started, ended = events[0], isinstance(events[-1], RunFinished)
    begun = any(isinstance(event, BlockJudged) for event in events)
    baseline = baseline_of(session, started, train=begun and is_own(job))
    place = show_header(title, doing, events, baseline, waiting=baseline_state(session))
    if live and job is not None and is_steered(started):
        show_decision(place, session, job, events)
    elif is_steered(started):
        show_beside(place, session, events, job)
    elif not live and is_to_decide(session):
        show_decision(place, session, None, events)
    badge = "" if live else "stored run"
    data = graph_beside(session.run, events, make=is_own(job) or (session.wanted and not why_not_start()))
    how = {"badge": badge, "at": session.at, "shareable": not live}
    inside = inside_of(session.run, events, live=live)
    shown = replay(events, name=session.run, live=live, baseline=baseline, data=data, inside=inside, **how)
    show_player(shown, key="player", branch=ask_to_branch(session) if is_branchable(session) else None)
    show_failure(session, job, events)
    if ended and not live:
        show_summary(session, events, baseline)


def ask_to_branch(session: GrowSession) -> Callable[[int], None]:
    return lambda step: begin_branch(session, step)


def show_parent(session: GrowSession, job: Job | None) -> None:
    """Say which run a branch comes from, with a link to it; it has its place before the branch has begun."""
    if session.parent:
        events = events_of_job(session, job) if job is not None else known_events(session.run)
        show_origin(session.parent, opening(events) if events else None, events, session.show_run)


def known_events(run: str) -> tuple[Event, ...]:
    stored = store().find([run]).get(run)
    return stored_events(stored) if stored else ()


def show_relatives(session: GrowSession, job: Job | None) -> None:
    """Draw the family of the run that is shown, where it has one; a run that is no branch grows its own first."""
    if session.run and (session.parent or not is_running(job)):
        show_family(session.run, session.show_run)


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
        show_recorded(
            session, "The run of this link is not stored on this server", f"{again}Below is the recorded run."
        )
        return None
    if not grows(stored.method):
        st.info(f"Nothing grows in a run of {plain(method_title(stored.method))}. The Runs page shows its results.")
        return None
    return stored_events(stored)
