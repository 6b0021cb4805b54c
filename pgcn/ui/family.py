"""A run's family, on the pages that show a run: the link of a branch to its parent, and the tree of all."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import streamlit as st

from pgcn.events import Event, RunStarted
from pgcn.methods.pgcn.lineage import point_name
from pgcn.ui.components import LOADER, served
from pgcn.ui.links import ID
from pgcn.ui.server import store
from pgcn.ui.stored_runs import is_visible, run_name
from pgcn.views.family import family_rows, frame_after
from pgcn.web import FAMILY, style

if TYPE_CHECKING:
    from pgcn.store import StoredRun

FAMILY_CODE = served("components/family.js", *FAMILY)
MOST_STEPS = 1_000_000
"""Of a replay, as a link can name them."""
Open = Callable[[str, int | None], None]
"""Shows a run, at a step of its replay where one is given."""

_family = st.components.v2.component(
    "pgcn_family", html="<div></div>", css=style("family"), js=LOADER, isolate_styles=False
)


def show_values(values: dict[str, Any], key: str, open_run: Open) -> None:
    """Draw links to runs; ``open_run`` is called with the run of the one that was clicked."""

    def opened() -> None:
        asked = st.session_state[key].open
        if isinstance(asked, dict) and isinstance(asked.get("run"), str) and ID.fullmatch(asked["run"]):
            at = asked.get("at")
            open_run(asked["run"], at if isinstance(at, int) and 0 <= at <= MOST_STEPS else None)

    _family(data=[FAMILY_CODE, values], key=key, on_open_change=opened)


def show_origin(parent: str, started: RunStarted | None, events: Sequence[Event], open_run: Open) -> None:
    """Say which run a branch comes from, with a link to that run at the step where the branch begins.

    ``started`` and ``events`` are those of the branch; None and nothing as long as it has not begun.
    """
    origin = started.parent if started else None
    run = store().find([parent]).get(parent)
    values = {
        "run": parent if run else "",
        "name": run_name(run) if run else f"run {parent[:8]}, which is no longer stored",
        "point": point_name(origin) if origin else "",
        "at": frame_after(events, origin["step"]) if origin else None,
    }
    show_values({"from": values}, "origin", open_run)


@st.cache_resource(show_spinner=False)
def _known_openings() -> dict[str, RunStarted]:
    """Return how the runs of families began, by id: that never changes."""
    return {}


def show_family(run: str, open_run: Open) -> None:
    """Draw the tree of a run's family, where it has one."""
    family = family_of(run)
    if len(family) < 2:
        return
    known = _known_openings()
    known |= store().openings([one.id for one in family if one.id not in known])
    rows = family_rows(family, known, run)
    show_values({"rows": rows}, "family", open_run)


def family_of(run: str) -> "list[StoredRun]":
    """Return the runs of a family that this visitor may see; nothing where the run is not stored."""
    database = store()
    if run not in database.find([run]):
        return []
    return [one for one in database.family(run) if one.id == run or is_visible(one)]
