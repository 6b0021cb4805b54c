"""What all visitors of one server share: the job manager, the store, and torch once it is imported."""

import os
import threading
import time
import uuid
from typing import TYPE_CHECKING

# Threads that wait for each other actively are many times slower when two jobs share few cores.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")

import streamlit as st

from pgcn.execution.jobs import Job, JobManager

if TYPE_CHECKING:
    from pgcn.store import Store

GRACE = float(os.environ.get("PGCN_GRACE", "60"))
"""Seconds after which a job whose viewers are gone is cancelled."""
WARM_UP_AFTER = 3.0
"""Seconds after the first visitor's first request at which torch is imported: the first picture comes first."""


@st.cache_resource(show_spinner=False)
def jobs() -> JobManager:
    """Return the one job manager of this server."""
    return JobManager(workers=max(2, os.cpu_count() or 1), grace=GRACE)


@st.cache_resource(show_spinner=False)
def store() -> "Store":
    """Return the store of this server; a :class:`pgcn.errors.StoreError` says why it cannot be opened."""
    from pgcn.store import Store

    return Store()


@st.cache_resource(show_spinner=False)
def warm_up() -> threading.Thread:
    """Import torch and the core in the background, once per server, when the first page is there."""

    def warm() -> None:
        time.sleep(WARM_UP_AFTER)
        import pandas  # noqa: F401 - Streamlit's tables need it

    thread = threading.Thread(target=warm, daemon=True, name="warm-up")
    thread.start()
    return thread


class Viewer:
    """One browser tab: what it owns and which jobs it looks at."""

    def __init__(self) -> None:
        self.id = uuid.uuid4().hex
        self._watched: set[str] = set()

    def watch(self, job: Job) -> None:
        if job.id not in self._watched:
            self._watched.add(job.id)
            job.attach(self.id)

    def leave(self) -> None:
        for name in self._watched:
            job = jobs().get(name)
            if job is not None:
                job.detach(self.id)


@st.cache_resource(show_spinner=False, scope="session", on_release=Viewer.leave)
def viewer() -> Viewer:
    """Return the visitor of this session. Closing or reloading the tab releases it; its jobs wait a while."""
    return Viewer()
