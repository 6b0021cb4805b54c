"""What was recorded beforehand (:mod:`pgcn.recorded`), once for all visitors of a server."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import streamlit as st

from pgcn.data.catalogue import dataset_title
from pgcn.views.replay import replay

if TYPE_CHECKING:
    from pgcn.events import Event
    from pgcn.execution.spec import RunSpec
    from pgcn.studies.baseline import Baseline
    from pgcn.studies.difficulty import Task
    from pgcn.studies.difficulty.results import Outcome


@st.cache_resource(show_spinner=False)
def first_run() -> "tuple[Sequence[Event], Baseline]":
    """Return the events of the run that greets a visitor, and the GCN beside it."""
    from pgcn.recorded import first_events, first_gcn

    return tuple(first_events()), first_gcn()


@st.cache_resource(show_spinner=False)
def recorded_runs() -> "list[tuple[RunSpec, Sequence[Event]]]":
    """Return the runs that race before a visitor has run any, with their events."""
    from pgcn.execution.spec import RunSpec
    from pgcn.recorded import first_gcn_events

    return [(RunSpec.of(events[0]), events) for events in (first_run()[0], tuple(first_gcn_events()))]


@st.cache_data(show_spinner=False)
def recorded_replay() -> dict[str, Any]:
    """Return the replay of the run that greets a visitor."""
    from pgcn.recorded import first_graph, first_inside

    events, baseline = first_run()
    started = events[0]
    badge = f"recorded: {dataset_title(started.dataset)}, seed {started.config['seed']}"
    beside = {"data": first_graph(), "inside": first_inside()}
    return replay(events, name="recorded", badge=badge, baseline=baseline, **beside)


@st.cache_data(show_spinner=False)
def recorded_embedding() -> dict[str, Any]:
    """Return the 2-D embeddings of the recorded run."""
    from pgcn.recorded import recorded_embeddings

    return recorded_embeddings()


@st.cache_resource(show_spinner=False)
def cached_outcomes() -> "dict[str, Outcome]":
    """Return what was recorded of the difficulty study, by the id of the task."""
    from pgcn.recorded import recorded_outcomes

    return recorded_outcomes()


def recorded_for(tasks: "Sequence[Task]") -> "list[Outcome]":
    """Return what was recorded for these tasks: all of it in the reproducible mode."""
    recorded = cached_outcomes()
    found = (recorded.get(task.recorded_id) for task in tasks)
    return [outcome for outcome in found if outcome is not None]
