"""Who may start and change what on the pages. Every action asks here at the moment it acts.

- ``PGCN_READ_ONLY=1``: nothing is started, changed or deleted from pages.
- *Ownership*: a run is changed only by the visitor who made it (:func:`pgcn.ui.server.visitor_key`). It holds where
  others can reach the server: it listens to more than this machine, is known by another name (a proxy), a login is
  configured, or the request came through a proxy, whatever host that names. ``PGCN_OWNERSHIP=1`` or ``0`` says it
  outright.
- Otherwise, on a server for this machine alone, everybody may change everything.
"""

import logging
import os
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import streamlit as st

from pgcn.config import read_switch
from pgcn.errors import AccessError, ConfigError

if TYPE_CHECKING:
    from pgcn.execution.jobs import Job
    from pgcn.store import StoredRun

LOG = logging.getLogger(__name__)
LOCAL = frozenset({"localhost", "127.0.0.1", "::1", "[::1]"})
FORWARDED = frozenset({"forwarded", "x-forwarded-for", "x-forwarded-host", "x-real-ip", "via"})
"""Headers that a proxy adds to what it passes on."""

READ_ONLY = "Read-only: recorded and stored runs can be watched, but nothing can be started or changed here."
LOG_IN = "Log in to start or change runs."
NOT_YOURS = "Another visitor made this run: it can be seen and exported, but not changed."
NOBODYS = "This run was not made on these pages, so it cannot be changed here: use the command line."


def switch(name: str, default: bool) -> bool:
    """Return a switch of the environment; what cannot be read is taken as on, the safe side."""
    try:
        return read_switch(text) if (text := os.environ.get(name, "")) else default
    except ConfigError:
        return True


def is_read_only() -> bool:
    return switch("PGCN_READ_ONLY", False)


def is_local() -> bool:
    """Return whether only this machine can reach the server: by its address, and by all names it answers to."""
    origins = [urlsplit(origin).hostname or origin for origin in st.get_option("server.corsAllowedOrigins") or ()]
    hosts = st.get_option("server.allowedHosts") or ()
    return LOCAL.issuperset([st.get_option("server.address"), *hosts, *origins])


def has_login() -> bool:
    """Return whether visitors log in: with Streamlit's login, or at a proxy whose headers are trusted."""
    return has_streamlit_login() or bool(st.get_option("server.trustedUserHeaders"))


def has_streamlit_login() -> bool:
    return st.secrets.load_if_toml_exists() and "auth" in st.secrets


def came_through_proxy() -> bool:
    """Return whether somebody else passed this visitor's request on: it may come from anywhere then."""
    return any(name.lower() in FORWARDED for name in st.context.headers)


def has_ownership() -> bool:
    """Return whether a run belongs to the visitor who made it."""
    return switch("PGCN_OWNERSHIP", not is_local() or has_login() or came_through_proxy())


def why_not_start() -> str:
    """Return why this visitor may not start anything, "" if it may."""
    from pgcn.ui.server import user

    if is_read_only():
        return READ_ONLY
    return LOG_IN if has_login() and not user() else ""


def why_not_change(run: "StoredRun") -> str:
    """Return why this visitor may not change a run, "" if it may."""
    from pgcn.ui.server import visitor_key

    if why := why_not_start():
        return why
    if not has_ownership() or (run.creator and run.creator == visitor_key()):
        return ""
    return NOT_YOURS if run.creator else NOBODYS


def why_not_control(job: "Job") -> str:
    """Return why this visitor may not pause or stop a job, "" if it may."""
    from pgcn.ui.server import visitor_key

    if why := why_not_start():
        return why
    return NOT_YOURS if has_ownership() and job.owner != visitor_key() else ""


def may_change(run: "StoredRun") -> bool:
    return not why_not_change(run)


def require_start() -> None:
    """Raise unless this visitor may start something."""
    if why := why_not_start():
        raise AccessError(why)


def require_change(run: "StoredRun") -> None:
    """Raise unless this visitor may change a run."""
    if why := why_not_change(run):
        raise AccessError(why)


def require_control(job: "Job") -> None:
    """Raise unless this visitor may pause or stop a job."""
    if why := why_not_control(job):
        raise AccessError(why)


def warn_if_open() -> None:
    """Warn whoever starts a server that others can reach without having said who may do what."""
    said = is_read_only() or switch("PGCN_OWNERSHIP", False) or has_login()
    if is_local() or said:
        return
    whose = "Runs belong to the browser that made them." if has_ownership() else "Everybody may delete all runs."
    LOG.warning(
        "This server can be reached from other machines, and whoever reaches it may start jobs. %s Set "
        "PGCN_READ_ONLY=1 for a demonstration, PGCN_OWNERSHIP=1 to allow it, or configure a login.",
        whose,
    )
