"""The runs of one place of the study, beside the chart: every experiment with the topology it found."""

import math
from functools import partial

import streamlit as st

from pgcn.engine.architecture import describe_topology
from pgcn.numbers import counted
from pgcn.studies.difficulty import CONTENDERS, Place, Study
from pgcn.studies.difficulty.estimate import seconds_left
from pgcn.studies.difficulty.results import Cell, Outcome, Results
from pgcn.studies.timing import in_words
from pgcn.ui.difficulty.chart import HEIGHT
from pgcn.ui.difficulty.jobs import run_studies
from pgcn.ui.difficulty.known import known_results
from pgcn.ui.difficulty.session import DifficultySession
from pgcn.ui.graphs import graph_facts
from pgcn.ui.grow.settings import Settings
from pgcn.ui.race.settings import Race
from pgcn.ui.shell import go_to
from pgcn.ui.study.choices import choose
from pgcn.ui.study.jobs import WORKERS
from pgcn.ui.study.place import ABOUT_RECORDED, link_button, show_run_place

STEPS = (1, 1.5, 2, 3, 4, 5, 6, 8)
"""Where the slider stops in every power of ten."""


def slider_stops(dataset: str, dims: tuple[int, ...]) -> list[int]:
    """Return numbers of dimensions on a logarithmic scale, with those of the study among them."""
    most = graph_facts(dataset).features
    powers = range(1, math.floor(math.log10(most)) + 1)
    stops = {2, 3, 4, 5, 6, 8, *(round(step * 10**power) for power in powers for step in STEPS), *dims, most}
    return sorted(stop for stop in stops if stop <= most)


def show_place(session: DifficultySession, place: Place) -> None:
    """Draw the runs of a place beside the chart, under a slider that moves to another D'."""
    question = session.question
    with st.container(border=True, height=HEIGHT, key="study_place"):
        ratio = f"{place.labels_per_dimension:.3g} labels per feature"
        st.markdown(f"**D' = {place.dims:,}**, {place.rate:g} % labelled: {ratio}")
        show_slider(session, place)
        study = question.study(place.dataset, (place.dims,), (place.rate,))
        own, here = known_results([study])
        show_run_button(session, study, here, own)
        show_race_button(session, study)
        stored = {outcome.run for outcome in own}
        for method in sorted(here.methods, key=lambda name: name != session.method):
            show_runs(session, here.cell(place, method), stored)


def show_slider(session: DifficultySession, place: Place) -> None:
    """Draw the slider for D': a place that is not of the question can be looked at, and run, too."""
    question = session.question
    stops = slider_stops(place.dataset, (*question.dims_of(place.dataset), place.dims))
    at = {dims: question.place(place.dataset, dims, place.rate) for dims in stops}
    slider = partial(st.select_slider, help="Known results are shown at once, others can be run.")
    choose(session, "Another D'", "at", at, place.dims, "{:,}".format, "study_dims", slider)


def show_run_button(session: DifficultySession, study: Study, here: Results, own: list[Outcome]) -> None:
    """Where results are missing, offer to run them."""
    tasks = study.tasks()
    missing = len(tasks) - len(here.shown) - len(here.failed)
    if not missing:
        return
    left = seconds_left(tasks, own, WORKERS)
    takes = f": {in_words(left)}" if left else ""
    st.markdown(f"{missing:,} of {counted(len(tasks), 'run')} missing here{takes}.")
    show_run_place(session, f"Run D' = {study.dims[0]:,}", partial(run_studies, session, [study]))


def show_race_button(session: DifficultySession, study: Study) -> None:
    """Offer to watch PGCN and the method it is compared with side by side, in the first experiment of a place."""
    rival = session.question.rival if CONTENDERS[session.question.rival].match is None else "gcn"
    first = {task.contender: task for task in reversed(study.tasks()) if task.contender in ("pgcn-ce", rival)}
    specs = [first[name].spec() for name in ("pgcn-ce", rival) if name in first]
    about = "Opens both runs of the first experiment side by side on one clock; nothing starts by itself."
    how = {"icon": ":material/sports_score:", "key": "study_race", "help": about}
    if len(specs) == 2 and st.button("Race these two", **how):
        go_to("race", **Race.of(specs).to_query())


def show_runs(session: DifficultySession, cell: Cell, stored: set[str]) -> None:
    """List the runs of one method with their topologies; those that grew can be opened."""
    source = "recorded" if cell.recorded else "computed here"
    st.markdown(f"**{CONTENDERS[cell.method].label}** {cell.test.text()} %, {source}")
    classes = graph_facts(cell.place.dataset).classes
    lines = []
    for outcome in cell.outcomes:
        topology = describe_topology(cell.place.dims, outcome.topology, classes)
        reached = f"Experiment {outcome.experiment}: {100 * outcome.test_accuracy:.1f} %"
        if CONTENDERS[outcome.method].grows:
            with st.container(horizontal=True, vertical_alignment="center", gap="small"):
                st.markdown(reached, width="content")
                show_links(session, outcome, is_stored=outcome.run in stored)
            st.caption(topology)
        else:
            lines.append(f"{reached} :small[{topology}]")
    if lines:
        st.markdown("  \n".join(lines))


def show_links(session: DifficultySession, outcome: Outcome, *, is_stored: bool) -> None:
    """Draw the buttons that open a run on other pages."""
    if not is_stored:
        if link_button("Grow it here", "eco", outcome.run, "grow", ABOUT_RECORDED):
            go_to("grow", **settings_of_outcome(session, outcome).to_query())
        return
    if link_button("Replay", "hub", outcome.run, "open", "Opens it in Grow."):
        go_to("grow", run=outcome.run)
    about = "Opens the t-SNE of its logits beside that of a GCN on the same graph."
    if link_button("Embedding", "bubble_chart", outcome.run, "embedding", about):
        go_to("embedding", run=outcome.run, gcn="yes")


def settings_of_outcome(session: DifficultySession, outcome: Outcome) -> Settings:
    """Return the settings with which Grow makes the same network."""
    growth = session.question.config.change(loss="mse" if outcome.method == "pgcn-mse" else "ce")
    return Settings.nearest(
        config={name: value for name, value in growth.to_dict().items() if name != "seed"},
        dataset=outcome.dataset,
        split=f"fraction:{outcome.rate / 100:.6g}",
        data_seed=outcome.experiment,
        dims=outcome.dims,
        seed=outcome.experiment,
        reproducible=outcome.recorded or session.question.reproducible,
    )
