"""The Grow page: watch one network grow, live or in replay."""

from collections.abc import Sequence

import streamlit as st

from pgcn.data.sources import STATISTICS, TITLES
from pgcn.errors import PgcnError
from pgcn.events import BlockJudged, Event, RunFinished
from pgcn.execution.jobs import Job
from pgcn.methods.registry import grows, title_of
from pgcn.ui import work
from pgcn.ui.batch_view import BEFORE_ALL, show_batch
from pgcn.ui.clock import timed
from pgcn.ui.components import show_player
from pgcn.ui.controls import act, grow_synthetic, new_seed, resume_button, settings_of, show_controls
from pgcn.ui.panel import adopt, show_panel
from pgcn.ui.recorded import recorded_film
from pgcn.ui.server import jobs, store
from pgcn.ui.session import Grow, grow_session, write_link
from pgcn.ui.shell import show_error
from pgcn.ui.summary import show_summary
from pgcn.ui.visits import let_arrive
from pgcn.views.film import film, waiting_film

TICK = 0.4
"""Seconds between two looks at a job."""


@timed("grow page")
def show_grow_page() -> None:
    session = grow_session()
    adopt_settings_of_link(session)
    write_link(session)
    job = session.current_job()
    for complaint in session.complaints:
        st.warning(complaint, icon=":material/rule_settings:")
    if session.run or session.batch:
        show_controls(session, job)
    else:
        show_welcome(session)
    at_work = is_at_work(session, job)
    # The player stays in a fragment also when nothing runs: a change of place would make it anew.
    st.fragment(look, run_every=TICK if at_work else None)(session, job and job.status, at_work)
    show_panel(session)  # at the left, but after the picture
    if at_work:
        let_arrive()


def adopt_settings_of_link(session: Grow) -> None:
    """Where a link names a stored run and nothing else, the panel shows the settings of that run."""
    if session.link or not session.run or session.settings.to_query() or session.complaints:
        return
    try:
        settings = settings_of(work.stored_events(store().run(session.run))[0])
    except PgcnError:
        return  # said where the run is to be shown
    if settings is not None:
        adopt(session, settings)


@timed("grow tick")
def look(session: Grow, status: str | None, at_work: bool) -> None:
    """Draw what is shown; while a job or the GCN baseline is at work this alone runs again and again."""
    job = session.current_job()
    if (job and job.status) != status:
        st.rerun()  # the controls change
    try:
        if session.batch:
            show_batch(session, job)
        elif session.run:
            show_run(session, job)
        else:
            show_player(recorded_film(), key="player")
    except PgcnError as error:
        show_error(str(error))
    if is_at_work(session, job) != at_work:
        st.rerun()  # to look on, or to stop looking


def is_at_work(session: Grow, job: Job | None) -> bool:
    return (job is not None and not job.ended) or work.baseline_under_way(session)


def show_welcome(session: Grow) -> None:
    words, button = st.columns([3, 1], vertical_alignment="center")
    with words:
        st.markdown("#### Watch a graph network grow its own layers")
        st.markdown(
            "It starts with one block of five neurons. Each further block is a candidate: it is accepted if the "
            "network then does better on the validation nodes, else rejected."
        )
    button.button(
        "Grow your own", icon=":material/eco:", type="primary", key="grow", width="stretch",
        on_click=act, args=(session, work.grow), help="Grows a network with the settings at the left.",
    )  # fmt: skip


def show_run(session: Grow, job: Job | None) -> None:
    live = job is not None and not job.ended  # asked first: of a job that has ended all events are there
    if job is not None:
        if session.waited_for != job.id:  # once, so that the first block is there at once
            session.waited_for = job.id
            job.wait_for_events(2, 0.3)
        events = [said.event for said in job.events()]
        if job.error and not events:
            events = kept_events(session.run)  # such as of a run that somebody else went on with meanwhile
    else:
        events = stored_run_events(session)
        if events is None:
            return
    show_status(session, job, events)
    if not events and job is not None and job.ended:
        return  # nothing came of it, and why has been said
    if not events:
        _, _, features, classes, *_ = STATISTICS[session.settings.dataset]
        waiting = waiting_film(session.run, session.settings.dims or features, classes, job.doing if job else "")
        show_player(waiting, key="player")
        return
    started, ended = events[0], isinstance(events[-1], RunFinished)
    train = any(isinstance(event, BlockJudged) for event in events)
    line = work.baseline(session, started, train=train)
    badge = "" if live else "stored run"
    values = film(
        events, name=session.run, live=live, baseline=line, badge=badge, at=session.at, shareable=not live
    )
    show_player(values, key="player")
    if ended and not live:
        show_summary(session, events, line, again=new_seed)


def kept_events(run: str) -> tuple[Event, ...]:
    """Return the events of a run, none where it is not kept here."""
    try:
        return work.stored_events(store().run(run))
    except PgcnError:
        return ()


def stored_run_events(session: Grow) -> tuple[Event, ...] | None:
    """Return the events of the stored run that the link names; say so where there is none."""
    kept = store()
    try:
        stored = kept.run(session.run)
    except PgcnError:
        st.info(
            "The run of this link is not kept on this server. Its settings are at the left: Grow makes the same "
            "network again.",
            icon=":material/link_off:",
        )
        show_player(recorded_film(), key="player")
        return None
    if not grows(stored.method):
        st.info(f"Nothing grows in a run of {title_of(stored.method)}. The Runs page shows its results.")
        return None
    return work.stored_events(stored)


def show_status(session: Grow, job: Job | None, events: Sequence[Event]) -> None:
    """Say in one line what is going on, and what to do about it where it went wrong."""
    if job is not None and job.error:
        show_error(job.error)
        if not events and session.settings.dataset != "synthetic":
            st.button(
                "Grow on the synthetic graph instead", icon=":material/science:", key="synthetic",
                on_click=act, args=(session, grow_synthetic),
            )  # fmt: skip
        return
    words = status_words(session, job, events)
    with st.container(horizontal=True, vertical_alignment="center", key="status"):
        st.markdown(words)
        broken_off = events and (not isinstance(events[-1], RunFinished) or events[-1].status == "cancelled")
        if broken_off and (job is None or job.ended):
            resume_button(session)


def status_words(session: Grow, job: Job | None, events: Sequence[Event]) -> str:
    started = events[0] if events else None
    name = TITLES.get(started.dataset, started.dataset) if started else TITLES[session.settings.dataset]
    seed = started.config["seed"] if started else session.settings.seed
    dims = (started.recipe or {}).get("dims") if started else session.settings.dims
    where = f"{name}, seed {seed}" + (f", features projected to {dims}" if dims else "")
    split = f" ({started.split})" if started else ""
    if events and isinstance(events[-1], RunFinished):
        return f"**{where}**{split}: {events[-1].reason}"
    if job is None and store().run(session.run).status == "running":
        return f"**{where}**: it is under way in another process. Reload the page to see what is new."
    if job is None:
        return f"**{where}**: this run was interrupted. What it had accepted is kept."
    if job.status == "queued":
        ahead = jobs().position(job) or 0
        others = f"{ahead} job{'s' * (ahead != 1)} before it" if ahead else "next in line"
        return f"**{where}** waits for a free worker: {others}."
    if job.ended and not events:
        return f"**{where}**: {BEFORE_ALL}"
    if job.stopping:
        return f"**{where}**: stopping…"
    if not events:
        return f"**{where}**: {job.doing or 'starting…'}"
    judged = [event for event in events if isinstance(event, BlockJudged)]
    seconds = sum(event.seconds for event in judged)
    doing = "Training is paused" if job.status == "paused" else "Training"
    return f"**{where}**: {doing} · {len(judged)} blocks judged · {seconds:.1f} s of training"
