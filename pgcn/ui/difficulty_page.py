"""The Difficulty page: how the gap between a grown and a fixed topology depends on N_L/D."""

import streamlit as st

from pgcn.data.sources import TITLES as NAMES
from pgcn.errors import PgcnError
from pgcn.execution.jobs import Job
from pgcn.studies.difficulty import METHODS, Place, Task
from pgcn.studies.estimate import in_words, seconds_left
from pgcn.studies.results import Outcome, Results, divergences, findings, origins, outcomes_as_csv, stored_outcomes
from pgcn.ui.clock import timed
from pgcn.ui.components import plotly_live
from pgcn.ui.difficulty_panel import show_question
from pgcn.ui.difficulty_place import show_place
from pgcn.ui.difficulty_session import WORKERS, Inquiry, inquiry, run_studies
from pgcn.ui.recorded import agreement, recorded_for
from pgcn.ui.server import store
from pgcn.ui.shell import show_error
from pgcn.ui.visits import let_arrive, show_link
from pgcn.views.difficulty import AXES, ROWS, TITLES, line_figure, map_figure

TICK = 1.0
"""Seconds between two looks at a study under way."""


@timed("difficulty page")
def show_difficulty_page() -> None:
    session = inquiry()
    show_link(session, session.query())
    show_question(session)
    st.markdown("#### When does growing pay? PGCN against GCN as features get fewer")
    st.markdown(
        "The features are projected at random to D' dimensions and a share of the nodes is labelled. The fewer "
        "dimensions there are, the more a network has to make of its neighbours. In every experiment all methods "
        "have the same split and the same projection."
    )
    for complaint in session.complaints:
        st.warning(complaint, icon=":material/rule_settings:")
    job = session.current_job()
    at_work = job is not None and not job.ended
    st.fragment(look, run_every=TICK if at_work else None)(session, at_work)
    if at_work:
        let_arrive()


@timed("difficulty tick")
def look(session: Inquiry, at_work: bool) -> None:
    """Draw what is known; while the study is under way this alone runs again and again."""
    job = session.current_job()
    if (job is not None and not job.ended) != at_work:
        st.rerun()
    try:
        tasks = [task for study in session.asked.studies for task in study.tasks()]
        own = [outcome for study in session.asked.studies for outcome in stored_outcomes(study, store())]
    except PgcnError as error:
        show_error(str(error))
        return
    results = Results([*own, *recorded_for(tasks)])
    show_progress(session, job, tasks, own)
    if not results.cells:
        st.info("Nothing is known yet of this question. Run it, or choose D' and methods that have been run.")
        return
    show_sources(session, own, tasks, results)
    clicked = show_figures(session, results)
    if clicked is not None:
        session.asked = session.asked.change(at=clicked)
        st.rerun()
    show_words(session, results)
    show_place(session, results)
    show_exports(results.shown, session, results)


def show_progress(session: Inquiry, job: Job | None, tasks: list[Task], own: list[Outcome]) -> None:
    """Draw the buttons that run and stop the study, and how long it will take."""
    missing = len(tasks) - len(own)
    at_work = job is not None and not job.ended
    if job is not None and job.error:
        show_error(job.error)
    left = in_words(seconds_left(tasks, own, WORKERS))
    with st.container(horizontal=True, vertical_alignment="center", key="study_controls"):
        if at_work:
            st.button(
                "Stop", icon=":material/stop:", key="study_stop", on_click=job.cancel, disabled=job.stopping,
                help="What has ended is kept; running again goes on with the rest.",
            )  # fmt: skip
            st.toggle(
                "Keep running", key="study_keep", value=session.keep_running, on_change=keep, args=(session, job),
                help="Otherwise the study is cancelled a minute after the last tab that shows it is closed.",
            )  # fmt: skip
        else:
            begun = "Run the rest" if 0 < missing < len(tasks) else "Run"
            st.button(
                begun, icon=":material/play_arrow:", key="study_run", type="primary", disabled=not missing,
                on_click=run_studies, args=(session, session.asked.studies),
                help=f"{missing} runs in {WORKERS} processes, {left}." if missing else "All runs are kept.",
            )  # fmt: skip
        st.markdown(progress_words(job, len(tasks), missing, left))
    if at_work:
        st.progress((len(tasks) - missing) / len(tasks))
    for sentence in session.asked.left_out:
        st.caption(sentence)


def progress_words(job: Job | None, total: int, missing: int, left: str) -> str:
    done = total - missing
    if job is not None and not job.ended:
        if job.stopping:
            return "Stopping…"
        doing = f" · {job.doing}" if job.doing and not job.events() else ""
        return f"{done} of {total} runs have ended · {left} left{doing}"
    if not missing:
        return f"All {total} runs of this question were computed here."
    if done:
        return f"{done} of {total} runs of this question were computed here. The other {missing} take {left}."
    return f"None of the {total} runs of this question were computed here yet. They take {left}."


def keep(session: Inquiry, job: Job) -> None:
    session.keep_running = job.keep_running = st.session_state["study_keep"]


def show_sources(session: Inquiry, own: list[Outcome], tasks: list[Task], results: Results) -> None:
    """Say where the numbers come from."""
    shown = results.shown
    recorded = sum(outcome.recorded for outcome in shown)
    sentences = [f"{len(shown)} of {len(tasks)} runs are shown"]
    if recorded:
        which = "all" if recorded == len(shown) else f"{recorded} of them"
        sentences.append(
            f"{which} recorded (hollow marks): computed on another machine in the reproducible mode, and never "
            "averaged with runs computed here, which take their place"
        )
    both, equal = agreement(own)
    if both:
        sentences.append(f"{equal} of the {both} runs computed here that were recorded too are equal to the record")
    sentences.append(
        f"means over up to {session.asked.experiments} experiments (seeds 0 to {session.asked.experiments - 1}), "
        "bands are 95 % confidence intervals; the test accuracy is that of the network which validation "
        "chose: by growth, by best epoch, or by the GCN's early stopping"
    )
    st.caption("; ".join(sentences) + ".")
    for sentence in divergences(results):
        st.caption(sentence)


def show_figures(session: Inquiry, results: Results) -> Place | None:
    """Draw the three rows of the paper's figure for every data set, then the map; return the place clicked."""
    asked = session.asked
    axes = [axis for axis in AXES if axis != "rate" or len(asked.rates) > 1]
    with st.container(horizontal=True, vertical_alignment="bottom"):
        axis = st.segmented_control(
            "Horizontal axis", axes, key="ask_axis", default=asked.axis if asked.axis in axes else "dims",
            format_func={"dims": "D'", "ratio": "N_L/D'", "rate": "label rate"}.get,
        ) or "dims"  # fmt: skip
        if axis != asked.axis:
            session.asked = asked = asked.change(axis=axis)
            st.rerun()
        if axis == "rate":
            fixed = st.select_slider("at D' =", sorted(asked.dims), key="ask_fixed_dims")
        elif len(asked.rates) > 1:
            rates = sorted(asked.rates)
            fixed = st.select_slider("at % labelled", rates, key="ask_fixed_rate", format_func="{:g}".format)
        else:
            fixed = asked.rates[0]
    clicked = None
    datasets = results.datasets
    side_by_side = len(datasets) == 1
    grid = st.columns(len(ROWS) if side_by_side else len(datasets))
    for number, dataset in enumerate(datasets):
        places = [
            place for place in results.places
            if place.dataset == dataset and (place.dims if axis == "rate" else place.rate) == fixed
        ]  # fmt: skip
        for order, row in enumerate(ROWS):
            with grid[order if side_by_side else number]:
                st.markdown(f"**{NAMES[dataset]}: {TITLES[row][0].lower()}{TITLES[row][1:]}**")
                figure = line_figure(results, places, row, axis, chosen=asked.at, stacked=not side_by_side)
                height = 340 if side_by_side or row == "accuracy" else 300
                mark = plotly_live(figure, key=f"study_{dataset}_{row}", height=height, about=axis)
                clicked = mark or clicked
    if len(asked.rates) > 1 and session.rival in results.methods:
        # One map need not be as wide as the page.
        for column, dataset in zip(st.columns(max(2, len(datasets))), datasets, strict=False):
            with column:
                rival = METHODS[session.rival].label
                st.markdown(f"**{NAMES[dataset]}: PGCN (CE) minus {rival}**, points of test accuracy")
                mark = plotly_live(
                    map_figure(results, dataset, "pgcn-ce", session.rival), key=f"study_map_{dataset}", height=340
                )
                clicked = mark or clicked
    return Place(dataset=clicked[0], dims=clicked[1], rate=clicked[2]) if clicked else None


def show_words(session: Inquiry, results: Results) -> None:
    """Say what the figures show, against a rival of the visitor's choice."""
    rivals = [name for name in results.methods if name != "pgcn-ce"]
    if "pgcn-ce" not in results.methods or not rivals:
        return
    if session.rival not in rivals:
        session.rival = rivals[0]
    show_origins(results)
    rival = st.segmented_control(
        "PGCN (CE) against", rivals, key="ask_rival", default=session.rival,
        format_func=lambda name: METHODS[name].label,
    ) or session.rival  # fmt: skip
    if rival != session.rival:
        session.rival = rival
        st.rerun()
    st.caption(f"{METHODS[rival].label}: {METHODS[rival].about}.")
    several = len(results.datasets) > 1
    for dataset in results.datasets:
        own = Results(outcome for outcome in results.outcomes if outcome.dataset == dataset)
        head = f"**{NAMES[dataset]}**\n" if several else ""
        st.markdown(head + "\n".join(f"- {sentence}" for sentence in findings(own, "pgcn-ce", rival)))


def show_origins(results: Results) -> None:
    """Say first what the lead comes from, at the smallest and the largest D' of every data set and rate."""
    ends = []
    for dataset, rate in dict.fromkeys((place.dataset, place.rate) for place in results.places):
        line = [place for place in results.places if (place.dataset, place.rate) == (dataset, rate)]
        ends += [line[0], line[-1]] if len(line) > 1 else line
    several = len(results.datasets) > 1
    sentences = [
        (f"{NAMES[place.dataset]}: " if several else "") + sentence
        for place in ends
        if (sentence := origins(results, place)) is not None
    ]
    if sentences:
        st.markdown("**Where the lead comes from**\n" + "\n".join(f"- {sentence}" for sentence in sentences))


def show_exports(outcomes: list[Outcome], session: Inquiry, results: Results) -> None:
    """Offer the numbers as a table and the figures as a page."""
    with st.container(horizontal=True, vertical_alignment="center"):
        st.download_button(
            "Runs as CSV", data=lambda: outcomes_as_csv(outcomes), file_name="pgcn-difficulty.csv", mime="text/csv",
            icon=":material/download:", on_click="ignore", key="study_csv",
        )  # fmt: skip
        st.download_button(
            "Report as a web page", data=lambda: report_of(session, results), file_name="pgcn-difficulty.html",
            mime="text/html", icon=":material/download:", on_click="ignore", key="study_html",
        )  # fmt: skip
        st.caption("Every figure has a camera (PNG) and a disk (SVG).")


def report_of(session: Inquiry, results: Results) -> bytes:
    from pgcn.views.report import report_page

    return report_page(results, session.asked.studies).encode()
