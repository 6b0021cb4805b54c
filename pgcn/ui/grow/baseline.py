"""The GCN baseline of a run: looked up; where nobody has trained it yet, offered, or trained beside an own run."""

import contextlib
from collections.abc import Callable
from typing import TYPE_CHECKING

import streamlit as st

from pgcn.errors import PgcnError
from pgcn.events import RunStarted
from pgcn.execution.graphs import facts_of
from pgcn.execution.jobs import Job
from pgcn.execution.memory import RunMemory
from pgcn.source import GraphSource
from pgcn.ui.access import why_not_start
from pgcn.ui.grow.session import GrowSession
from pgcn.ui.server import job_manager, store, submit, viewer, visitor_key
from pgcn.ui.session import is_running

if TYPE_CHECKING:
    from pgcn.studies.baseline import Baseline


@st.cache_resource(show_spinner=False)
def known_baselines() -> "dict[str, Baseline]":
    return {}


@st.cache_resource(show_spinner=False)
def baseline_jobs() -> dict[str, str]:
    """Return the last job that trains a baseline, by batch: visitors who want the same one share it."""
    return {}


def is_own(job: Job | None) -> bool:
    """Return whether this visitor has started a job; a link to somebody else's does not make it one's own."""
    return job is not None and job.owner == visitor_key()


def baseline_of(session: GrowSession, started: RunStarted, *, train: bool) -> "Baseline | None":
    """Return the GCN baseline on the graph of a run; where there is none, None, and ``train`` has it trained."""
    from pgcn.studies.baseline import baseline_batch, stored_baseline

    if started.recipe is None:
        return None
    source, how = GraphSource.from_recipe(started.recipe), {"reproducible": started.reproducible}
    batch, known = baseline_batch(source, **how), known_baselines()
    if batch not in known:
        found = stored_baseline(source, store(), **how)
        if found is not None:
            known[batch] = found
        elif train and batch not in session.baselines and not why_not_start():
            session.baselines[batch] = ""  # it is tried once
            with contextlib.suppress(PgcnError):  # there is no room for it now: the page offers it
                train_baseline(session, started)
    return known.get(batch)


def train_baseline(session: GrowSession, started: RunStarted) -> None:
    """Train the GCN baseline of a run, or look on where somebody else does; it ends with those who look on."""
    from pgcn.studies.baseline import CONFIGS, baseline_batch

    source, how = GraphSource.from_recipe(started.recipe), {"reproducible": started.reproducible}
    batch, database, creator = baseline_batch(source, **how), store(), visitor_key()
    job = job_manager().get(baseline_jobs().get(batch, ""))
    if not is_running(job) or job.stopping:

        def start(progress: Callable[[str], None]):
            from pgcn.studies.baseline import start_baseline

            return start_baseline(source, database, progress, creator=creator, **how)

        dense = source.dims is not None
        memory = RunMemory(facts_of(source, database), CONFIGS, int(started.reproducible), dense=dense)
        job = submit(start, memory=memory)
        baseline_jobs()[batch] = job.id
    session.baselines[batch] = job.id
    viewer().watch(job)


def show_baseline_button(session: GrowSession, started: RunStarted) -> None:
    """Offer to train the GCN baseline where there is none: a link that is opened starts nothing."""
    if started.recipe is None or baseline_in_training(session):
        return

    def train() -> None:
        try:
            train_baseline(session, started)
        except PgcnError as error:
            session.problems = [str(error)]

    about = "Trains ten GCNs with 16 hidden neurons on the same graph and split, to compare with."
    why = why_not_start()
    how = {"on_click": train, "help": why or about, "disabled": bool(why)}
    st.button("Train the GCN baseline", icon=":material/balance:", key="baseline", **how)


def baseline_in_training(session: GrowSession) -> bool:
    """Return whether a GCN baseline is being trained for this visitor."""
    return bool(baseline_state(session))


def baseline_state(session: GrowSession) -> str:
    """Return how the GCN baseline of this visitor stands that is to come, "" where none is."""
    jobs = [job for job in map(job_manager().get, session.baselines.values()) if is_running(job)]
    if not jobs:
        return ""
    return "GCN baseline in training" if any(job.begun for job in jobs) else "GCN baseline queued"
