"""The buttons that steer training, and what they do."""

import secrets

import streamlit as st

from pgcn.errors import PgcnError, StoreError
from pgcn.events import RunStarted
from pgcn.execution.jobs import Job
from pgcn.methods.pgcn import GrowthConfig
from pgcn.ui import work
from pgcn.ui.panel import adopt
from pgcn.ui.server import store
from pgcn.ui.session import Grow
from pgcn.ui.settings import Settings


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
                about = "Training goes on"
                button("Resume", "play_arrow", lambda _: job.go_on(), "resume", about=about, kind="primary")
            else:
                about = "Training waits"
                button("Pause", "pause", lambda _: job.pause(), "pause", about=about, off=status == "queued")
            if not session.batch:
                about = "Train exactly the next block, then wait"
                button("Step", "step", lambda _: job.step(), "step", about=about)
            about = "End here; what was accepted is kept, and the run can be taken up again"
            button("Stop", "stop", stop, "stop", about=about, off=job.stopping)
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
                help="Otherwise training is cancelled a minute after the last tab that shows it is closed.",
            )  # fmt: skip


def act(session: Grow, action) -> None:
    """Do what a button says; what goes wrong is said on the page."""
    try:
        action(session)
    except PgcnError as error:
        session.complaints = [str(error)]


def stop(session: Grow) -> None:
    job = session.current_job()
    if job is not None:
        job.cancel("Stopped on the page.")


def keep(session: Grow, job: Job) -> None:
    session.keep_running = job.keep_running = st.session_state["keep_running"]


def restart(session: Grow) -> None:
    """Begin the run that is shown again: its own settings and seed, whatever stands at the left by now."""
    job = session.current_job()
    if job is not None:
        job.cancel("Restarted on the page.")
    settings = session.run and shown_settings(session, job)
    if settings:
        adopt(session, settings)
    work.grow_seeds(session) if session.batch else work.grow(session)


def shown_settings(session: Grow, job: Job | None) -> Settings | None:
    """Return the settings of the run that is shown, None where they are not known."""
    if job is not None:
        began = job.events()[:1]
        return settings_of(began[0].event) if began else None
    try:
        return settings_of(store().events(session.run)[0])
    except StoreError:
        return None  # a link to a run that is not kept here: what stands at the left is all there is


def settings_of(started: RunStarted) -> Settings | None:
    """Return the settings that make a run again, None for a graph of one's own."""
    if started.recipe is None or started.recipe.keys() - {"name", "split", "seed", "dims"}:
        return None
    recipe, config = started.recipe, GrowthConfig.from_dict(started.config).to_dict()
    seed = config.pop("seed")
    return Settings.nearest(
        dataset=recipe["name"], split=recipe["split"], data_seed=recipe["seed"], dims=recipe.get("dims"),
        seed=seed, config=config, reproducible=started.reproducible,
    )  # fmt: skip


def new_seed(session: Grow) -> None:
    job = session.current_job()
    if job is not None:
        job.cancel("Another seed was asked for on the page.")
    adopt(session, session.settings.change(seed=secrets.randbelow(1_000_000)))
    work.grow_seeds(session) if session.batch else work.grow(session)


def resume_button(session: Grow) -> None:
    if store().run(session.run).status in ("interrupted", "cancelled"):
        st.button(
            "Resume", icon=":material/resume:", key="go_on", on_click=act, args=(session, work.resume),
            help="Growth goes on from the last block that was judged, to the end it would have come to.",
        )  # fmt: skip


def grow_synthetic(session: Grow) -> None:
    adopt(session, session.settings.change(dataset="synthetic", dims=None, split="public"))
    work.grow(session)
