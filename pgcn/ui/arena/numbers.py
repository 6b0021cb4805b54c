"""The numbers of the Arena page: what is stored here, and what came with the program."""

from typing import TYPE_CHECKING

import streamlit as st

from pgcn.studies.arena import Arena, ArenaTask
from pgcn.studies.arena.outcomes import (
    ArenaOutcome,
    Found,
    described,
    known_outcomes,
    recorded_for,
    stored_outcomes,
)
from pgcn.studies.arena.results import ArenaResults
from pgcn.ui.server import store

if TYPE_CHECKING:
    from pgcn.store import Store


@st.cache_resource(show_spinner=False)
def recorded_arena() -> dict[str, ArenaOutcome]:
    """Return what was recorded of the arena, by the id of the task."""
    from pgcn.recorded import recorded_arena

    return recorded_arena()


@st.cache_resource(show_spinner=False)
def descriptions() -> dict[str, Found]:
    """Return what searches have arrived at, by run: reading a network takes long, and it stays as it is."""
    return {}


def describe(database: "Store", run: str) -> Found:
    known = descriptions()
    if run not in known:
        known[run] = described(database, run)
    return known[run]


def results_of(arena: Arena) -> ArenaResults:
    """Return what is stored of an arena, and what was recorded of it."""
    return ArenaResults(known_outcomes(arena, store(), recorded_arena(), describe))


def computed_here(arena: Arena) -> list[ArenaOutcome]:
    """Return what is stored of an arena in its own mode."""
    return stored_outcomes(arena, store(), describe)


def recorded_of(tasks: tuple[ArenaTask, ...]) -> list[ArenaOutcome]:
    return recorded_for(tasks, recorded_arena())
