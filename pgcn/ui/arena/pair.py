"""Two methods over the same splits and seeds: how much one leads, whether chance could do that, and where."""

import streamlit as st

from pgcn.studies.arena import Arena
from pgcn.studies.arena.disagreements import Disagreements
from pgcn.studies.arena.paired import Paired, verdict
from pgcn.studies.arena.results import ArenaResults
from pgcn.ui.access import why_not_start
from pgcn.ui.arena.jobs import compare_nodes, take_disagreements
from pgcn.ui.arena.session import ArenaSession
from pgcn.ui.arena.widgets import selection
from pgcn.ui.components import plotly_live
from pgcn.ui.session import is_running
from pgcn.ui.shell import go_to, show_error
from pgcn.ui.text import plain
from pgcn.views.arena.contenders import paired_figure
from pgcn.views.arena.page import in_view
from pgcn.views.arena.pairs import disagreement_figure, pairs_figure, place_of


def show_pair(session: ArenaSession, arena: Arena, results: ArenaResults) -> None:
    """Draw the choice of two methods, what their pairs show, and everybody against the second."""
    question = session.question
    titles = {one.name: one.title for one in arena.contenders}
    left, right = st.columns([0.5, 0.5], gap="medium")
    with left:
        first, second = st.columns(2)
        with first:
            selection(session, "Method", "one", titles)
        with second:
            selection(session, "against", "other", titles)
        paired = (
            results.paired(arena.place, question.one, question.other) if question.one != question.other else None
        )
        if question.one == question.other:
            st.info("Choose two different methods.", icon=":material/compare_arrows:")
        elif paired is None:
            st.info(
                f"{plain(titles[question.one])} and {plain(titles[question.other])} have no seed in common yet: "
                "compute what is missing under Compare.",
                icon=":material/compare_arrows:",
            )
        else:
            show_verdict(session, results, paired, titles)
    with right:
        st.markdown(f"**Every method minus {plain(titles[question.other])}**, 95 % CI")
        figure = in_view(paired_figure(results, arena.place, question.other))
        figure["layout"]["xaxis"]["title"] = {"text": "Points of test accuracy"}
        height = 70 + 32 * max(3, len(figure["data"]))
        clicked = plotly_live(
            figure, key="arena_against", height=height, about=f"{question.dataset} {question.other}"
        )
        if clicked and clicked[2] != question.one:
            session.choose(one=clicked[2])
            st.rerun()


def show_verdict(session: ArenaSession, results: ArenaResults, paired: Paired, titles: dict[str, str]) -> None:
    """Say what the pairs show, draw each of them, and offer to look at the nodes of one."""
    question = session.question
    one, other = titles[question.one], titles[question.other]
    recorded = " All of it recorded." if paired.recorded else ""
    st.markdown(f"**{plain(verdict(paired, one, other))}**{recorded}")
    number = min(question.pair, len(paired.pairs) - 1)
    figure = pairs_figure(paired, question.one, question.other, number)
    about = f"{question.dataset} {question.one} {question.other}"
    clicked = plotly_live(figure, key="arena_pairs", height=260, about=about)
    st.caption(f"▲ {plain(one)} won, ▼ lost, ○ tied; line and shading: the mean and its 95 % CI. Click a pair.")
    if clicked and clicked[0] != number:
        session.choose(pair=clicked[0])
        st.rerun()
    show_disagreements(session, results, paired, number, (one, other))


def show_disagreements(
    session: ArenaSession, results: ArenaResults, paired: Paired, number: int, titles: tuple[str, str]
) -> None:
    """Draw the nodes that one network of a pair gets right and the other wrong, or offer to find them."""
    question, seeds = session.question, (paired.pairs[number].split_seed, paired.pairs[number].seed)
    computed = results.pairs(question.arena.place, question.one, question.other, recorded=False)
    pair = next((one for one in computed if (one.split_seed, one.seed) == seeds), None)
    st.markdown(f"**Where they disagree**, seed {place_of(paired, number)}, test nodes")
    if pair is None:
        st.caption("Recorded runs come without their networks: compute these two here to see it.")
        return
    job = session.comparing.current_job()
    if job is not None and job.ended:
        take_disagreements(session, job)
    found = session.disagreements.get((pair.run, pair.other))
    if found is not None:
        show_nodes(session, found, titles)
        return
    if job is not None and job.error:
        show_error(job.error)
    why, running = why_not_start(), is_running(job)
    click = {"on_click": compare_nodes, "args": (session, pair.run, pair.other)}
    st.button(
        "Comparing…" if running else "Find these nodes",
        icon=":material/search:",
        key="arena_nodes",
        disabled=bool(why) or running,
        help=why or "Runs both networks on every node; takes a few seconds.",
        **click,
    )


def show_nodes(session: ArenaSession, found: Disagreements, titles: tuple[str, str]) -> None:
    """Draw how many nodes there are of each kind, and the choice of one to open in the Embedding page."""
    question = session.question
    figure = disagreement_figure(found, question.one, question.other, titles)
    plotly_live(figure, key="arena_nodes_bar", height=130)
    sides = dict.fromkeys(found.only_one, titles[0]) | dict.fromkeys(found.only_other, titles[1])
    if not sides:
        st.caption("They agree on every test node.")
        return
    with st.container(horizontal=True, vertical_alignment="bottom"):
        node = st.selectbox(
            f"Node ({len(sides)})",
            list(sides),
            format_func=lambda node: f"{node}: correct only with {sides[node]}",
            key="arena_node",
            width=320,
        )
        for run, title, key in ((found.one, titles[0], "one"), (found.other, titles[1], "other")):
            how = {
                "icon": ":material/bubble_chart:",
                "key": f"arena_node_{key}",
                "help": "Opens its embedding there.",
            }
            if st.button(plain(title), **how):
                go_to("embedding", run=run, node=str(node), colour="right")
