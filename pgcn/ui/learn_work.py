"""The tour's numbers are computed by jobs, once for all visitors of a server."""

from collections.abc import Callable, Generator
from typing import TYPE_CHECKING, Any

import streamlit as st

from pgcn.execution.jobs import Job
from pgcn.lessons.telling import Telling
from pgcn.ui.server import jobs, viewer

if TYPE_CHECKING:
    from pgcn.execution.pool import Crew

States = Callable[[], Generator[dict[str, Any]]]


@st.cache_resource(show_spinner=False)
def started() -> dict[str, str]:
    """Return the jobs of all lessons by name."""
    return {}


def lesson_job(name: str, states: States, *, keep_running: bool = False) -> Job:
    """Return the job that computes a lesson; start it if there is none (any more)."""
    job = jobs().get(started().get(name, ""))
    if job is None:

        def start(tell) -> Telling:
            tell("Importing torch, once per server…")
            return Telling(states())

        job = jobs().submit(start, viewer().id, keep_running=keep_running)
        started()[name] = job.id
    viewer().watch(job)
    return job


def forget(name: str) -> None:
    """Have a lesson computed anew when it is next asked for."""
    started().pop(name, None)


@st.cache_resource(show_spinner=False)
def tour_worker() -> "Crew":
    """Return a process that computes the tour reproducibly: what is said of its numbers holds on every machine."""
    from pgcn.execution.pool import processes

    return processes(1, reproducibly=True)


def stop_states(name: str) -> Generator[dict[str, Any]]:
    """Yield the numbers of a stop."""
    from concurrent.futures import BrokenExecutor

    from pgcn.lessons.setting import compute_stop

    try:
        yield tour_worker().executor.submit(compute_stop, name).result()
    except BrokenExecutor:
        tour_worker.clear()  # it was killed, perhaps for lack of memory; another one tries once more
        yield tour_worker().executor.submit(compute_stop, name).result()


def last_told(job: Job) -> dict[str, Any] | None:
    """Return the last state a lesson has come to, None before the first."""
    events = job.events()
    return events[-1].event.values if events else None
