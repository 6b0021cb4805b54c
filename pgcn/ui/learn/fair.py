"""How to compare methods fairly, on the numbers of the Arena page."""

import inspect
from dataclasses import dataclass

import streamlit as st

from pgcn.errors import PgcnError
from pgcn.studies.arena import ArenaPlace
from pgcn.studies.arena.results import ArenaResults
from pgcn.ui.arena.numbers import results_of
from pgcn.ui.arena.question import Question
from pgcn.ui.components import plotly_live
from pgcn.ui.learn.breaks import option_of_link
from pgcn.ui.learn.layout import lesson_columns
from pgcn.ui.shell import go_to, show_error
from pgcn.ui.text import plain
from pgcn.views.fair import STEPS


@dataclass(frozen=True, kw_only=True)
class Rule:
    """One rule: ``about`` says why, the figure and the sentence are those of :data:`pgcn.views.fair.STEPS`."""

    short: str
    title: str
    about: str


RULES = {
    "seeds": Rule(
        short="1 Many seeds",
        title="One run is not enough",
        about="""
        The same method with another seed gives another number. So train every method many times, on the same
        splits, and report mean, sd and n. Each mark is a run.
        """,
    ),
    "choosing": Rule(
        short="2 One protocol",
        title="Mean, or the best of many?",
        about="""
        Some papers print the mean of 100 runs, others the test accuracy of the best of 900 by validation. Both may
        be honest; side by side in one table they are not comparable. From the mean (filled) to the best (hollow):
        """,
    ),
    "pairs": Rule(
        short="3 In pairs",
        title="Is the difference more than chance?",
        about="""
        Two methods that met the same splits and seeds are compared pair by pair. The interval of the mean
        difference says how sure it is; where it holds 0, chance alone could have done it.
        """,
    ),
    "cost": Rule(
        short="4 At what cost",
        title="Better, or just larger?",
        about="""
        A method that searches a thousand architectures has had a thousand tries. Show parameters, seconds and
        the budget beside the accuracy, and choose by validation alone: test nodes are looked at once, at the end.
        """,
    ),
}
HEIGHT = 430


def show_fair() -> None:
    name = option_of_link("rule", list(RULES))
    rule = RULES[name]
    question = Question()
    words, figure = lesson_columns()
    try:
        results = results_of(question.arena)
    except PgcnError as error:
        show_error(str(error))
        results = ArenaResults(())
    place = question.arena.place
    with words:
        st.container(key="lesson_lead").markdown(f"#### {rule.title}")
        st.markdown(inspect.cleandoc(rule.about))
        if results.cells:
            st.markdown(f"**Measured.** {plain(STEPS[name][1](results, place))}")
    with figure:
        with st.container(key="lesson_controls"):
            choose_rule(name)
        show_measured(name, results, place)


def show_measured(name: str, results: ArenaResults, place: ArenaPlace) -> None:
    """Draw the figure of a rule, where there is anything to draw."""
    if not results.cells:
        st.info("Nothing has been recorded or computed on Cora yet.", icon=":material/inbox:")
    else:
        plotly_live(STEPS[name][0](results, place), key=f"fair_{name}", height=HEIGHT, about=name)
        recorded = sum(outcome.recorded for cell in results.cells_at(place) for outcome in cell.outcomes)
        total = sum(len(cell.outcomes) for cell in results.cells_at(place))
        runs = f"{total:,} recorded runs" if recorded == total else f"{total:,} runs, {recorded:,} of them recorded"
        st.caption(f"Numbers: Cora, public split, {runs}; the same as on the Arena page.")
    if st.button("Open the Arena", icon=":material/arrow_forward:", key="fair_arena"):
        go_to("arena", view="pair" if name == "pairs" else "compare")


def choose_rule(name: str) -> None:
    """Draw the choice of a rule, whose value is in the address."""

    def picked() -> None:
        if chosen := st.session_state["learn_rule"]:
            st.query_params.from_dict({"stop": "fair", "rule": chosen})

    st.session_state["learn_rule"] = name
    how = {"format_func": lambda key: RULES[key].short, "label_visibility": "collapsed"}
    st.segmented_control("Rule", list(RULES), key="learn_rule", on_change=picked, required=True, **how)
