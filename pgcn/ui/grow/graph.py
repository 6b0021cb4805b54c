"""The graph beside the network: looked up; where it is missing, a job makes it beside a run of one's own."""

from collections import OrderedDict
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

import streamlit as st

from pgcn.errors import BusyError
from pgcn.events import Event, opening
from pgcn.execution.jobs import Job
from pgcn.methods.pgcn.events import BlockAccepted
from pgcn.source import GraphSource
from pgcn.ui.grow.settings import FIRST, Settings
from pgcn.ui.server import job_manager, store, submit_for_all
from pgcn.ui.session import is_running
from pgcn.views.replay import GRAPH_TO_COME

MOST_RUNS = 50
"""The graphs of so many runs stay in memory."""
MOST_VALUES = 40_000_000
"""Of a graph with more features over all nodes nothing is predicted on the side: that would take from the training
that is watched."""


@st.cache_resource(show_spinner=False)
def drawn_graphs() -> OrderedDict[str, dict[str, Any]]:
    """Return the graphs that were shown last, by run."""
    return OrderedDict()


@st.cache_resource(show_spinner=False)
def prediction_jobs() -> dict[str, tuple[str, int]]:
    """Return the last job for each run, and how many networks there were when it was started."""
    return {}


def graph_beside(run: str, events: Sequence[Event], *, make: bool) -> dict[str, Any] | None:
    """Return the graph of a run with the predictions so far, None where it is not shown; ``make`` has it made."""
    from pgcn.embeddings.predictions import read_sample

    started, known = opening(events), drawn_graphs()
    accepted = sum(isinstance(event, BlockAccepted) for event in events)
    if started.recipe is None or not is_drawable(started.nodes, started.features):
        return None
    if run not in known or len(known[run]["predicted"]) < accepted:
        found = read_sample(store(), run, started, accepted)
        if found is not None:
            known[run] = found
            known.move_to_end(run)
            while len(known) > MOST_RUNS:
                known.popitem(last=False)
        if make and (found is None or len(found["predicted"]) < accepted):
            make_predictions(run, accepted)
    if run not in known:
        job = prediction_job(run)
        return room_of(GraphSource.from_recipe(started.recipe)) if make and not (job and job.error) else None
    return known[run] if make or known[run]["predicted"] else None


def graph_to_come(settings: Settings, *, make: bool) -> dict[str, Any] | None:
    """Return what is shown of the graph before a run has begun."""
    facts = settings.facts
    return room_of(settings.source) if make and is_drawable(facts.nodes, facts.features) else None


def room_of(source: GraphSource) -> dict[str, Any]:
    """Return what keeps the room of a graph until it is drawn: the graph itself where it was recorded."""
    return newcomers_graph() if source == FIRST.source else GRAPH_TO_COME


@st.cache_resource(show_spinner=False)
def newcomers_graph() -> dict[str, Any]:
    """Return the graph that a newcomer grows on, with nothing predicted yet."""
    from pgcn.recorded import first_graph

    return {**first_graph(), "predicted": {}}


def is_drawable(nodes: int, features: int) -> bool:
    return nodes * features <= MOST_VALUES


def make_predictions(run: str, accepted: int) -> None:
    """Start a job for what is missing, unless one is at it or has tried for the same networks."""
    if is_predicting(run) or prediction_jobs().get(run, ("", -1))[1] >= accepted:
        return
    database = store()

    def start(progress: Callable[[str], None]):
        from pgcn.embeddings.predictions import Predictions

        return Predictions(database, run, progress)

    with suppress(BusyError):  # the run itself is shown all the same; the next look tries again
        prediction_jobs()[run] = (submit_for_all(start).id, accepted)


def prediction_job(run: str) -> Job | None:
    """Return the last job that made predictions of a run."""
    return job_manager().get(prediction_jobs().get(run, ("", -1))[0])


def is_predicting(run: str) -> bool:
    """Return whether a job makes predictions of a run."""
    return is_running(prediction_job(run))
