"""What was recorded beforehand (:mod:`pgcn.recorded`), once for all visitors of a server."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import streamlit as st

from pgcn.views.film import film

if TYPE_CHECKING:
    from pgcn.studies.difficulty import Task
    from pgcn.studies.results import Outcome


@st.cache_data(show_spinner=False)
def recorded_film() -> dict[str, Any]:
    """Return the recorded run as a film; nothing is computed but its pictures."""
    from pgcn.recorded import recorded_events, recorded_gcn

    return film(recorded_events(), name="recorded", badge="recorded run", baseline=recorded_gcn())


@st.cache_data(show_spinner=False)
def recorded_maps() -> dict[str, Any]:
    """Return the maps of the recorded run."""
    from pgcn.recorded import recorded_maps

    return recorded_maps()


@st.cache_resource(show_spinner=False)
def recorded_outcomes() -> "dict[str, Outcome]":
    """Return what was recorded of the difficulty study, by the id of the question."""
    from pgcn.recorded import recorded_outcomes

    return recorded_outcomes()


def recorded_for(tasks: "Sequence[Task]") -> "list[Outcome]":
    """Return what was recorded for the same questions: all of it in the reproducible mode."""
    recorded = recorded_outcomes()
    found = (recorded.get(task.recorded_id) for task in tasks)
    return [outcome for outcome in found if outcome is not None]


def agreement(own: "Sequence[Outcome]") -> tuple[int, int]:
    """Return how many of the outcomes computed here were recorded too, and how many of these are equal."""
    recorded = recorded_outcomes()
    both = [(outcome, recorded[outcome.run]) for outcome in own if outcome.run in recorded]
    parts = ("topology", "labelled_accuracy", "val_accuracy", "test_accuracy")
    return len(both), sum(all(getattr(one, name) == getattr(two, name) for name in parts) for one, two in both)
