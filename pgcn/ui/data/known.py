"""What is known of every data set: recorded, saved in the store, or made by a job when somebody asks for it."""

from collections.abc import Callable
from typing import Any

import streamlit as st

from pgcn.execution.graphs import facts_of
from pgcn.execution.jobs import Job
from pgcn.execution.memory import Memory, graph_memory
from pgcn.recorded import recorded_portraits
from pgcn.source import CATALOGUE_NAMES, GraphSource
from pgcn.ui.server import job_manager, store, submit
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


def undrawn(sources: list[GraphSource]) -> list[GraphSource]:
    """Return those without a portrait, such as what was added in Python."""
    return [one for one in sources if one.name not in CATALOGUE_NAMES and portrait(one) is None]


def drawing_jobs(sources: list[GraphSource]) -> list[Job]:
    """Return the jobs that were last asked for what is missing of these."""
    jobs = (job_manager().get(_jobs().get(one.content, "")) for one in undrawn(sources))
    return [job for job in jobs if job is not None]


def is_drawing(sources: list[GraphSource]) -> bool:
    return any(is_running(job) for job in drawing_jobs(sources))


def draw(sources: list[GraphSource]) -> None:
    """Have the portraits made that are missing; a link that is opened does not."""
    missing = undrawn(sources)
    if not missing or is_drawing(missing):
        return
    database = store()

    def start(progress: Callable[[str], None]):
        progress("Importing torch…")
        from pgcn.embeddings.portrait import Portraits

        return Portraits(database, missing, progress)

    needed = max(graph_memory(facts_of(one, database)) for one in missing)  # one after another
    job = submit(start, memory=Memory(needed))
    _jobs().update({one.content: job.id for one in missing})
