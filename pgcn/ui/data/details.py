"""One data set: its picture, its numbers, what was changed when it was read, and what can be done with it."""

from datetime import UTC, datetime
from typing import Any

import streamlit as st

from pgcn.data import catalogue
from pgcn.data.catalogue import CATALOGUE
from pgcn.execution.graphs import facts_of, named_source
from pgcn.numbers import counted
from pgcn.source import GraphSource
from pgcn.ui.access import why_not_start
from pgcn.ui.advice import show_advice
from pgcn.ui.data.component import show_data
from pgcn.ui.data.deletion import show_delete_button
from pgcn.ui.data.known import draw, drawing_jobs, is_drawing, portrait, undrawn
from pgcn.ui.grow.jobs import grow
from pgcn.ui.grow.session import GrowSession
from pgcn.ui.grow.settings import Settings
from pgcn.ui.refreshing import refreshed
from pgcn.ui.server import store
from pgcn.ui.session import saved_session
from pgcn.ui.shell import attempt, go_to, show_error
from pgcn.ui.text import plain
from pgcn.views.advice import at_once
from pgcn.views.data_page import drawn, growth_cost

TICK = 1.0


def show_details(name: str) -> None:
    source = named_source(store(), name)
    facts = facts_of(source, store())
    st.markdown(f"#### {plain(facts.title)}")
    with st.container(horizontal=True, vertical_alignment="center", key="data_actions"):
        how = {"icon": ":material/eco:", "type": "primary", "key": "data_grow", "disabled": bool(why_not_start())}
        if st.button("Grow a network", help=why_not_start() or None, **how):
            grow_on(source.name)
        if st.button("Difficulty", icon=":material/stacked_line_chart:", key="data_difficulty"):
            go_to("difficulty", datasets=source.name)
        if st.button("Arena", icon=":material/leaderboard:", key="data_arena"):
            go_to("arena", dataset=source.name)
        if source.content is not None:
            show_delete_button(store().stored_graphs()[source.name])
        back = {"icon": ":material/grid_view:", "on_click": st.query_params.clear}
        st.button("All data sets", key="data_all", **back)
    running = is_drawing([source])
    refreshed(show_portrait, TICK if running else None, source.name, running)
    show_advice(source, at_once(facts, None, portrait(source)))
    st.caption(plain(origin_of(source.name)))


def show_portrait(name: str, running: bool) -> None:
    """Draw the picture and the numbers; while they are computed, this alone runs again."""
    source = named_source(store(), name)
    found = portrait(source)
    if found is None:
        show_draw([source], running)
    else:
        show_numbers(found)
        show_data({"kind": "detail", "portrait": drawn(found)}, "data_detail")
        show_notes(found)
    if running != is_drawing([source]):
        st.rerun()


def show_draw(sources: list[GraphSource], running: bool) -> None:
    """Offer to draw what was added without the pages, or say that it is being drawn."""
    missing = undrawn(sources)
    if not missing:
        return
    number = counted(len(missing), "graph") if missing[1:] else "the graph"
    if running:
        st.caption(f"Drawing {number}…")
        return
    for error in {job.error for job in drawing_jobs(missing) if job.error}:
        show_error(error)
    why = why_not_start()
    how = {"icon": ":material/draw:", "disabled": bool(why), "key": "data_draw"}
    about = (
        why or "Added in Python or by an earlier version: its drawing and statistics have not been computed yet."
    )
    st.button(f"Draw {number}", help=about, on_click=attempt, args=(draw, missing), **how)


def show_numbers(found: dict[str, Any]) -> None:
    """Say what a graph holds."""
    nodes = max(1, found["nodes"])
    weights = " with weights" * found["weighted"]
    parts = [
        f"**{found['nodes']:,}** nodes",
        f"**{found['edges']:,}** edges{weights}",
        f"**{found['features']:,}** features ({100 * found['density']:.1f} % not zero)",
        f"**{found['classes']}** classes",
        f"**{100 * found['labelled'] / nodes:.1f} %** labelled",
    ]
    if found["homophily"] is not None:
        parts.append(f"homophily **{found['homophily']:.2f}**")
    st.markdown(" · ".join(parts))
    test = f"{found['test']:,} test" if found["test"] else "no test"
    unknown = f"; the class of {found['unknown']:,} is not known" if found["unknown"] else ""
    split = f"{found['labelled']:,} training, {found['validation']:,} validation, {test} nodes{unknown}."
    st.caption(f"{split} Split: {plain(found['split'])}. {growth_cost(found)}")


def show_notes(found: dict[str, Any]) -> None:
    """List what was changed when a graph was read."""
    if found["notes"]:
        with st.expander(f"Cleaned or derived data ({len(found['notes'])})", expanded=True):
            st.markdown("\n".join(f"- {plain(note)}" for note in found["notes"]))


def origin_of(name: str) -> str:
    """Say where a data set came from."""
    if name in CATALOGUE:
        where = next((info.where for info in catalogue() if info.name == name), "")
        return f"{CATALOGUE[name].note} {'On this machine.' if where else 'Downloaded when it is first used.'}"
    graph = store().stored_graphs()[name]
    day = datetime.fromtimestamp(graph.created, UTC).strftime("%Y-%m-%d")
    files = f" from {graph.origin}" if graph.origin else ""
    return f"Added{files} on {day}. Content {graph.content[:12]}. In a terminal: --dataset {name}"


def grow_on(name: str) -> None:
    """Start a growth run on a data set with the default settings, and watch it."""
    settings = Settings(dataset=name)
    session = GrowSession(settings=settings, base=settings)
    before = saved_session("grow")
    session.keep_running = bool(before and getattr(before, "keep_running", False))
    grow(session)
    go_to("grow", **session.query())
