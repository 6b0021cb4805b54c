"""The tour's numbers are computed by jobs, once for all visitors of a server."""

from collections.abc import Callable, Generator
from typing import Any

import streamlit as st

from pgcn.jobs import Job
from pgcn.lessons.telling import Telling
from pgcn.ui.server import jobs, viewer

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
            import pgcn.work  # noqa: F401 - nothing is computed while it is being imported

            tell("Computing…")
            return Telling(states())

        job = jobs().submit(start, viewer().id, keep_running=keep_running)
        started()[name] = job.id
    viewer().watch(job)
    return job


def forget(name: str) -> None:
    """Have a lesson computed anew when it is next asked for."""
    started().pop(name, None)


def stop_states(name: str) -> Generator[dict[str, Any]]:
    """Yield the numbers of a stop."""
    from pgcn.lessons.tour import LESSONS

    yield LESSONS[name]()


def last_told(job: Job) -> dict[str, Any] | None:
    """Return the last state a lesson has come to, None before the first."""
    events = job.events()
    return events[-1].event.values if events else None
