"""What is known of every data set: recorded, kept in the store, or made by a job that all visitors share."""

from collections.abc import Callable
from typing import Any

import streamlit as st

from pgcn.errors import PgcnError
from pgcn.execution.jobs import Job
from pgcn.recorded import recorded_portraits
from pgcn.source import CATALOGUE_NAMES, GraphSource
from pgcn.ui.server import job_manager, store, submit_for_all
from pgcn.ui.session import is_running


@st.cache_resource(show_spinner=False)
def _portraits() -> dict[str | None, dict[str, Any]]:
    """Return the portraits that were read, by the content of a stored graph."""
    return {}


@st.cache_resource(show_spinner=False)
def _recorded() -> dict[str, dict[str, Any]]:
    return recorded_portraits()


@st.cache_resource(show_spinner=False)
def _jobs() -> dict[str | None, str]:
    """Return the job that was last started for a stored graph, by its content."""
    return {}


def portrait(source: GraphSource) -> dict[str, Any] | None:
    """Return the portrait of a data set; None where it is still to be made."""
    from pgcn.embeddings.portrait import read_portraits

    if source.content is None:
        return _recorded().get(source.name)
    known = _portraits()
    if source.content not in known and (found := read_portraits(store(), [source])):
        known[source.content] = found[source.name]
    return known.get(source.content)


def drawing_job(sources: list[GraphSource]) -> Job | None:
    """Return the job that makes the portraits that are missing, started if need be; None where none is missing."""
    missing = [one for one in sources if one.name not in CATALOGUE_NAMES and portrait(one) is None]
    untried = [one for one in missing if one.content not in _jobs()]
    if untried:
        database = store()

        def start(progress: Callable[[str], None]):
            progress("Importing torch…")
            from pgcn.embeddings.portrait import Portraits

            return Portraits(database, untried, progress)

        try:
            job = submit_for_all(start)
        except PgcnError:  # the server is busy: the next visit tries again
            return None
        _jobs().update({one.content: job.id for one in untried})
    jobs = [job_manager().get(_jobs().get(one.content, "")) for one in missing]
    return next((job for job in jobs if is_running(job)), None)
