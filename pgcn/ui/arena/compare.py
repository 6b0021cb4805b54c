"""Compare: accuracy against a cost, and the paper's tables; a click on a method shows its runs."""

import streamlit as st

from pgcn.methods.registry import grows
from pgcn.methods.search import PAPER_ARCHITECTURES
from pgcn.numbers import counted
from pgcn.studies.arena import DATASETS, Arena
from pgcn.studies.arena.contenders import ALL, budget_on
from pgcn.studies.arena.results import ArenaCell, ArenaResults, failures, no_test_nodes
from pgcn.studies.arena.tables import RECORDED
from pgcn.ui.arena.component import show_table
from pgcn.ui.arena.question import FIGURES, TABLES
from pgcn.ui.arena.session import ArenaSession
from pgcn.ui.arena.widgets import choice
from pgcn.ui.components import plotly_live
from pgcn.ui.data.known import portrait
from pgcn.ui.graphs import graph_source
from pgcn.ui.shell import go_to
from pgcn.ui.text import plain
from pgcn.views.arena.contenders import best_of_figure
from pgcn.views.arena.page import in_view, scatter
from pgcn.views.arena.table import run_values, table_values

HEIGHT = 440
ABOUT_RECORDED = f"{RECORDED} recorded: included with the program, computed on another machine."


def show_compare(session: ArenaSession, arena: Arena, results: ArenaResults) -> None:
    """Draw the figure and the table side by side."""
    show_no_test_nodes(arena, results)
    left, right = st.columns([0.52, 0.48], gap="medium")
    with left:
        clicked = show_figure(session, results)
    with right:
        cell = results.cell(arena.place, session.question.at) if session.question.at else None
        chosen = show_runs(session, results, cell) if cell else show_paper_table(session, arena, results)
    new = clicked[2] if clicked else chosen
    if new and new != session.question.at and new in ALL:
        session.choose(at=new)
        st.rerun()


def show_no_test_nodes(arena: Arena, results: ArenaResults) -> None:
    """Say, before anything is computed, that a graph of one's own has no test nodes, as far as that is known."""
    if arena.split != "public" or results.cells_at(arena.place):
        return
    found = portrait(graph_source(arena.dataset))
    if found is not None and not found["test"]:
        st.info(f"{plain(no_test_nodes(arena.dataset))} Choose it under More.")


def show_figure(session: ArenaSession, results: ArenaResults) -> list | None:
    """Draw accuracy against a cost, or the mean against the best of many; return the mark clicked."""
    question = session.question
    place = question.arena.place
    with st.container(horizontal=True, vertical_alignment="top", key="arena_above"):
        choice(session, "Accuracy against", "figure", FIGURES)
        if question.figure == "best":
            most = max((len(cell.outcomes) for cell in results.cells_at(place) if not cell.networks), default=1)
            if most > 1:
                st.session_state["arena_best_of"] = min(question.best_of, most)
                how = {"key": "arena_best_of", "on_change": choose_best_of, "args": (session,)}
                st.slider("Best of n runs, by validation", 1, most, width=260, **how)
    if question.figure == "best":
        height = 70 + 34 * max(3, len(results.cells_at(place)))
        figure = in_view(best_of_figure(results, place, question.best_of))
        clicked = plotly_live(figure, key="arena_best", height=height, about=question.dataset)
        st.caption(
            "From the mean over all runs (filled) to what is reported if only the best run by validation is "
            "(hollow). The paper reports the best of 900 for PGCN, the mean of 100 for GAT. Searches are not here: "
            "each chooses among many networks by itself."
        )
        return clicked
    figure = scatter(results, place, question.figure)
    about = f"{question.dataset} {question.figure}"
    clicked = plotly_live(figure, key="arena_scatter", height=HEIGHT, about=about)
    printed = question.dataset in DATASETS and question.split == "public"
    hollow = "hollow: as published; " if question.figure == "parameters" and printed else ""
    st.caption(f"Filled: measured, mean ± sd; {hollow}dotted: the Pareto front. Click a mark for its runs.")
    return clicked


def choose_best_of(session: ArenaSession) -> None:
    session.choose(best_of=st.session_state["arena_best_of"])


def show_paper_table(session: ArenaSession, arena: Arena, results: ArenaResults) -> str | None:
    """Draw a table of the paper; return the method chosen in it."""
    question = session.question
    choice(session, "Table of the paper", "table", TABLES)
    chosen = show_table(
        table_values(results, arena, question.table, question.at), key=f"arena_table_{question.table}"
    )
    recorded = any(cell.recorded for cell in results.cells_at(arena.place))
    tried = arena.budget or budget_on(arena.dataset)
    searches = f"Searches try {counted(tried, 'architecture')}, in the papers {PAPER_ARCHITECTURES:,}. "
    st.caption(
        "Point at a cell to see its n, seeds and protocol; the paper's own for PGCN, the best of 900 runs, is the "
        f"last view of this page. {searches if any(one.searches for one in arena.contenders) else ''}"
        f"{ABOUT_RECORDED if recorded else ''}"
    )
    for sentence in failures(results):
        st.caption(plain(sentence))
    return chosen


def show_runs(session: ArenaSession, results: ArenaResults, cell: ArenaCell) -> None:
    """Draw the runs of a method in place of the table, and where they can be opened."""
    question = session.question
    with st.container(horizontal=True, vertical_alignment="center"):
        how = {
            "icon": ":material/arrow_back:",
            "key": "arena_all",
            "on_click": session.choose,
            "kwargs": {"at": ""},
        }
        st.button("All methods", **how)
        st.markdown(f"**{plain(cell.title)}**: {cell.test.text()} % over {cell.over_text}")
    here = results.computed_here(cell.place, cell.contender)
    runs = (*here, *cell.outcomes) if cell.recorded else cell.outcomes
    run = next((one for one in runs if one.run == st.session_state.get("arena_run")), runs[0])
    if cell.recorded:
        own = f"{counted(len(here), 'run')} computed here, listed first, not in this mean. " if here else ""
        st.caption(f"{own}{ABOUT_RECORDED} Their networks are not included: train one to open it on other pages.")
    with st.container(horizontal=True, vertical_alignment="center", key="arena_run_links"):
        st.markdown(f"seed {run.seed}:")
        if not run.recorded:
            show_run_links(run.run, run.method)
        elif st.button("Train it here", icon=":material/play_arrow:", key="arena_train_it"):
            session.choose(view="train", train=cell.contender, seed=run.seed)
            st.rerun()
    values = run_values(runs, splits=question.splits, chosen=run.run)
    chosen = show_table(values, key="arena_run_table")
    if chosen and chosen != run.run:
        st.session_state["arena_run"] = chosen
        st.rerun()


def show_run_links(run: str, method: str) -> None:
    """Draw the buttons that open a stored run on other pages."""
    if st.button("Embedding", icon=":material/bubble_chart:", key="arena_to_embedding"):
        go_to("embedding", run=run)
    if grows(method) and st.button("Replay", icon=":material/hub:", key="arena_to_grow"):
        go_to("grow", run=run)
    if st.button("Runs", icon=":material/list:", key="arena_to_runs", help="Settings, exports, name and note."):
        go_to("runs", run=run)
