"""The map of the Landscape page under the finding it shows, and the choice of what it shows."""

from functools import partial

import streamlit as st

from pgcn.data.catalogue import dataset_title
from pgcn.studies.landscape import Point
from pgcn.studies.landscape.results import LandscapeResults
from pgcn.studies.landscape.words import findings, headline
from pgcn.ui.components import plotly_live
from pgcn.ui.landscape.question import Chosen, at_text
from pgcn.ui.landscape.session import LandscapeSession
from pgcn.ui.study.choices import SEGMENTS, choose
from pgcn.ui.text import plain
from pgcn.views.landscape.figure import MEASURES, landscape_figure

HEIGHT = 450
SHORT_MEASURES = {"val": "Validation accuracy", "test": "Test accuracy"}


def show_headline(results: LandscapeResults) -> None:
    """Draw the finding as a heading, and the numbers behind it."""
    found = headline(results) or "no growth run to compare with a fixed topology yet"
    title = dataset_title(results.landscape.source.name)
    with st.container(key="study_finding"):
        st.markdown(f"### {plain(title)}: {plain(found[0].lower() + found[1:])}")


def show_findings(results: LandscapeResults) -> None:
    """Draw what the map shows in sentences."""
    st.markdown("\n".join(f"- {plain(sentence)}" for sentence in findings(results)))


def show_map(session: LandscapeSession, results: LandscapeResults, chosen: Chosen) -> None:
    """Draw the choices and the map; a click opens the runs behind a mark."""
    question = session.question
    with st.container(horizontal=True, vertical_alignment="center", key="landscape_choices"):
        if results.has_test:
            choose(
                session,
                "Mean accuracy",
                "show",
                list(MEASURES),
                question.show,
                SHORT_MEASURES.get,
                "landscape_show",
                partial(SEGMENTS, label_visibility="collapsed"),
            )
        how = {"key": "landscape_rejected", "on_change": take_rejected, "args": (session,)}
        st.session_state["landscape_rejected"] = question.rejected
        st.toggle("Rejected candidates", **how)
    measure = question.show if results.has_test else "val"
    figure = landscape_figure(results, measure, rejected=question.rejected, chosen=chosen)
    about = f"{results.landscape.source} {results.landscape.widths} {results.landscape.depths}"
    click(session, plotly_live(figure, key="landscape_map", height=HEIGHT, about=about))
    st.caption(
        f"Numbers: mean {MEASURES[measure]} in %; the colour scale ends 15 points below the best. A grown topology "
        "is drawn at its depth, and at the width at which equal layers have as many parameters; paths are moved a "
        "little to lie side by side. Click a point or a path to see its runs, a name in the legend to hide it."
    )


def take_rejected(session: LandscapeSession) -> None:
    session.question = session.question.change(rejected=st.session_state["landscape_rejected"])


def click(session: LandscapeSession, mark: list | None) -> None:
    """Open the place whose mark was clicked."""
    if mark is None:
        return
    first, second = mark
    chosen = (first, int(second)) if isinstance(first, str) else Point(int(first), int(second))
    session.question = session.question.change(at=at_text(chosen))
    st.rerun()
