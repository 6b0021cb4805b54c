"""The Race page: up to four runs on one graph, side by side on one clock."""

import streamlit as st

from pgcn.errors import PgcnError
from pgcn.methods.registry import grows
from pgcn.numbers import counted
from pgcn.ui.access import why_not_start
from pgcn.ui.graphs import graph_facts
from pgcn.ui.grow.settings import settings_of_spec
from pgcn.ui.race.component import show_values
from pgcn.ui.race.jobs import Lane, keep_running, lanes_of, start_race, stop_race, why_not_stop
from pgcn.ui.race.session import RaceSession, race_session, write_link
from pgcn.ui.race.sidebar import show_sidebar
from pgcn.ui.refreshing import refreshed, whole_page
from pgcn.ui.shell import go_to, show_error, show_problems
from pgcn.ui.text import plain, plain_title
from pgcn.ui.timing import timed
from pgcn.views.race import CLOCKS, race_values

TICK = 0.5
"""Seconds between two refreshes while a run is in training."""


@whole_page
@timed("race page")
def show_race_page() -> None:
    session = race_session()
    write_link(session)
    race = session.race
    features = "all features" if race.dims is None else f"D' = {race.dims:,}"
    st.markdown(f"#### A race on {plain_title(race.dataset)}, {features}")
    st.caption("Runs on the same graph, split and projection, on one clock: the scrubber moves all of them.")
    with st.container(key="race_problems"):
        show_problems(session.problems)
    running = False
    try:
        lanes = lanes_of(race)
        running = any(lane.running for lane in lanes)
        show_controls(session, lanes)
    except PgcnError as error:
        show_error(str(error))
    else:
        refreshed(refresh, TICK if running else None, session, [lane.running for lane in lanes])
        show_what_follows(lanes)
    show_sidebar(session)


def show_controls(session: RaceSession, lanes: list[Lane]) -> None:
    """Draw the buttons and the clock."""
    missing, running = [lane for lane in lanes if lane.missing], any(lane.running for lane in lanes)
    why = why_not_start() or ("" if missing else "Nothing is left to run: change a seed or a setting.")
    label = f"Start {counted(len(missing), 'run')}" if missing else "Start"
    with st.container(horizontal=True, vertical_alignment="bottom", key="race_controls"):
        click = {"on_click": start_race, "args": (session,), "disabled": bool(why), "help": why or None}
        st.button(label, icon=":material/play_arrow:", type="primary", key="race_start", **click)
        stays = why_not_stop(lanes)
        click = {"on_click": stop_race, "args": (session,), "disabled": not running or bool(stays)}
        st.button("Stop", icon=":material/stop:", key="race_stop", help=stays or None, **click)
        key = "race_clock"
        if st.session_state.get(key) != session.race.clock:
            st.session_state[key] = session.race.clock

        def turned() -> None:
            session.change(clock=st.session_state[key] or session.race.clock)

        how = {"key": key, "default": session.race.clock, "on_change": turned, "format_func": str.capitalize}
        st.segmented_control("Clock", CLOCKS, **how)
        about = "Otherwise the runs are cancelled a minute after the last tab that shows them is closed."
        st.session_state["race_keep"] = session.keep_running
        click = {
            "key": "race_keep",
            "on_change": keep_running,
            "args": (session,),
            "disabled": bool(why_not_start()),
        }
        st.toggle("Keep running", help=about, **click)


@timed("race tick")
def refresh(session: RaceSession, before: list[bool]) -> None:
    """Draw the race as it stands; while a run is in training, this alone runs again and again."""
    try:
        lanes = lanes_of(session.race)
    except PgcnError as error:
        show_error(str(error))
        return
    facts = graph_facts(session.race.dataset).of(session.race.source)
    entries = [lane.entry() for lane in lanes]
    show_values(race_values(entries, session.race.clock, shape=(facts.features, facts.classes)), key="race")
    if [lane.running for lane in lanes] != before:
        st.rerun()


def show_what_follows(lanes: list[Lane]) -> None:
    """Say what a single run is worth, and where many of them can be run."""
    st.caption(
        "Single runs, n = 1 each: another seed may reverse the order. Compare many seeds of each to be sure. "
        "Seconds depend on the machine and on what else it did."
    )
    with st.container(horizontal=True, key="race_further"):
        for number, lane in enumerate(lanes):
            settings = settings_of_spec(lane.spec) if grows(lane.spec.method) else None
            name = f"{number + 1}: {plain(lane.name.split(',')[0])}"
            replayed = lane.stored is not None and grows(lane.spec.method)
            if replayed and st.button(f"Replay {name}", icon=":material/hub:", key=f"race_replay_{number}"):
                go_to("grow", run=lane.id)
            if settings is not None:
                about = "Opens Grow with these settings; there 20 seeds are one click."
                if st.button(
                    f"20 seeds of {name}", icon=":material/grain:", key=f"race_seeds_{number}", help=about
                ):
                    go_to("grow", **settings.to_query())
            elif not grows(lane.spec.method):
                about = "Opens the Arena, where every method has runs with many seeds on the public split."
                if st.button(
                    f"Many runs of {name}", icon=":material/grain:", key=f"race_arena_{number}", help=about
                ):
                    go_to("arena")
