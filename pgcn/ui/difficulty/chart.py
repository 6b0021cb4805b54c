"""The large chart of the Difficulty page under the finding it shows, and the choice of what it shows."""

from functools import partial

import streamlit as st

from pgcn.studies.difficulty import CONTENDERS, Place
from pgcn.studies.difficulty.results import Results
from pgcn.studies.difficulty.words import gaps, headline, headline_details
from pgcn.ui.components import plotly_live
from pgcn.ui.difficulty.question import RIVALS
from pgcn.ui.difficulty.session import DifficultySession
from pgcn.ui.difficulty.shown import View, fixed_text, line_through, on_data_set, runs_by_line, where_else
from pgcn.ui.graphs import graph_facts
from pgcn.ui.study.choices import choose
from pgcn.ui.text import plain, plain_title
from pgcn.views.difficulty import AXES, FEW, ROWS, line_figure
from pgcn.views.lead import heatmap_figure

HEIGHT = 430
SHORT_AXES = {"dims": "D'", "ratio": "labels per feature", "rate": "label rate"}
SHORT_ROWS = {"accuracy": "Accuracy", "difference": "Difference", "parameters": "Parameters"}


def show_headline(results: Results, view: View) -> None:
    """Draw the finding as a heading, and the numbers behind it."""
    features = graph_facts(view.place.dataset).features
    finding = headline(results, view.line, view.rival, view.axis, features) or "nothing to compare here yet"
    with st.container(key="study_finding"):
        st.markdown(f"### {plain_title(view.place.dataset)}: {plain(finding[0].lower() + finding[1:])}")
        details = headline_details(results, view.line, view.rival)
        st.caption(plain(details) or f"PGCN (CE) and {CONTENDERS[view.rival].label} have no experiment in common.")


def show_choices(session: DifficultySession, results: Results, view: View) -> None:
    """Draw what the chart shows: data set, row, axis, the method to compare with, where the other axis stands."""
    question, place = session.question, view.place
    axes = [axis for axis in AXES if axis != "rate" or len(question.rates) > 1]
    rivals = [name for name in RIVALS if name in results.methods] or [view.rival]
    datasets = {study.dataset: on_data_set(question, results, place, study.dataset) for study in question.studies}
    with st.container(horizontal=True, vertical_alignment="bottom", key="study_choices"):
        if len(datasets) > 1 and place.dataset in datasets:
            choose(session, "Data set", "at", {**datasets, place.dataset: place}, place.dataset, plain_title)
        choose(session, "Show", "show", ROWS, question.show, SHORT_ROWS.get)
        choose(session, "x-axis", "axis", axes, view.axis, SHORT_AXES.get)
        choose(session, "PGCN against", "rival", rivals, view.rival, lambda name: CONTENDERS[name].label)
        show_fixed(session, results, view)


def show_fixed(session: DifficultySession, results: Results, view: View) -> None:
    """Where there are several label rates, choose one; where these are the axis, choose D'."""
    question, place, axis = session.question, view.place, view.axis
    rate_is_axis = axis == "rate"
    options = sorted(question.dims_of(place.dataset) if rate_is_axis else question.rates)
    if len(options) < 2 or not view.line:
        return
    runs = runs_by_line(results, axis)

    def at(fixed: float) -> Place:
        dims, rate = (fixed, place.rate) if rate_is_axis else (place.dims, fixed)
        return question.place(place.dataset, dims, rate)

    def title(fixed: float) -> str:
        number = f"{fixed:,}" if rate_is_axis else f"{fixed:g} %"
        return number if runs[place.dataset, fixed] else f"{number} (no results)"

    label = "at D' =" if rate_is_axis else "labelled"
    now = line_through(view.line[0], axis)[1]
    slider = partial(st.select_slider, width=240)
    choose(session, label, "at", {fixed: at(fixed) for fixed in options}, now, title, "study_fixed", slider)


def show_chart(session: DifficultySession, results: Results, view: View) -> None:
    """Draw the line through a place; where nothing is known of it, say so and where something is."""
    question, known = session.question, set(results.places)
    shown = [place for place in view.line if place in known]
    if not shown:
        line = line_through(view.line[0] if view.line else view.place, view.axis)
        sentence = f"No results at {fixed_text(line[1], view.axis)} yet. {where_else(results, line, view.axis)}"
        st.info(plain(sentence), icon=":material/search:")
        return
    figure = line_figure(results, shown, question.show, view.axis, other=view.rival, chosen=view.place)
    about = f"{view.place.dataset} {question.show} {view.axis}"
    click(session, plotly_live(figure, key="study_chart", height=HEIGHT, about=about))
    cells = [cell for cell in results.cells.values() if cell.place in shown]
    few = min(cell.test.n for cell in cells) <= FEW
    drawn = "Small points are experiments, large marks their means" if few else "Bands are 95 % CIs of the means"
    hollow = "; hollow marks are recorded" * any(cell.recorded for cell in cells)
    st.caption(
        f"{drawn}{hollow}. Test accuracy is that of the network that validation "
        "chose. Click a point to see its runs, a name in the legend to show or hide a method."
    )
    missing = gaps(results, view.line, question.studies[0].methods, view.axis)
    if missing:
        st.caption("  \n".join(map(plain, missing)))


def show_heat_maps(session: DifficultySession, results: Results, view: View) -> None:
    """Where there are several label rates, draw the lead of PGCN over rate and D' on every data set."""
    if len({place.rate for place in results.places}) == 1 or view.rival not in results.methods:
        return
    rival = CONTENDERS[view.rival].label
    columns = st.columns(max(2, len(results.datasets)))  # one alone need not be as wide as the page
    for number, (column, dataset) in enumerate(zip(columns, results.datasets, strict=False)):
        with column:
            st.markdown(f"**{plain_title(dataset)}: PGCN (CE) minus {rival}**, points of test accuracy")
            figure = heatmap_figure(results, dataset, view.rival)
            click(session, plotly_live(figure, key=f"study_map_{number}", height=320))


def click(session: DifficultySession, mark: list | None) -> None:
    """Open the place whose mark was clicked."""
    if mark is not None:
        dataset, dims, rate, method = mark
        session.method = method
        session.question = session.question.change(at=session.question.place(dataset, dims, rate))
        st.rerun()
