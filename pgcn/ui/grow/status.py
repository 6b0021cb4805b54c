"""What the run that is shown is doing, or why it stopped: its name and one line."""

from collections.abc import Sequence

import streamlit as st

from pgcn.data.catalogue import dataset_title
from pgcn.events import Event, RunFinished
from pgcn.execution.jobs import Job
from pgcn.execution.limits import duration_text
from pgcn.methods.endings import ending_sentence
from pgcn.methods.pgcn.events import BlockAccepted, BlockJudged, Undone
from pgcn.numbers import counted
from pgcn.ui.grow.controls import grow_synthetic, run_action
from pgcn.ui.grow.session import GrowSession
from pgcn.ui.server import job_manager, store
from pgcn.ui.shell import show_error

NEVER_STARTED = "Stopped before it started: nothing was computed."


def show_failure(session: GrowSession, job: Job | None, events: Sequence[Event]) -> None:
    """Say why a job failed, and what to do about it."""
    if job is None or not job.error:
        return
    show_error(job.error)
    if not events and session.settings.dataset != "synthetic":
        label = "Grow on the synthetic graph instead"
        click = {"on_click": run_action, "args": (session, grow_synthetic)}
        st.button(label, icon=":material/science:", key="synthetic", **click)


def run_title(session: GrowSession, events: Sequence[Event]) -> str:
    """Return which run it is: its data set, its seed, and what was done to the graph."""
    if not events:
        settings = session.base
        dims = f", features projected to {settings.dims}" if settings.dims else ""
        return f"{dataset_title(settings.dataset)}, seed {settings.seed}{dims}"
    started = events[0]
    dims = (started.recipe or {}).get("dims")
    projected = f", features projected to {dims}" if dims else ""
    return f"{dataset_title(started.dataset)}, seed {started.config['seed']}{projected}"


def run_status(session: GrowSession, job: Job | None, events: Sequence[Event]) -> str:
    """Return what a run is doing, or why it ended."""
    if job is not None and job.error:
        return job.error.partition("\n")[0]
    if events and isinstance(events[-1], RunFinished):
        return finished_words(events)
    if job is None and store().run(session.run).status == "running":
        return "Running in another process. Reload the page to see its progress."
    if job is None:
        return "This run was interrupted. Its accepted blocks are saved."
    if job.status == "queued":
        return f"Waits {waiting_words(job)}."
    if job.ended and not events:
        return NEVER_STARTED
    if job.stopping:
        return "Stopping…"
    if not events:
        return job.doing or "Starting…"
    judged = [event for event in events if isinstance(event, BlockJudged)]
    seconds = sum(event.seconds for event in judged)
    doing = {"paused": "Training is paused", "asking": "Waiting for a decision"}.get(job.status, "Training")
    kept = " · keeps running when you leave" if job.keep_running else ""
    return f"{doing} · {counted(len(judged), 'block')} trained in {seconds:.1f} s{time_left(job)}{kept}"


def finished_words(events: Sequence[Event]) -> str:
    """Return what a run came to; why its growth ended is said by the last row of its event log."""
    ended = events[-1]
    if ended.status != "finished":
        return ending_sentence(ended)
    judged = [event for event in events if isinstance(event, BlockJudged)]
    undone = sum(isinstance(event, Undone) for event in events)  # each took an accepted block back
    accepted = sum(isinstance(event, BlockAccepted) for event in judged) - undone
    tried = counted(len(judged) - undone, "block")
    return f"Finished: {accepted} of {tried} accepted in {ended.seconds:.1f} s of training."


def waiting_words(job: Job) -> str:
    """Say what a job waits for that has not begun."""
    if job_manager().waits_for_memory(job):
        return "for memory used by other jobs"
    ahead = job_manager().position(job) or 0
    others = f"{counted(ahead, 'job')} ahead of it" if ahead else "next in line"
    return f"for a free worker: {others}"


def time_left(job: Job) -> str:
    """Say how much longer a job may compute, where it will soon be over."""
    most = job.limits.seconds
    if most is None or job.seconds < 0.8 * most:
        return ""
    return f" · {duration_text(round(max(0.0, most - job.seconds)))} of computing time left"
