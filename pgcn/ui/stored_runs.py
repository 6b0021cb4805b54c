"""Stored runs as several pages show them: their events, their names, and who may see them."""

from typing import TYPE_CHECKING

import streamlit as st

from pgcn.errors import PgcnError
from pgcn.events import Event, opening
from pgcn.ui.server import job_manager, store, visitor_key
from pgcn.ui.session import saved_session
from pgcn.ui.text import plain
from pgcn.views.run_facts import run_name

if TYPE_CHECKING:
    from pgcn.store import StoredRun

__all__ = ["is_visible", "run_name", "shown_events", "stored_events"]


@st.cache_data(show_spinner=False, max_entries=32)
def _ended_events(run: str, status: str, seconds: float) -> tuple[Event, ...]:
    """Return the events of a run that has ended; status and seconds tell one state of it from another."""
    return store().events(run)


def stored_events(run: "StoredRun") -> tuple[Event, ...]:
    """Return the events of a stored run, read once if it has ended."""
    if run.status == "running":
        return store().events(run.id)
    return _ended_events(run.id, run.status, run.seconds)


def shown_events(run: "StoredRun") -> tuple[Event, ...]:
    """Return the events of a stored run; of one that is damaged none, and a warning says so."""
    try:
        events = stored_events(run)
        opening(events)
    except PgcnError as error:
        st.warning(plain(str(error)), icon=":material/heart_broken:")
        return ()
    return events


def is_visible(run: "StoredRun") -> bool:
    """Return whether this visitor may see a run: those of other visitors appear when they have ended."""
    session = saved_session("grow")
    jobs = {**session.grown, session.run: session.job} if session is not None else {}
    own = job_manager().get(jobs.get(run.id, "")) is not None
    return own or not (run.here or is_of_another(run))


def is_of_another(run: "StoredRun") -> bool:
    """Return whether another visitor has a run in training, such as a search in a process of its own."""
    return run.status == "running" and bool(run.creator) and run.creator != visitor_key()
