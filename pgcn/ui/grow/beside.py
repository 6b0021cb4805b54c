"""What a visitor's decisions came to, beside the rule's own run with the same seed."""

import contextlib
from collections.abc import Callable, Sequence

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pgcn.errors import PgcnError
from pgcn.events import Event, RunFinished, RunStarted, opening
from pgcn.execution.jobs import Job
from pgcn.methods.pgcn.beside import beside_sentence, reached
from pgcn.studies.beside import rule_batch, rule_spec, start_rule_run, stored_rule_run
from pgcn.ui.access import why_not_start
from pgcn.ui.grow.baseline import is_own
from pgcn.ui.grow.jobs import memory_of
from pgcn.ui.grow.session import GrowSession
from pgcn.ui.grow.steer import show_words
from pgcn.ui.server import job_manager, store, submit, viewer, visitor_key
from pgcn.ui.session import is_running
from pgcn.ui.shell import show_error


def is_steered(started: RunStarted) -> bool:
    """Return whether a person decided in a run."""
    return started.config.get("decider") == "person"


def is_growing_beside(session: GrowSession) -> bool:
    """Return whether the rule's run is grown for this visitor."""
    return any(is_running(job_manager().get(job)) for job in session.beside.values())


def show_beside(place: DeltaGenerator, session: GrowSession, events: Sequence[Event], job: Job | None) -> None:
    """Say what both runs reached, in the place where the visitor has decided.

    The rule's run is grown where it is missing and this visitor has just decided.
    """
    ended = events[-1]
    with place:
        if not isinstance(ended, RunFinished):
            show_words("You decide in this run. Resume it to continue.")
            return
        started = opening(events)
        found = stored_rule_run(started, store()) if started.recipe is not None else None
        show_words(f"You: {reached(ended)}." if found is None else beside_sentence(ended, found[1]))
        with st.container(horizontal=True, vertical_alignment="center", key="decisions"):
            if found is not None:
                how = {"icon": ":material/hub:", "on_click": session.show, "kwargs": {"run": found[0]}}
                st.button("Open the rule's run", key="to_rule", **how)
            elif can_grow_rule(started):
                show_rule_to_come(session, started, ended, job)


def can_grow_rule(started: RunStarted) -> bool:
    """Return whether the rule's own run can be grown: its graph is known, and the parent of a branch is stored."""
    parent = started.parent
    return started.recipe is not None and (parent is None or bool(store().find([parent["run"]])))


def show_rule_to_come(session: GrowSession, started: RunStarted, ended: RunFinished, job: Job | None) -> None:
    """Grow the rule's run, or say that it is being grown, or offer it."""
    batch = rule_batch(started)
    if ended.status == "finished" and is_own(job) and batch not in session.beside and not why_not_start():
        session.beside[batch] = ""  # it is tried once
        with contextlib.suppress(PgcnError):  # there is no room for it now: the page offers it
            grow_beside(session, started)
    beside = job_manager().get(session.beside.get(batch, ""))
    if is_running(beside):
        doing = "is being grown" if beside.begun else "is queued"
        st.markdown(f"The rule's own run with the same seed {doing}, to compare with yours.")
        return
    if beside is not None and beside.error:
        show_error(beside.error)
    why = why_not_start()
    how = {"on_click": grow_clicked, "args": (session, started), "disabled": bool(why), "help": why or None}
    st.button("Grow the rule's run too", icon=":material/balance:", key="grow_rule", **how)


def grow_clicked(session: GrowSession, started: RunStarted) -> None:
    try:
        grow_beside(session, started)
    except PgcnError as error:
        session.problems = [str(error)]


def grow_beside(session: GrowSession, started: RunStarted) -> None:
    """Grow the rule's run, as a job of its own."""
    database, creator = store(), visitor_key()

    def start(progress: Callable[[str], None]):
        return start_rule_run(started, database, progress, creator=creator)

    job = submit(start, memory=memory_of([rule_spec(started)]))
    session.beside[rule_batch(started)] = job.id
    viewer().watch(job)
