"""A batch of runs: how much of what a run finds is chance?"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import streamlit as st

from pgcn.data.catalogue import dataset_title
from pgcn.events import RunStarted, opening
from pgcn.execution.jobs import Job
from pgcn.numbers import counted, reported_on
from pgcn.studies.sensitivity import size_text
from pgcn.studies.statistics import Spread
from pgcn.ui.components import plotly_live
from pgcn.ui.grow.baseline import baseline_of, is_own, show_baseline_button
from pgcn.ui.grow.planned import PlannedRun, planned_runs
from pgcn.ui.grow.session import GrowSession
from pgcn.ui.grow.status import NEVER_STARTED, waiting_words
from pgcn.ui.server import store
from pgcn.ui.session import is_running
from pgcn.ui.shell import show_error
from pgcn.ui.stored_runs import stored_events
from pgcn.ui.text import plain
from pgcn.views.batch import SCORES, batch_rows, ended_well, scatter_figure, seeds_text, topology_figure

if TYPE_CHECKING:
    from pgcn.store import StoredRun
    from pgcn.studies.baseline import Baseline

ROW = 35
"""Pixels of a row of the table."""


def show_batch(session: GrowSession, job: Job | None) -> None:
    """Show the runs of a batch: those that are stored and, from the first moment, those that wait."""
    runs = sorted(store().runs(batch=session.batch), key=lambda run: run.seed)
    known = {run.id for run in runs}
    # Those that wait for a process; nobody waits for anything once the job has ended.
    waiting = [run for run in planned_runs(job) if run.id not in known] if is_running(job) else []
    if job is not None and job.error:
        show_error(job.error)
    if not runs and not waiting:
        if job is None:
            st.info("These runs are not stored on this server.", icon=":material/link_off:")
        elif not job.error:
            st.info(NEVER_STARTED, icon=":material/stop_circle:")
        return
    started = opening(stored_events(runs[0])) if runs else None
    ended = [run for run in runs if run.status != "running"]
    baseline = baseline_of(session, started, train=bool(ended) and is_own(job)) if started else None
    perturbation = started.config.get("perturbation", 0.0) if started else perturbation_of(waiting)
    show_heading(session, runs, waiting, perturbation)
    total = len(runs) + len(waiting)
    st.progress(len(ended) / total, text=plain(f"{len(ended)} of {total} runs have ended{doing(job, started)}"))
    st.markdown(findings(runs, baseline, unit="runs" if perturbation else "seeds", running=is_running(job)))
    if baseline is None and started is not None and not is_running(job):
        show_baseline_button(session, started)
    left, right = st.columns([1.3, 1])
    with left:
        st.markdown("**Accuracy and size**: click a mark to open its run")
        opened = plotly_live(scatter_figure(runs, baseline), key="batch_scatter", about=session.batch)
    with right:
        st.markdown("**Topologies found**")
        plotly_live(topology_figure(runs), key="batch_topologies", about=session.batch)
    chosen = show_table(runs, waiting, perturbed=perturbation > 0)
    if opened or chosen:
        session.show(run=opened or chosen)
        st.rerun()


def perturbation_of(waiting: Sequence[PlannedRun]) -> float:
    return waiting[0].spec.config.perturbation if waiting else 0.0


def doing(job: Job | None, started: RunStarted | None) -> str:
    """Return what a batch waits for before it begins; its split from then on."""
    if started is not None:
        return f" ({started.split})"
    if job is None or job.stopping:
        return ": stopping…"
    if job.status == "queued":
        return f": waits {waiting_words(job)}"
    return f": {job.doing or 'starting…'}"


def show_heading(
    session: GrowSession, runs: "Sequence[StoredRun]", waiting: Sequence[PlannedRun], perturbation: float
) -> None:
    name = plain(dataset_title(runs[0].dataset if runs else waiting[0].spec.source.name))
    seeds = [run.seed for run in (*runs, *waiting)]
    if not perturbation:
        st.markdown(f"#### {counted(len(seeds), 'network')} on {name}, {seeds_text(seeds)}")
        return
    st.markdown(f"#### One network on {name}, seed {seeds[0]}, grown again and again")
    st.markdown(
        f"All {len(seeds)} runs have the same settings and the same seed; only their initial weights are changed "
        f"at random, by {size_text(perturbation)} of their size, about the last bit. All "
        "differences result from this."
    )


def findings(runs: "Sequence[StoredRun]", baseline: "Baseline | None", unit: str, *, running: bool) -> str:
    """Say in words what the runs that have ended show."""
    ended = ended_well(runs)
    if len(ended) < 2:
        few = "Waiting for the first results." if running else "Fewer than two runs have finished."
        return f"{few} Test accuracy is shown, but never used to decide."
    name = reported_on(run.scores["test_accuracy"] for run in ended)
    accuracy = Spread.of([100 * run.scores[SCORES[name]] for run in ended])
    parameters = Spread.of([run.parameters for run in ended])
    different = len({run.topology for run in ended})
    words = (
        f"{name.capitalize()} accuracy **{accuracy.text()} %** (mean ± sd over {len(ended)} {unit}), "
        f"parameters {parameters.text(0)}, "
        f"{f'{different} different topologies' if different > 1 else 'all with the same topology'}."
    )
    if baseline is None:
        return words
    points = accuracy.mean - 100 * baseline.accuracy[0]
    side = "above" if points > 0 else "below"
    level = "level with" if round(abs(points), 1) == 0 else f"{abs(points):.1f} points {side}"
    return f"{words} That is {level} the GCN. {baseline.describe()}."


def show_table(runs: "Sequence[StoredRun]", waiting: Sequence[PlannedRun], *, perturbed: bool) -> str:
    """List all runs, those that wait too; return the id of the one that was chosen, "" where none was."""
    rows, ids = batch_rows(runs, waiting, perturbed=perturbed)
    st.caption("Select a run to open its replay.")
    formats = {"parameters": "localized", **dict.fromkeys(("validation (%)", "test (%)", "seconds"), "%.1f")}
    columns = {name: st.column_config.NumberColumn(format=how) for name, how in formats.items()}
    how = {"on_select": "rerun", "selection_mode": "single-row", "placeholder": "–", "column_config": columns}
    height = ROW * (len(rows) + 1) + 3
    chosen = st.dataframe(rows, hide_index=True, key="batch_choice", height=height, **how).selection.rows
    return ids[chosen[0]] if chosen and chosen[0] < len(ids) else ""
