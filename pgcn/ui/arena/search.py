"""Watch a search: what it tries, how soon it finds something good, and what its controller prefers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import streamlit as st

from pgcn.data.catalogue import dataset_title
from pgcn.events import Event, opening
from pgcn.methods.registry import grows, method_title
from pgcn.recorded import RIVALS as RECORDED_RIVALS
from pgcn.recorded import SEARCH, recorded_search
from pgcn.studies.arena.contenders import ALL, contenders
from pgcn.ui.arena.component import show_architecture, show_preferences
from pgcn.ui.arena.question import CLOCKS
from pgcn.ui.arena.session import ArenaSession
from pgcn.ui.arena.widgets import choice
from pgcn.ui.components import plotly_live
from pgcn.ui.server import store
from pgcn.ui.stored_runs import is_of_another, run_name, stored_events
from pgcn.ui.text import plain, plain_title
from pgcn.views.arena.styles import style_of
from pgcn.views.search import Curve, Search, budget_words, clock_figure, curve_of, search_of, tried_figure
from pgcn.views.search_choices import architecture_values, preference_rows, preference_sentence

if TYPE_CHECKING:
    from pgcn.store import StoredRun

SEARCHES = tuple(dict.fromkeys(one.method for one in ALL.values() if one.searches))
HEIGHT = 330
RIVALS = {"random": ("random", "dash"), "pgcn": ("pgcn-tuned-ce", "dot")}
"""What a search is measured against, with the contender whose colour it has and the dash of its line."""


@dataclass(frozen=True, kw_only=True)
class Stored:
    """The runs on a data set that can be watched, and those they are measured against."""

    searches: "dict[str, StoredRun]"
    rivals: "dict[str, StoredRun]"


def show_search(session: ArenaSession) -> None:
    """Draw the choice of a search, and the search."""
    question = session.question
    known = stored_searches(session)
    if question.run and question.run not in known.searches:
        st.warning(
            "The link names a search that is not stored here on this data set.", icon=":material/search_off:"
        )
    if not known.searches:
        show_recorded(session)
        show_nothing(session)
        return
    run = known.searches.get(question.run) or next(iter(known.searches.values()))
    events = stored_events(run)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.session_state["arena_watched"] = run.id
        names = {one.id: f"{name_of(one)} · {one.id[:8]}" for one in known.searches.values()}
        how = {"key": "arena_watched", "on_change": watch, "args": (session,), "width": 420}
        st.selectbox("Search", list(names), format_func=names.get, **how)
        show_trials(session, search_of(events).tried)
    rivals = {name: one for name, one in known.rivals.items() if one.id != run.id}
    show_search_views(session, events, rivals=rival_events(rivals), upto=question.trial, key="arena_search")


def show_trials(session: ArenaSession, tried: int) -> None:
    """Draw the slider over what a search has tried."""
    if tried > 1:
        st.session_state["arena_trial"] = min(session.question.trial or tried, tried)
        how = {"key": "arena_trial", "on_change": scrub, "args": (session, tried), "width": 320}
        st.slider("Up to architecture", 1, tried, **how)


def show_recorded(session: ArenaSession) -> None:
    """Draw the search that came with the program, where it is of this data set."""
    events = recorded_search_events()
    if not events or opening(events).dataset != session.question.dataset:
        return
    with st.container(horizontal=True, vertical_alignment="bottom"):
        show_trials(session, search_of(events).tried)
        st.caption(
            ":material/inventory_2: Recorded: came with the program, computed on another machine. Its seconds are "
            "of a busy one, random search's most of all: compare by architectures."
        )
    rivals = {name: one for name, file in RECORDED_RIVALS.items() if (one := recorded_search_events(file))}
    show_search_views(session, events, rivals=rivals, upto=session.question.trial, key="arena_recorded_search")


@st.cache_data(show_spinner=False)
def recorded_search_events(file: str = SEARCH) -> list[Event]:
    return recorded_search(file)


def rival_events(rivals: "dict[str, StoredRun]") -> dict[str, Sequence[Event]]:
    return {name: stored_events(run) for name, run in rivals.items()}


def watch(session: ArenaSession) -> None:
    session.choose(run=st.session_state["arena_watched"], trial=None)


def scrub(session: ArenaSession, tried: int) -> None:
    at = st.session_state["arena_trial"]
    session.choose(trial=None if at == tried else at)


def show_nothing(session: ArenaSession) -> None:
    """Say that there is no search to watch, and offer one."""
    where = plain_title(session.question.dataset)
    names = [name for name in contenders() if ALL[name].searches]
    if not names:
        st.info("No search is among the methods of this program.", icon=":material/search_off:")
        return
    with st.container(horizontal=True, vertical_alignment="center", key="arena_begin"):
        st.markdown(f"No search has been run here on {where} yet. Try:", width="content")
        for name in names:
            ask = {"view": "train", "train": name, "seed": None, "budget": session.question.budget or 10}
            st.button(
                ALL[name].title,
                key=f"arena_begin_{name}",
                icon=":material/arrow_forward:",
                on_click=session.choose,
                kwargs=ask,
                help="Opens Train one, where it can be started.",
            )


def stored_searches(session: ArenaSession) -> Stored:
    """Return the searches on the data set, the newest first, and of each rival the longest run."""
    name = session.question.dataset

    def shown(runs: "list[StoredRun]") -> "list[StoredRun]":
        return [run for run in runs if run.status != "damaged" and is_shown(session, run)]

    searching = [run for run in shown(store().runs(methods=SEARCHES)) if run.dataset == name]
    searches = {run.id: run for run in searching if run.step is not None or run.here}
    rivals: dict[str, StoredRun] = {}
    for run in shown(store().runs(methods=tuple(RIVALS), batch=session.question.arena.batch)):
        if run.status == "finished":
            rivals[run.method] = max(
                rivals.get(run.method, run), run, key=lambda one: ("tuned" in one.name, one.seconds)
            )
    return Stored(searches=searches, rivals=rivals)


def is_shown(session: ArenaSession, run: "StoredRun") -> bool:
    """Return whether this visitor may see a run: those of others appear when they have ended."""
    return run.id == session.training.run or not (run.here or is_of_another(run))


def name_of(run: "StoredRun") -> str:
    running = ", running" if run.status == "running" else ""
    return f"{run_name(run)}{running}"


def show_search_views(
    session: ArenaSession,
    events: Sequence[Event],
    *,
    rivals: Mapping[str, Sequence[Event]] | None = None,
    upto: int | None = None,
    key: str,
) -> None:
    """Draw a search: what was tried, the best so far on the clock, the best architecture, the preferences."""
    search = search_of(events, upto)
    st.markdown(f"**{plain(progress_words(search))}**")
    left, right = st.columns(2, gap="medium")
    with left:
        plotly_live(tried_figure(search), key=f"{key}_tried", height=HEIGHT, about=key)
        st.caption("Every mark an architecture, by order of trial; ringed: the best so far, the thick ring now.")
    with right:
        if rivals is None:
            rivals = rival_events(stored_searches(session).rivals)
        show_clock(session, events, search, rivals, upto, key)
    best = search.best
    show_best(search, best, key)
    rows = preference_rows(search)
    if rows:
        st.markdown(f"**What the controller prefers.** {plain(preference_sentence(rows, search))}")
        show_preferences({"rows": rows}, key=f"{key}_preferences")
    elif search.started.method == "random":
        st.caption("Random search has no preferences: all architectures are equally likely.")


def progress_words(search: Search) -> str:
    """Say how far a search is and what it has found."""
    words = (
        f"{method_title(search.started.method)} on {dataset_title(search.started.dataset)}: {budget_words(search)}"
    )
    if search.best:
        words += f". Best so far: {100 * search.best.val_accuracy:.1f} % validation, trial {search.best.number}"
    if search.finals:
        reached = [100 * event.scores.test_accuracy for event in search.finals if event.scores]
        mean = f", {sum(reached) / len(reached):.1f} % test on average" if reached else ""
        words += f". {len(search.finals)} of {search.finals[0].count} retrained{mean}"
    return words


def show_clock(
    session: ArenaSession,
    events: Sequence[Event],
    search: Search,
    rivals: Mapping[str, Sequence[Event]],
    upto: int | None,
    key: str,
) -> None:
    """Draw the best so far of the search, of random search and of PGCN's growth on the same clock."""
    own = next((one.name for one in ALL.values() if one.method == search.started.method), "")
    title = f"{method_title(search.started.method)}, {len(search.judged)} tried"
    curves: dict[str, tuple[Curve, str, str]] = {title: (curve_of(events, upto), style_of(own)[0], "solid")}
    for name, rival in rivals.items():
        contender, dash = RIVALS[name]
        curve, what = curve_of(rival), "blocks" if grows(name) else "tried"
        curves[f"{method_title(name)}, {curve.trials} {what}"] = (curve, style_of(contender)[0], dash)
    figure = clock_figure(curves, session.question.clock)
    plotly_live(figure, key=f"{key}_clock", height=HEIGHT, about=f"{key} {session.question.clock}")
    choice(session, "Clock", "clock", CLOCKS, label_visibility="collapsed")


def show_best(search: Search, best, key: str) -> None:
    """Draw the best architecture so far."""
    if best is None:
        st.caption("No architecture has been evaluated yet.")
        return
    st.markdown(f"**The best so far**: {best.parameters:,} parameters, {plain(best.text)}")
    show_architecture(architecture_values(search, best), key=f"{key}_network")
