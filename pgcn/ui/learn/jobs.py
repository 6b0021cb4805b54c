"""The jobs that compute the tour's numbers, once for all visitors of a server."""

from collections.abc import Callable, Generator
from typing import TYPE_CHECKING, Any

import streamlit as st

from pgcn.errors import PgcnError
from pgcn.execution.jobs import Job
from pgcn.lessons.work import LessonWork
from pgcn.ui.server import job_manager, submit_for_all, viewer

if TYPE_CHECKING:
    from pgcn.execution.pool import Pool

States = Callable[[], Generator[dict[str, Any]]]


@st.cache_resource(show_spinner=False)
def lesson_jobs() -> dict[str, str]:
    """Return the ids of the jobs of all lessons by name."""
    return {}


def known_job(name: str) -> Job | None:
    """Return the job that computes a lesson, None if there is none (any more)."""
    job = job_manager().get(lesson_jobs().get(name, ""))
    if job is not None:
        viewer().watch(job)
    return job


def lesson_job(name: str, states: States, *, keep_running: bool = False) -> Job:
    """Return the job that computes a lesson; start it if there is none (any more)."""
    job = known_job(name)
    if job is None:

        def start(progress: Callable[[str], None]) -> LessonWork:
            progress("Importing torch, once per server…")
            return LessonWork(states())

        try:
            job = submit_for_all(start, keep_running=keep_running)
        except PgcnError as error:
            return Job.refused(str(error))
        lesson_jobs()[name] = job.id
        viewer().watch(job)
    return job


def forget_job(name: str) -> None:
    """Have a lesson computed again when it is next shown."""
    lesson_jobs().pop(name, None)


@st.cache_resource(show_spinner=False)
def tour_worker() -> "Pool":
    """Return a process that computes the tour reproducibly: what the text says of its numbers holds everywhere."""
    from pgcn.execution.pool import processes

    return processes(1, reproducibly=True)


def stop_states(name: str) -> Generator[dict[str, Any]]:
    """Yield the numbers of a stop."""
    from concurrent.futures import BrokenExecutor

    from pgcn.lessons.example import compute_stop

    try:
        yield tour_worker().executor.submit(compute_stop, name).result()
    except BrokenExecutor:
        tour_worker.clear()  # it was killed, perhaps for lack of memory; another one tries once more
        yield tour_worker().executor.submit(compute_stop, name).result()


def last_state(job: Job) -> dict[str, Any] | None:
    """Return the last state of a lesson, None before the first."""
    events = job.events()
    return events[-1].event.values if events else None
