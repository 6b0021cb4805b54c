"""The runs behind one mark of the map, beside it: seeds of a point, or the steps of one path of growth."""

from dataclasses import replace
from functools import partial

import streamlit as st

from pgcn.engine.architecture import describe_topology
from pgcn.numbers import counted, percent
from pgcn.studies.landscape import Landscape, Point
from pgcn.studies.landscape.outcomes import LandscapeOutcome
from pgcn.studies.landscape.question import GCN, GROWN
from pgcn.studies.landscape.results import Cell, LandscapeResults
from pgcn.ui.grow.settings import Settings
from pgcn.ui.landscape.chart import HEIGHT
from pgcn.ui.landscape.jobs import run_landscape
from pgcn.ui.landscape.question import Chosen, at_text, read_at
from pgcn.ui.landscape.session import LandscapeSession
from pgcn.ui.shell import go_to
from pgcn.ui.study.choices import choose
from pgcn.ui.study.place import ABOUT_RECORDED, link_button, show_run_place
from pgcn.views.landscape.places import label_of


def chosen_of(session: LandscapeSession, results: LandscapeResults) -> Chosen:
    """Return what is looked at: what was chosen, else the best point."""
    chosen = session.question.chosen
    there = chosen in places_of(results)
    return chosen if there else results.best


def places_of(results: LandscapeResults) -> list[Chosen]:
    """Return what can be looked at: points, the GCN, paths of growth."""
    seeds = [(GROWN, one.seed) for one in results.grown.outcomes] if results.grown else []
    return [*results.landscape.points, *([(GCN, 0)] if results.gcn else []), *seeds]


def title_of(results: LandscapeResults, chosen: Chosen) -> str:
    if isinstance(chosen, Point):
        return f"{label_of(chosen)}{' (best by validation)' * (chosen == results.best)}"
    kind, seed = chosen
    return "GCN" if kind == GCN else f"growth, seed {seed}"


def show_place(
    session: LandscapeSession, results: LandscapeResults, own: list[LandscapeOutcome], chosen: Chosen
) -> None:
    """Draw what is looked at beside the map, under a choice of something else."""
    options = {at_text(place): place for place in places_of(results)}
    stored = {one.run for one in own}
    with st.container(border=True, height=HEIGHT + 56, key="study_place"):
        names = {text: title_of(results, place) for text, place in options.items()}
        now = at_text(chosen) or next(iter(options))
        choose(session, "Look at", "at", list(options), now, names.get, "landscape_at", st.selectbox)
        place = read_at(now)
        if isinstance(place, Point):
            show_point(session, results, place, stored)
        elif place[0] == GCN:
            st.caption("Kipf & Welling's GCN: 16 hidden neurons, a propagating readout, early stopping.")
            show_runs(session, results.gcn, stored, results)
        else:
            [run] = [one for one in results.grown.outcomes if one.seed == place[1]]
            show_path(session, results, run, stored)


def show_point(session: LandscapeSession, results: LandscapeResults, point: Point, stored: set[str]) -> None:
    cell = results.cells.get(point)
    neurons = counted(point.depth * point.width, "neuron")
    st.caption(f"{results.landscape.parameters(point.topology):,} parameters, {neurons}.")
    if cell is not None:
        show_runs(session, cell, stored, results)
    grid = results.landscape
    here = replace(grid, widths=(point.width,), depths=(point.depth,), paths=0)
    missing = sum(task.id not in stored for task in here.tasks())
    if missing:
        show_run_button(session, here, missing)


def show_run_button(session: LandscapeSession, here: Landscape, missing: int) -> None:
    """Offer to run what is missing of one point: then its runs can be opened."""
    about = "Their networks are saved: each can be opened, exported and embedded."
    run = partial(run_landscape, session, here)
    show_run_place(session, f"Run {counted(missing, 'seed')} of this point", run, about)


def show_runs(session: LandscapeSession, cell: Cell, stored: set[str], results: LandscapeResults) -> None:
    """List the runs of a place; those that are stored can be opened."""
    source = "recorded" if cell.recorded else "computed here"
    test = f", test {cell.test.text()} %" if results.has_test else ""
    st.markdown(f"**Validation {cell.val.text()} %{test}**, {source}")
    for one in cell.outcomes:
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            reached = f", test {percent(one.test_accuracy)}" if results.has_test else ""
            st.markdown(f"Seed {one.seed}: {percent(one.val_accuracy)}{reached}", width="content")
            show_links(session, one, results, is_stored=one.run in stored)


def show_path(
    session: LandscapeSession, results: LandscapeResults, run: LandscapeOutcome, stored: set[str]
) -> None:
    """Draw the steps of one path of growth, and the buttons that open it."""
    facts = results.landscape.facts
    st.caption(describe_topology(facts.features, run.topology, facts.classes))
    test = f", test {percent(run.test_accuracy)}" if results.has_test else ""
    st.markdown(f"**Validation {percent(run.val_accuracy)}{test}**, {run.parameters:,} parameters")
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        show_links(session, run, results, is_stored=run.run in stored)
    lines = []
    for step in run.steps:
        mark = ":material/check:" if step.accepted else ":material/close:"
        word = "accepted" if step.accepted else "rejected"
        topology = "-".join(map(str, step.topology))
        lines.append(f"{mark} {topology} {word}: {percent(step.val_accuracy)}")
    st.markdown("  \n".join(lines))
    st.caption("Validation accuracy of every candidate. Blocks of a layer rejected later count as rejected.")


def show_links(
    session: LandscapeSession, one: LandscapeOutcome, results: LandscapeResults, *, is_stored: bool
) -> None:
    """Draw the buttons that open a run on other pages."""
    if is_stored and one.kind == GROWN:
        if link_button("Replay", "hub", one.run, "open", "Opens it in Grow."):
            go_to("grow", run=one.run)
    elif is_stored:  # nothing grows in it
        if link_button("Open", "list", one.run, "open", "Opens it in Runs."):
            go_to("runs", run=one.run)
    elif one.kind == GROWN and link_button("Grow it here", "eco", one.run, "grow", ABOUT_RECORDED):
        go_to("grow", **settings_of(session, one.seed).to_query())


def settings_of(session: LandscapeSession, seed: int) -> Settings:
    """Return the settings with which Grow grows the same network as a recorded run."""
    question = session.question
    return Settings(
        dataset=question.dataset,
        split=question.split,
        data_seed=question.data_seed,
        dims=question.dims,
        preset=question.preset,
        changes=question.changes,
        seed=seed,
        reproducible=True,
    )
