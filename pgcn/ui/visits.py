"""What a visitor has before him on a page, and its address: the part that is the same for every page."""

import asyncio
import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import streamlit as st

from pgcn.execution.jobs import Job
from pgcn.ui.server import jobs, viewer

Query = Mapping[str, str]
LOG = logging.getLogger(__name__)
ARRIVAL, TURNS, LONGEST = 0.1, 5, 3.0
"""Seconds in which what was drawn is sent, in so many turns of the event loop; the longest to wait for these."""


@dataclass
class Visit:
    """The job looked at, what cannot be of what was asked for, and every address that was shown."""

    complaints: list[str] = field(default_factory=list)
    job: str = ""
    links: set[frozenset] = field(default_factory=set)
    """All that was ever in the address bar. A browser may ask once more with an address that has been replaced."""

    def current_job(self) -> Job | None:
        """Return the job looked at, None if there is none on this server (any more)."""
        job = jobs().get(self.job) if self.job else None
        if job is not None:
            viewer().watch(job)
        return job

    def is_busy(self) -> bool:
        """Return whether the job looked at is under way, and is meant to be.

        What a click starts asks this first: now and then a browser sends one click twice, once with the timed
        look at a job.
        """
        job = self.current_job()
        return job is not None and not job.ended and not job.stopping


def known_visit(page: str) -> Visit | None:
    """Return what this visitor last had before him on a page."""
    return st.session_state.get(f"visit_{page}")


def new_query(page: str, part: Callable[[Query], Query] = dict) -> Query | None:
    """Return the query that asks for something new, None where what is known stays.

    Another page may ask by :func:`ask`. ``part`` is what of an address counts.
    """
    asked = st.session_state.pop(f"asked_{page}", None)
    if asked is not None:
        return asked
    query, known = st.query_params.to_dict(), known_visit(page)
    stays = known is not None and (not query or frozenset(part(query).items()) in known.links)
    return None if stays else query


def ask(page: str, query: Query | None) -> None:
    """Have a page show what a query says when it is next opened; None takes it back."""
    st.session_state[f"asked_{page}"] = query


def begin(page: str, visit: Visit, *, widgets: str | None = None) -> None:
    """Make a visit that was read from a link the visitor's own; widgets whose keys begin so show what it says."""
    known = known_visit(page)
    if known is not None:
        visit.links = known.links
    st.session_state[f"visit_{page}"] = visit
    for key in [key for key in st.session_state if widgets and str(key).startswith(widgets)]:
        del st.session_state[key]


def show_link(visit: Visit, link: Query) -> None:
    """Put what is shown into the address bar."""
    visit.links.add(frozenset(link.items()))
    if st.query_params.to_dict() != link:
        st.query_params.from_dict(link)


def let_arrive() -> None:
    """Wait until what a page has drawn is on its way; for the end of a page that is looked at again and again.

    A timed look that begins before throws away what is still to be sent of its own part; the browser, told that
    the page is whole, would then take that part away and make it anew: a flash.
    """
    if not st.runtime.exists():
        return  # nobody is there to send it to
    loop = st.runtime.get_instance()._get_async_objs().eventloop  # there is no public way to ask for it
    try:
        asyncio.run_coroutine_threadsafe(_several_turns(), loop).result(LONGEST)
    except TimeoutError:
        LOG.warning("the server's event loop did not answer for %s s", LONGEST)


async def _several_turns() -> None:
    """Give way to what the server's event loop has to send, also where it was held up before."""
    for _ in range(TURNS):
        await asyncio.sleep(ARRIVAL / TURNS)
