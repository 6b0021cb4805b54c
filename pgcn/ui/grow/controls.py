"""The buttons that control training, and what they do.

They stand in one row of constant height, each in its place whatever is going on: nothing below them moves.
"""

import secrets
from collections.abc import Callable

import streamlit as st

from pgcn.errors import PgcnError
from pgcn.execution.jobs import Job
from pgcn.numbers import counted
from pgcn.ui.access import require_control, require_start, why_not_change, why_not_control, why_not_start
from pgcn.ui.grow.branch import begin_branch, is_branchable
from pgcn.ui.grow.jobs import SEEDS, grow, grow_seeds, resume
from pgcn.ui.grow.session import GrowSession, use_settings
from pgcn.ui.server import job_manager, store
from pgcn.ui.session import is_running

Action = Callable[[GrowSession], None]
STUDIES = ("arena-", "difficulty-", "landscape-", "sweep-", "rule-")
"""How the batches of studies begin; their runs are shown on other pages."""
KEEP, LEAVE = ":material/push_pin: Keep running when I leave", ":material/keep_off: Cancel when I leave"


def show_controls(session: GrowSession, job: Job | None) -> None:
    """Draw the buttons that control training."""
    running = is_running(job)
    why = why_not_control(job) if running else why_not_start()

    def button(
        label: str, icon: str, action: Action, key: str, *, about: str = "", kind="secondary", off=False
    ) -> None:
        click = {"on_click": run_action, "args": (session, action)}
        how = {"type": kind, "help": why or about or None, "disabled": off or bool(why)}
        st.button(label, icon=f":material/{icon}:", key=key, **how, **click)

    with st.container(horizontal=True, vertical_alignment="center", key="controls"):
        if running and job.status == "paused":
            about = "Continue training"
            button("Resume", "play_arrow", lambda _: job.resume(), "resume", about=about, kind="primary")
        elif running:
            off = job.status in ("queued", "asking")
            button("Pause", "pause", lambda _: job.pause(), "pause", kind="primary", off=off)
        elif is_resumable(session):
            about = "Continue after the last trained block; the result is the same as without the interruption."
            why = why or why_not_change(store().run(session.run))
            button("Resume", "resume", resume, "resume_stored", about=about, kind="primary")
            why = why_not_start()
        else:
            # No tooltip: it would lie on the navigation until the pointer has left what it clicked.
            button(grow_label(session), "eco", grow_again, "grow", kind="primary")
        if not session.batch:
            about = (
                "Train one more block, then pause" if running else "Start a run that pauses after its first block"
            )
            step = (lambda _: job.step()) if running else (lambda session: grow(session, steps=1))
            button("Step", "step", step, "step", about=about, off=running and job.status == "asking")
        about = "Stop training; accepted blocks are saved, and the run can be resumed."
        about += f" {job_manager().limits.sentence()}"
        button("Stop", "stop", stop, "stop", about=about, off=not running or job.stopping)
        choices = menu(session, job)
        st.menu_button(
            "More",
            list(choices),
            key="menu",
            on_click=choose,
            args=(session, choices),
            disabled=bool(why),
            help=why or None,
        )
        show_ways_back(session)


def grow_label(session: GrowSession) -> str:
    """Return what the button will do."""
    what = f"Grow {SEEDS} seeds" if session.batch else "Grow"
    if session.edited:
        return f"{what} with {counted(len(session.edited), 'change')}"
    return f"{what} again" if session.is_known and (session.run or session.batch) else what


def menu(session: GrowSession, job: Job | None) -> dict[str, Action]:
    """Return what else can be done, by its words."""
    if not is_running(job):
        first = {} if not is_resumable(session) else {f":material/eco: {grow_label(session)}": grow_again}
        seeds = {f":material/scatter_plot: Grow {SEEDS} seeds": grow_seeds}
        branch = (
            {":material/call_split: Branch from an accepted block": begin_branch} if is_branchable(session) else {}
        )
        return first | {":material/casino: Grow with a new seed": new_seed} | seeds | branch
    label = grow_label(session)
    return {
        f":material/replay: Stop, then {label[0].lower()}{label[1:]}": start_over,
        ":material/casino: Stop, then grow with a new seed": new_seed,
        LEAVE if session.keep_running else KEEP: toggle_keep_running,
    }


def show_ways_back(session: GrowSession) -> None:
    """Offer to take edited settings back, and the way from a run to its batch or from a batch to its run."""
    if session.edited:
        number = counted(len(session.edited), "change")
        about = f"Back to the settings of what is shown. Changed: {', '.join(session.edited)}."
        how = {"icon": ":material/undo:", "type": "tertiary", "on_click": reset, "args": (session,), "help": about}
        st.button(f"Reset {number}", key="reset", **how)
    if session.way_back:
        how = {"on_click": session.show, "kwargs": {"run": session.way_back}, "type": "tertiary"}
        st.button("Back to the run", icon=":material/arrow_back:", key="to_run", **how)
    batch = batch_of(session)
    if batch:
        how = {"on_click": session.show_batch, "args": (batch,), "type": "tertiary"}
        st.button("Back to its batch", icon=":material/arrow_back:", key="to_batch", **how)


def batch_of(session: GrowSession) -> str:
    """Return the batch of the run that is shown, "" where it was grown alone or for a study."""
    if not session.run or session.current_job() is not None:
        return ""
    try:
        batch = store().run(session.run).batch or ""
    except PgcnError:
        return ""  # a link to a run that is not stored here
    return "" if batch.startswith(STUDIES) else batch


def is_resumable(session: GrowSession) -> bool:
    """Return whether the run that is shown has not come to its end and can."""
    if not session.run:
        return False
    try:
        return store().run(session.run).status in ("interrupted", "cancelled")
    except PgcnError:
        return False  # a link to a run that is not stored here


def run_action(session: GrowSession, action: Action) -> None:
    """Do what a button says, if this visitor may; errors are shown on the page."""
    job = session.current_job()
    try:
        require_control(job) if is_running(job) else require_start()
        action(session)
    except PgcnError as error:
        session.problems = [str(error)]


def choose(session: GrowSession, choices: dict[str, Action]) -> None:
    """Do what was chosen in the menu."""
    action = choices.get(st.session_state["menu"])
    if action is not None:
        run_action(session, action)


def stop(session: GrowSession, reason: str = "Stopped on the page.") -> None:
    job = session.current_job()
    if job is not None:
        job.cancel(reason)


def toggle_keep_running(session: GrowSession) -> None:
    session.keep_running = session.current_job().keep_running = not session.keep_running


def reset(session: GrowSession) -> None:
    """Take back what was edited since the run that is shown."""
    session.problems, session.errors = [], {}
    use_settings(session, session.base)


def new_seed(session: GrowSession) -> None:
    use_settings(session, session.settings.change(seed=secrets.randbelow(1_000_000)))
    start_over(session)


def grow_again(session: GrowSession) -> None:
    """Grow with the settings in the sidebar: one network, or a batch where one is shown."""
    grow_seeds(session) if session.batch else grow(session)


def start_over(session: GrowSession) -> None:
    stop(session, "Another run was started on the page.")
    grow_again(session)


def grow_synthetic(session: GrowSession) -> None:
    use_settings(session, session.settings.change(dataset="synthetic", dims=None, split="public"))
    grow(session)
