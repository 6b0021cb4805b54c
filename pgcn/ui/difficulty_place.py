"""One place of the study seen closely: the slider for D', what each method reached, the topologies found."""

import math

import streamlit as st

from pgcn.data.sources import STATISTICS, TITLES
from pgcn.engine.architecture import describe_topology
from pgcn.studies.difficulty import METHODS, Place, Study
from pgcn.studies.estimate import in_words, seconds_left
from pgcn.studies.results import Cell, Outcome, Results, cell_row, finding, origins, stored_outcomes
from pgcn.ui.difficulty_session import WORKERS, Inquiry, run_studies
from pgcn.ui.recorded import recorded_for
from pgcn.ui.server import store
from pgcn.ui.settings import Settings
from pgcn.ui.shell import go_to

STEPS = (1, 1.5, 2, 3, 4, 5, 6, 8)
"""What the slider stops at in every power of ten."""


SHOWN = (
    "method",
    "test (%)",
    "95 % CI",
    "to GCN (points)",
    "validation (%)",
    "parameters",
    "seconds",
    "n",
    "computed",
)


def slider_stops(dataset: str, asked: tuple[int, ...]) -> list[int]:
    """Return numbers of dimensions evenly on a logarithmic scale, with those of the study among them."""
    most = STATISTICS[dataset][2]
    powers = range(1, math.floor(math.log10(most)) + 1)
    stops = {2, 3, 4, 5, 6, 8, *(round(step * 10**power) for power in powers for step in STEPS), *asked, most}
    return sorted(stop for stop in stops if stop <= most)


def show_place(session: Inquiry, results: Results) -> None:
    """Draw the slider for D' and what is known where it stands."""
    asked = session.asked
    place = asked.at or next((place for place in results.places), None)
    if place is None or place.dataset not in asked.datasets:
        return
    st.markdown("#### One place, seen closely")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        stops = slider_stops(place.dataset, (*asked.dims_of(place.dataset), place.dims))
        key = f"study_at_{place.dataset}_{place.dims}"
        dims = st.select_slider(
            f"D' for {TITLES[place.dataset]}", stops, value=place.dims, key=key,
            format_func=lambda dims: f"{dims:,}",
            help="Move it: what is known is shown at once, what is not can be run.",
        )  # fmt: skip
        if len(asked.datasets) > 1:
            dataset = st.segmented_control(
                "Data set", list(asked.datasets), default=place.dataset, key=f"study_of_{place.dataset}",
                format_func=TITLES.get,
            ) or place.dataset  # fmt: skip
        else:
            dataset = place.dataset
    if (dims, dataset) != (place.dims, place.dataset):
        dims = min(dims, STATISTICS[dataset][2])
        session.asked = asked.change(at=Place(dataset=dataset, dims=dims, rate=place.rate))
        st.rerun()
    study = asked.study(place.dataset, (place.dims,), (place.rate,))
    tasks = study.tasks()
    own = stored_outcomes(study, store())
    here = Results([*own, *recorded_for(tasks)])
    show_offer(session, study, here, own)
    if here.cells:
        show_methods(session, here, place, {outcome.run for outcome in own})


def show_offer(session: Inquiry, study: Study, here: Results, own: list[Outcome]) -> None:
    """Where not all is known, offer to run it."""
    tasks = study.tasks()
    missing = len(tasks) - len(here.shown) - len(here.failed)
    job = session.current_job()
    busy = job is not None and not job.ended
    if not missing:
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        left = in_words(seconds_left(tasks, own, WORKERS))
        st.button(
            f"Run D' = {study.dims[0]:,}", icon=":material/play_arrow:", key="study_run_place", disabled=busy,
            on_click=run_studies, args=(session, [study]),
            help="A study is under way: it can be run afterwards." if busy else f"{missing} runs, {left}.",
        )  # fmt: skip
        st.markdown(f"{missing} of the {len(tasks)} runs at this place are not known yet; they take {left}.")


def show_methods(session: Inquiry, here: Results, place: Place, stored: set[str]) -> None:
    """Draw the table of methods, what it says, and every run with its topology."""
    rows = [cell_row(here, cell) for cell in here.in_order()]
    st.markdown(as_table([{name: row[name] for name in SHOWN} for row in rows]))
    rivals = [name for name in here.methods if name != "pgcn-ce"]
    sentences = [sentence for name in rivals if (sentence := finding(here, place, "pgcn-ce", name))]
    where_from = origins(here, place)
    st.markdown("\n".join(f"- {sentence}" for sentence in [*([where_from] if where_from else []), *sentences]))
    rate, dims = f"{place.rate:g} % labelled", f"D' = {place.dims:,}"
    st.markdown(f"**The runs behind it** ({TITLES[place.dataset]}, {dims}, {rate})")
    growing = [cell for name in ("pgcn-ce", "pgcn-mse") if (cell := here.cell(place, name)) is not None]
    fixed = [cell for name in here.methods if not name.startswith("pgcn") and (cell := here.cell(place, name))]
    left, right = st.columns([3, 2])  # topologies that grew are longer, and have buttons
    with left:
        for cell in growing:
            show_runs(session, cell, stored)
    with right:
        for cell in fixed:
            show_runs(session, cell, stored)


def as_table(rows: list[dict]) -> str:
    """Return rows as a table in Markdown; a data frame would take half a second to import pandas."""
    lines = [list(rows[0]), ["---", *["---:"] * (len(rows[0]) - 1)], *(row.values() for row in rows)]
    return "\n".join("| " + " | ".join(map(str, line)) + " |" for line in lines)


def show_runs(session: Inquiry, cell: Cell, stored: set[str]) -> None:
    """List the runs of one method with their topologies; what grew can be opened in Grow."""
    st.markdown(METHODS[cell.method].label)
    _, _, _, classes, *_ = STATISTICS[cell.place.dataset]
    for outcome in cell.outcomes:
        with st.container(horizontal=True, vertical_alignment="center"):
            topology = describe_topology(cell.place.dims, outcome.topology, classes)
            st.markdown(f"experiment {outcome.experiment}: {topology}, test {100 * outcome.test_accuracy:.1f} %")
            show_run_buttons(session, outcome, stored)


def show_run_buttons(session: Inquiry, outcome: Outcome, stored: set[str]) -> None:
    if outcome.method.startswith("pgcn"):
        if outcome.run in stored:
            if st.button("Replay", icon=":material/hub:", key=f"open_{outcome.run}", help="Opens it in Grow."):
                go_to("grow", run=outcome.run)
            if st.button(
                "Maps", icon=":material/bubble_chart:", key=f"map_{outcome.run}",
                help="Opens the t-SNE of its logits beside that of a GCN on the same graph.",
            ):  # fmt: skip
                go_to("embedding", run=outcome.run, gcn="yes")
        elif st.button(
            "Grow it here", icon=":material/eco:", key=f"grow_{outcome.run}",
            help="A recorded run: Grow opens with its settings and seed, reproducible: they give the same network.",
        ):  # fmt: skip
            go_to("grow", **settings_of(session, outcome).to_query())


def settings_of(session: Inquiry, outcome: Outcome) -> Settings:
    """Return the settings with which Grow makes the same network."""
    growth = session.asked.growth.change(loss="mse" if outcome.method == "pgcn-mse" else "ce")
    config = {name: value for name, value in growth.to_dict().items() if name != "seed"}
    return Settings.nearest(
        config=config, dataset=outcome.dataset, split=f"fraction:{outcome.rate / 100:.6g}",
        data_seed=outcome.experiment, dims=outcome.dims, seed=outcome.experiment,
        reproducible=outcome.recorded or session.asked.reproducible,
    )  # fmt: skip
