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
NEWEST = 3
"""So many networks' profiles are sent of a run that grows."""
MOST_SENT = 400_000
"""So many numbers of profiles are sent at most."""
MOST_VALUES = 40_000_000
"""Of a graph with more features over all nodes nothing is predicted on the side: that would take from the training
that is watched."""


@st.cache_resource(show_spinner=False)
def drawn_graphs() -> OrderedDict[str, dict[str, Any]]:
    """Return the graphs that were shown last, by run."""
    return OrderedDict()


@st.cache_resource(show_spinner=False)
def read_insides() -> dict[str, dict[int, dict[str, Any]]]:
    """Return the class profiles that were shown last, by run and step."""
    return {}


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
    elif make and len(known_inside(run, accepted)) < accepted:  # of a run that was looked at in an earlier version
        make_predictions(run, accepted)
    if run not in known:
        job = prediction_job(run)
        return room_of(GraphSource.from_recipe(started.recipe)) if make and not (job and job.error) else None
    return known[run] if make or known[run]["predicted"] else None


def inside_of(run: str, events: Sequence[Event], *, live: bool) -> dict[int, dict[str, Any]]:
    """Return what the neurons of a run's networks have learned, by step; of a live run of the newest only.

    The player keeps what it was sent, so that little is sent while a run grows.
    """
    accepted = sum(isinstance(event, BlockAccepted) for event in events)
    known = known_inside(run, accepted)
    steps = sorted(known)[-NEWEST:] if live else within(known)
    return {step: known[step] for step in steps}


def is_inside_missing(run: str, events: Sequence[Event]) -> bool:
    """Return whether the graph beside a run and its profiles can be shown, but have not been computed."""
    started, accepted = opening(events), sum(isinstance(event, BlockAccepted) for event in events)
    drawable = started.recipe is not None and is_drawable(started.nodes, started.features)
    return drawable and len(known_inside(run, accepted)) < accepted


def within(known: dict[int, dict[str, Any]]) -> list[int]:
    """Return the steps whose profiles may all be sent: the newest ones of a run with very many neurons."""
    room, steps = MOST_SENT, []
    for step in sorted(known, reverse=True):
        room -= sum(len(layer["means"]) for layer in known[step]["layers"]) * (len(known[step]["classes"]) + 6)
        if room < 0 and steps:
            break
        steps.append(step)
    return steps


def known_inside(run: str, accepted: int) -> dict[int, dict[str, Any]]:
    """Return the profiles of a run that are there; those that were read stay in memory."""
    from pgcn.inside.stored import read_profiles

    known = read_insides().setdefault(run, {})
    missing = [step for step in range(1, accepted + 1) if step not in known]
    if missing:
        known |= read_profiles(store(), run, missing)
    while len(read_insides()) > MOST_RUNS:
        read_insides().pop(next(iter(read_insides())))
    return known


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
