"""The Grow page: watch one network grow, live or in replay."""

import secrets

import streamlit as st

from pgcn.config import GrowthConfig
from pgcn.datasets.sources import STATISTICS
from pgcn.errors import PgcnError
from pgcn.events import BlockJudged, Event, RunFinished, RunStarted
from pgcn.figures.film import film, waiting_film
from pgcn.jobs import Job
from pgcn.ui import work
from pgcn.ui.batch_view import show_batch
from pgcn.ui.clock import timed
from pgcn.ui.components import show_player
from pgcn.ui.panel import TITLES, adopt, show_panel
from pgcn.ui.recorded import recorded_film
from pgcn.ui.server import jobs, store
from pgcn.ui.session import Grow, grow_session, write_link
from pgcn.ui.settings import Settings
from pgcn.ui.shell import show_error
from pgcn.ui.summary import show_summary

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
    at_work = job is not None and not job.ended
    # The player stays in a fragment also when nothing runs: a change of place would make it anew.
    st.fragment(look, run_every=TICK if at_work else None)(session, job and job.status)
    show_panel(session)  # at the left, but after the picture


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
def look(session: Grow, status: str | None) -> None:
    """Draw what is shown; while a job is at work this alone runs again and again."""
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


def show_welcome(session: Grow) -> None:
    words, button = st.columns([3, 1], vertical_alignment="center")
    with words:
        st.markdown("#### Watch a graph network grow its own layers")
        st.markdown(
            "It starts with one block of five neurons. Each further block is trained on trial: it stays if the "
            "network then does better on the validation nodes, else it is taken back."
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
    line = work.yardstick(session, started.recipe, train=train)
    show_player(
        film(events, name=session.run, live=live, baseline=line, badge="" if live else "stored run"), key="player"
    )
    if ended and not live:
        show_summary(session, events, line, again=new_seed)


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
    if stored.method != "pgcn":
        st.info(f"This is a run of method {stored.method}: nothing grows in it. The Runs page shows its results.")
        return None
    return work.stored_events(stored)


def show_controls(session: Grow, job: Job | None) -> None:
    """Draw the buttons that steer training; each says what it does."""
    status = job.status if job is not None else "none"
    at_work = job is not None and not job.ended
    with st.container(horizontal=True, vertical_alignment="center", key="controls"):

        def button(
            label: str, icon: str, action, key: str, *, about: str, kind: str = "secondary", off: bool = False
        ):
            st.button(
                label, icon=f":material/{icon}:", key=key, type=kind, on_click=act, args=(session, action),
                help=about, disabled=off,
            )  # fmt: skip

        if at_work:
            if status == "paused":
                button(
                    "Resume",
                    "play_arrow",
                    lambda _: job.go_on(),
                    "resume",
                    about="Training goes on",
                    kind="primary",
                )
            else:
                button(
                    "Pause", "pause", lambda _: job.pause(), "pause", about="Training waits", off=status == "queued"
                )
            if not session.batch:
                about = "Train exactly the next block, then wait"
                button("Step", "step", lambda _: job.step(), "step", about=about)
            button(
                "Stop",
                "stop",
                lambda _: job.cancel("Stopped on the page."),
                "stop",
                about="End here",
                off=job.stopping,
            )
        else:
            about = "Grow with the settings at the left"
            button("Grow", "eco", work.grow, "grow", about=about, kind="primary")
            about = "Start a run that waits after its first block"
            button("Step", "step", lambda s: work.grow(s, steps=1), "step", about=about)
        about = "Begin again with the same settings and seed: the same network"
        button("Restart", "replay", restart, "restart", about=about)
        button("New seed", "casino", new_seed, "new_seed", about="The same settings with another seed")
        about = f"Grow {work.SEEDS} networks side by side: how much depends on chance?"
        button(f"{work.SEEDS} seeds", "scatter_plot", work.grow_seeds, "seeds", about=about, off=at_work)
        if at_work:
            st.toggle(
                "Keep running", key="keep_running", value=session.keep_running, on_change=keep, args=(session, job),
                help="Otherwise training is given up a minute after the last tab that shows it is closed.",
            )  # fmt: skip


def act(session: Grow, action) -> None:
    """Do what a button says; what goes wrong is said on the page."""
    try:
        action(session)
    except PgcnError as error:
        session.complaints = [str(error)]


def keep(session: Grow, job: Job) -> None:
    session.keep_running = job.keep_running = st.session_state["keep_running"]


def restart(session: Grow) -> None:
    """Begin the run that is shown again: its own settings and seed, whatever stands at the left by now."""
    job = session.current_job()
    if job is not None:
        job.cancel("Restarted on the page.")
    if session.run:
        shown = job.events()[:1] if job is not None else []
        started = shown[0].event if shown else None
        if started is None:
            started = next(iter(store().events(session.run)), None) if job is None else None
        settings = settings_of(started) if started is not None else None
        if settings is not None:
            adopt(session, settings)
    work.grow_seeds(session) if session.batch else work.grow(session)


def settings_of(started: RunStarted) -> Settings | None:
    """Return the settings that make a run again, None for a graph of one's own."""
    if started.recipe is None or started.recipe.keys() - {"name", "split", "seed", "dims"}:
        return None
    recipe, config = started.recipe, GrowthConfig.from_dict(started.config).to_dict()
    seed = config.pop("seed")
    return Settings.nearest(
        dataset=recipe["name"], split=recipe["split"], data_seed=recipe["seed"], dims=recipe.get("dims"),
        seed=seed, config=config,
    )  # fmt: skip


def new_seed(session: Grow) -> None:
    job = session.current_job()
    if job is not None:
        job.cancel("Another seed was asked for on the page.")
    adopt(session, session.settings.change(seed=secrets.randbelow(1_000_000)))
    work.grow_seeds(session) if session.batch else work.grow(session)


def show_status(session: Grow, job: Job | None, events: list[Event]) -> None:
    """Say in one line what is going on, and what to do about it where it went wrong."""
    if job is not None and job.error:
        show_error(job.error)
        if session.settings.dataset != "synthetic":
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


def resume_button(session: Grow) -> None:
    if store().run(session.run).status in ("interrupted", "cancelled"):
        st.button(
            "Go on with it", icon=":material/resume:", key="go_on", on_click=act, args=(session, work.resume),
            help="Growth goes on from the last block that was judged, to the end it would have come to.",
        )  # fmt: skip


def grow_synthetic(session: Grow) -> None:
    adopt(session, session.settings.change(dataset="synthetic", dims=None, split="public"))
    work.grow(session)


def status_words(session: Grow, job: Job | None, events: list[Event]) -> str:
    started = events[0] if events else None
    name = TITLES.get(started.dataset, started.dataset) if started else TITLES[session.settings.dataset]
    seed = started.config["seed"] if started else session.settings.seed
    dims = (started.recipe or {}).get("dims") if started else session.settings.dims
    where = f"{name}, seed {seed}" + (f", features projected to {dims}" if dims else "")
    split = f" ({started.split})" if started else ""
    if events and isinstance(events[-1], RunFinished):
        return f"**{where}**{split}: {events[-1].reason}"
    if job is None:
        return f"**{where}**: this run was interrupted. What it had accepted is kept."
    if job.status == "queued":
        ahead = jobs().position(job) or 0
        others = f"{ahead} job{'s' * (ahead != 1)} before it" if ahead else "next in line"
        return f"**{where}** waits for a free worker: {others}."
    if job.stopping:
        return f"**{where}**: stopping…"
    if not events:
        return f"**{where}**: {job.doing or 'starting…'}"
    judged = [event for event in events if isinstance(event, BlockJudged)]
    seconds = sum(event.seconds for event in judged)
    doing = "Training is paused" if job.status == "paused" else "Training"
    return f"**{where}**: {doing} · {len(judged)} blocks judged · {seconds:.1f} s of training"
