"""What is asked of an arena beside the data set: methods, runs, splits, budget. Seldom changed."""

import streamlit as st

from pgcn.data.catalogue import dataset_title
from pgcn.errors import PgcnError
from pgcn.studies.arena import contenders
from pgcn.studies.arena.tables import command
from pgcn.ui.arena.question import MOST_BUDGET, MOST_RUNS, MOST_SPLITS
from pgcn.ui.arena.session import ArenaSession
from pgcn.ui.arena.widgets import take
from pgcn.ui.graphs import graph_names
from pgcn.ui.presets import ABOUT_REPRODUCIBLE


def show_options(session: ArenaSession) -> None:
    """Draw what is seldom changed."""
    question = session.question
    with st.popover("More", icon=":material/tune:", key="arena_more"):
        try:
            names = graph_names()
        except PgcnError:
            names = [question.dataset]
        st.session_state["arena_other_dataset"] = question.dataset
        names = list(dict.fromkeys([*names, question.dataset]))
        how = {"key": "arena_other_dataset", "on_change": take_dataset, "args": (session,)}
        st.selectbox("Data set, also your own", names, format_func=dataset_title, **how)
        titles = {name: one.title for name, one in contenders().items()}
        st.session_state["arena_methods_shown"] = [one.name for one in question.chosen]
        how = {"key": "arena_methods_shown", "on_change": take_methods, "args": (session,)}
        st.multiselect("Methods", list(titles), format_func=titles.get, **how)
        number(session, "Runs of each", "runs", 1, MOST_RUNS, "Seeds of every method on every split.")
        st.session_state["arena_split"] = question.split
        how = {"key": "arena_split", "on_change": take, "args": (session, "split")}
        st.text_input(
            "Split", help="`public`, `random:20` (labelled nodes of each class) or `fraction:0.5`.", **how
        )
        if question.split != "public":
            number(session, "Splits", "splits", 1, MOST_SPLITS, "Random splits, the same for all methods.")
        about = "Empty: 100 on Cora, 30 on others. The paper's searches tried 1,000."
        number(session, "Architectures that a search tries", "budget", 1, MOST_BUDGET, about, placeholder="usual")
        st.session_state["arena_reproducible"] = question.reproducible
        how = {"key": "arena_reproducible", "on_change": take, "args": (session, "reproducible")}
        st.toggle("Reproducible", help=ABOUT_REPRODUCIBLE, **how)
        st.caption("The same in a terminal")
        st.code(command(question.arena, question.chosen), language=None, wrap_lines=True)


def number(
    session: ArenaSession, label: str, name: str, low: int, high: int, about: str, *, part: str = "arena", **how
) -> None:
    """Draw a whole number; an empty field is none. ``part`` of the page tells two fields for one value apart."""
    key = f"{part}_{name}"
    st.session_state[key] = getattr(session.question, name)
    st.number_input(
        label,
        low,
        high,
        step=1,
        help=about,
        key=key,
        on_change=lambda: session.choose(**{name: st.session_state.get(key)}),
        **how,
    )


def take_dataset(session: ArenaSession) -> None:
    session.choose(dataset=st.session_state["arena_other_dataset"])


def take_methods(session: ArenaSession) -> None:
    """Take the methods that are left; none at all is the usual ones."""
    session.choose(methods=",".join(st.session_state["arena_methods_shown"]) or "usual")
