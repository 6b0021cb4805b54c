"""What all visitors of one server share: the job manager and the store; and who the visitor is."""

import hashlib
import os
import re
import threading
import time
import uuid
from typing import TYPE_CHECKING

# Threads that wait for each other actively are many times slower when two jobs share few cores.
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")

import streamlit as st

from pgcn.execution.jobs import Job, Start
from pgcn.execution.limits import Limits
from pgcn.execution.manager import JobManager
from pgcn.execution.memory import Memory

if TYPE_CHECKING:
    from pgcn.store import Store

WARM_UP_AFTER = 3.0
"""Seconds between the first request and warming up: the first page comes first."""


@st.cache_resource(show_spinner=False)
def job_manager() -> JobManager:
    """Return the job manager of this server; a :class:`pgcn.errors.ConfigError` says which limit is wrong."""
    return JobManager(workers=max(2, os.cpu_count() or 1), limits=Limits.from_environment())


@st.cache_resource(show_spinner=False)
def store() -> "Store":
    """Return the store of this server; a :class:`pgcn.errors.StoreError` says why it cannot be opened."""
    from pgcn.store import Store

    return Store()


@st.cache_resource(show_spinner=False)
def warm_up(_needs_store: bool) -> threading.Thread:
    """Import what the store and tables need in the background, once per server, after the first page was shown.

    Where that page needs the store, its import begins at once.
    """

    def warm() -> None:
        time.sleep(0.0 if _needs_store else WARM_UP_AFTER)
        import pgcn.store  # noqa: F401

        time.sleep(WARM_UP_AFTER if _needs_store else 0.0)
        import pandas  # noqa: F401

    thread = threading.Thread(target=warm, daemon=True, name="warm-up")
    thread.start()
    return thread


@st.cache_resource(show_spinner=False)
def fetch_store() -> threading.Thread:
    """Import the store in the background, once per server: it takes 0.1 s, and the first page need not wait."""

    def fetch() -> None:
        import pgcn.store  # noqa: F401

    thread = threading.Thread(target=fetch, daemon=True, name="fetch-store")
    thread.start()
    return thread


class Viewer:
    """One browser tab, and the jobs it looks at."""

    def __init__(self) -> None:
        self.id = uuid.uuid4().hex
        self._watched: set[str] = set()

    def watch(self, job: Job) -> None:
        if job.id not in self._watched:
            self._watched.add(job.id)
            job.attach(self.id)

    def leave(self) -> None:
        for name in self._watched:
            job = job_manager().get(name)
            if job is not None:
                job.detach(self.id)


@st.cache_resource(show_spinner=False, scope="session", on_release=Viewer.leave)
def viewer() -> Viewer:
    """Return this browser tab. Closing or reloading it releases it; its jobs wait for PGCN_GRACE seconds."""
    return Viewer()


COOKIE = "pgcn_visitor"
"""Given to every browser by :mod:`pgcn.ui.middleware`; no script can read it."""


def is_cookie(value: str) -> bool:
    return re.fullmatch(r"[\w-]{43}", value, re.ASCII) is not None


def user() -> str:
    """Return who is logged in, "" where nobody is or there is no login."""
    from pgcn.ui.access import has_login

    known = st.user.to_dict() if has_login() else {}
    name = known.get("sub") or known.get("email")
    return f"{known.get('iss', '')} {name}" if name and known.get("is_logged_in", True) else ""


def visitor_key() -> str:
    """Return what tells this visitor from others, also after a reload: the login, else the browser, else the tab.

    It is stored with runs. The cookie cannot be found from it: it is random, of 256 bits.
    """
    cookie = str(st.context.cookies.get(COOKIE, ""))  # a test of a page has no real one
    if name := user():
        known = f"user {name}"
    elif is_cookie(cookie):
        known = f"browser {cookie}"
    else:
        return viewer().id
    return hashlib.sha256(known.encode()).hexdigest()[:32]


def submit(
    start: Start, *, keep_running: bool = False, steps: int | None = None, memory: Memory | None = None
) -> Job:
    """Queue work for this visitor; with ``steps`` it pauses after so many blocks.

    A :class:`pgcn.errors.BusyError` or an :class:`pgcn.errors.AccessError` says why it cannot be.
    """
    from pgcn.ui.access import require_start

    require_start()
    return job_manager().submit(start, visitor_key(), keep_running=keep_running, steps=steps, memory=memory)


def submit_for_all(start: Start, *, keep_running: bool = False) -> Job:
    """Queue work that is done once for all visitors; it counts for none of them."""
    return job_manager().submit(start, "all visitors", keep_running=keep_running, counted=False)
