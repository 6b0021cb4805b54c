"""What a visitor has open on a page, and its address: the part that all pages share."""

from collections.abc import Callable
from dataclasses import dataclass, field

import streamlit as st

from pgcn.execution.jobs import Job
from pgcn.ui.history import is_history_step
from pgcn.ui.links import Query
from pgcn.ui.server import job_manager, viewer


@dataclass
class Session:
    """What one visitor has open on one page."""

    problems: list[str] = field(default_factory=list)
    """Sentences about what was asked for and cannot be used."""
    job: str = ""
    links: set[frozenset] = field(default_factory=set)
    """Every address that was shown. A browser may ask once more with one that has been replaced."""

    @property
    def subject(self) -> tuple[str, ...]:
        """What is open here: a link may name a job that is about something else."""
        return (type(self).__name__,)

    def follow(self, job: Job) -> None:
        """Make a job that was started here the job of this page."""
        self.job, job.subject = job.id, self.subject

    def current_job(self) -> Job | None:
        """Return the job of this page, None if this server has none (any more)."""
        job = job_manager().get(self.job) if self.job else None
        if job is None or job.subject != self.subject:
            return None
        viewer().watch(job)
        return job

    def is_busy(self) -> bool:
        """Return whether the job is running and has not been told to stop.

        Whatever a click starts asks this first: now and then a browser sends one click twice, the second time
        with a timed refresh.
        """
        job = self.current_job()
        return is_running(job) and not job.stopping


def is_running(job: Job | None) -> bool:
    """Return whether there is a job that has not ended; it may be queued or paused."""
    return job is not None and not job.ended


def saved_session(page: str) -> Session | None:
    """Return what this visitor last had open on a page."""
    return st.session_state.get(f"session_{page}")


def new_link(page: str, part: Callable[[Query], Query] = dict) -> Query | None:
    """Return the query of a link to follow: one that was not shown before, or that Back or Forward returns to.

    None where the session stays. Another page may ask for one by :func:`request_link`. ``part`` is the part of an
    address that counts.
    """
    requested = st.session_state.pop(f"requested_{page}", None)
    if requested is not None:
        return requested
    query, saved = st.query_params.to_dict(), saved_session(page)
    if is_history_step():
        return query
    stays = saved is not None and (not query or frozenset(part(query).items()) in saved.links)
    return None if stays else query


def request_link(page: str, query: Query | None) -> None:
    """Have a page follow a query when it is next opened; None cancels the request."""
    st.session_state[f"requested_{page}"] = query


def is_requested(page: str) -> bool:
    """Return whether another page asks for this one, by a click in this tab."""
    return st.session_state.get(f"requested_{page}") is not None


def save_session(page: str, session: Session, *, widgets: str | None = None) -> None:
    """Make a session that was read from a link the visitor's own; widgets whose keys begin so are reset."""
    saved = saved_session(page)
    if saved is not None:
        session.links = saved.links
    session.links.add(frozenset(st.query_params.to_dict().items()))
    st.session_state[f"session_{page}"] = session
    for key in [key for key in st.session_state if widgets and str(key).startswith(widgets)]:
        del st.session_state[key]


def show_link(session: Session, link: Query) -> None:
    """Put what is shown into the address bar."""
    session.links.add(frozenset(link.items()))
    if st.query_params.to_dict() != link:
        st.query_params.from_dict(link)
