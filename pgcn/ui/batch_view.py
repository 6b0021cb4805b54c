"""Twenty seeds: how much of what a run finds is chance?"""

import statistics
from collections.abc import Sequence
from typing import TYPE_CHECKING

import streamlit as st

from pgcn.data.sources import TITLES
from pgcn.execution.jobs import Job
from pgcn.studies.sensitivity import size_text
from pgcn.ui import work
from pgcn.ui.components import plotly_live
from pgcn.ui.server import store
from pgcn.ui.session import Grow
from pgcn.ui.shell import show_error
from pgcn.views.batch import ended_well, scatter_figure, topology_figure, topology_text

if TYPE_CHECKING:
    from pgcn.store import StoredRun
    from pgcn.studies.baseline import Baseline

BEFORE_ALL = "Stopped before it began: nothing was computed."


def show_batch(session: Grow, job: Job | None) -> None:
    runs = sorted(store().runs(batch=session.batch), key=lambda run: run.seed)
    if job is not None and job.error:
        show_error(job.error)
    if not runs:
        if job is None:
            st.info("These runs are not kept on this server.", icon=":material/link_off:")
        elif job.ended and not job.error:
            st.info(BEFORE_ALL, icon=":material/stop_circle:")
        elif not job.error:
            doing = "Stopping…" if job.stopping else job.doing or "Waiting for a free worker…"
            st.progress(0.0, text=doing)
        return
    ended = [run for run in runs if run.status != "running"]
    started = work.stored_events(runs[0])[0]
    line = work.baseline(session, started, train=len(ended) > 0)
    name = TITLES.get(runs[0].dataset, runs[0].dataset)
    size = started.config.get("perturbation", 0.0)
    if size:
        if session.perturbed:
            st.button(
                "Back to the run", icon=":material/arrow_back:", key="to_run",
                on_click=session.show, kwargs={"run": session.perturbed},
            )  # fmt: skip
        st.markdown(f"#### One network grows on {name} again and again, seed {runs[0].seed}")
        st.markdown(
            f"Each of the {len(runs)} runs has the same settings and the same seed; only the initial weights are "
            f"changed at random, by {size_text(size)} of their size: about the last bit. What differs hangs on it."
        )
    else:
        st.markdown(f"#### {len(runs)} networks grow on {name}, seeds {runs[0].seed} to {runs[-1].seed}")
    st.progress(len(ended) / len(runs), text=f"{len(ended)} of {len(runs)} have ended ({started.split})")
    st.markdown(findings(runs, line, unit="runs" if size else "seeds"))
    left, right = st.columns([1.3, 1])
    with left:
        st.markdown("**Accuracy and size**, a mark for every run")
        plotly_live(scatter_figure(runs, line), key="batch_scatter", about=session.batch)
    with right:
        st.markdown("**Topologies found**")
        plotly_live(topology_figure(runs), key="batch_topologies", about=session.batch)
    show_table(session, ended_well(runs), at_work=job is not None and not job.ended, perturbed=size > 0)


def findings(runs: "Sequence[StoredRun]", line: "Baseline | None", unit: str = "seeds") -> str:
    """Say in words what the runs that have ended show."""
    ended = ended_well(runs)
    if len(ended) < 2:
        return "The first results are on their way. Test nodes are shown, never used to decide."
    test = [100 * run.scores["test_accuracy"] for run in ended]
    parameters = [run.parameters for run in ended]
    mean, sd = statistics.fmean(test), statistics.stdev(test)
    different = len({run.topology for run in ended})
    words = (
        f"Test accuracy **{mean:.1f} ± {sd:.1f} %** (mean ± sd over {len(ended)} {unit}), "
        f"parameters {statistics.fmean(parameters):,.0f} ± {statistics.stdev(parameters):,.0f}, "
        f"{different} different topolog{'y' if different == 1 else 'ies'}."
    )
    if line is None:
        return words
    points = mean - 100 * line.test
    side = "above" if points > 0 else "below"
    return f"{words} That is {abs(points):.1f} points {side} the GCN. {line.describe()}."


def show_table(session: Grow, ended: "list[StoredRun]", *, at_work: bool, perturbed: bool) -> None:
    """List the runs; a click on one opens it in the canvas."""
    if not ended:
        return
    best = max(ended, key=lambda run: (run.scores["val_accuracy"], -run.parameters))
    rows = [
        {
            **({"run": number} if perturbed else {"seed": run.seed}),
            "topology": topology_text(run),
            "parameters": run.parameters,
            "validation (%)": round(100 * run.scores["val_accuracy"], 1),
            "test (%)": round(100 * run.scores["test_accuracy"], 1),
            "seconds": round(run.seconds, 1),
            "": "best on validation" if run is best else "",
        }
        for number, run in enumerate(ended, start=1)
    ]
    if at_work:
        st.dataframe(rows, hide_index=True, key="batch_rows")
        return
    st.caption("Choose a run to open it in the canvas and replay it.")
    chosen = st.dataframe(rows, hide_index=True, key="batch_choice", on_select="rerun", selection_mode="single-row")
    if chosen.selection.rows:
        session.show(run=ended[chosen.selection.rows[0]].id)
        st.rerun()
