"""The Predictions page: what a stored network says of every node, in four views."""

from typing import TYPE_CHECKING

import streamlit as st

from pgcn.errors import PgcnError
from pgcn.predictions.work import fits_squares, read_predictions
from pgcn.ui.access import why_not_start
from pgcn.ui.predictions.labelling import show_labelling
from pgcn.ui.predictions.session import VIEWS, PredictionsSession, compute, predictions_session, stop
from pgcn.ui.predictions.shown import show_calibration, show_table, show_why
from pgcn.ui.refreshing import refreshed, whole_page
from pgcn.ui.server import store
from pgcn.ui.session import is_running, show_link
from pgcn.ui.shell import go_to, show_error, show_problems
from pgcn.ui.stored_runs import is_visible, run_name
from pgcn.ui.text import plain
from pgcn.ui.timing import timed

if TYPE_CHECKING:
    from pgcn.store import StoredRun

TICK = 0.5
TITLE = "##### Predictions :small[the class of every node, how far to trust it, and why]"
SHOW = {"table": show_table, "calibration": show_calibration, "label": show_labelling, "why": show_why}


@whole_page
@timed("predictions page")
def show_predictions_page() -> None:
    session = predictions_session()
    st.markdown(TITLE)
    try:
        runs = [run for run in store().runs() if run.step is not None and is_visible(run)]
    except PgcnError as error:
        show_error(str(error))
        return
    show_problems(session.problems)
    if not runs:
        st.markdown("No network is stored yet. Grow one, and its predictions are here.")
        if st.button("Grow a network", icon=":material/eco:", type="primary", key="predictions_to_grow"):
            go_to("grow")
        return
    show_controls(session, runs)
    show_link(session, session.query())
    every = TICK if is_running(session.current_job()) else None
    refreshed(refresh, every, session, every, session.problems)


def show_controls(session: PredictionsSession, runs: "list[StoredRun]") -> None:
    """Draw the choice of a run and of a view."""
    names = {run.id: f"{run_name(run)} · {run.id[:8]}" for run in runs}
    session.run = next((name for name in names if session.run and name.startswith(session.run)), session.run)
    session.run = session.run or runs[0].id
    options = list(names) if session.run in names else [session.run, *names]

    def choose(name: str) -> None:
        value = st.session_state[f"predictions_{name}"]
        if name == "run":
            session.node = session.grown = session.job = ""
            session.wanted = True
        setattr(session, name, value)

    st.session_state["predictions_run"], st.session_state["predictions_view"] = session.run, session.view
    how = {"on_change": choose}
    with st.container(key="predictions_controls"):
        described = {"format_func": lambda run: names.get(run, f"run {run[:8]}")}
        st.selectbox("Run", options, key="predictions_run", args=("run",), width=560, **described, **how)
        views = {"format_func": VIEWS.get, "label_visibility": "collapsed", "required": True}
        st.segmented_control("View", list(VIEWS), key="predictions_view", args=("view",), **views, **how)


@timed("predictions tick")
def refresh(session: PredictionsSession, paced: float | None, said: list[str]) -> None:
    """Draw what is there; offer what is missing. ``said`` is what was said above when the whole page was drawn."""
    job = session.current_job()
    if job is not None and job.ended and not job.error:
        session.job = ""
    if (TICK if is_running(job) else None) != paced or session.problems != said:
        st.rerun()
    try:
        run = store().run(session.run)
        if run.step is None:
            st.info("This run has accepted no network.")
            return
        state = (run.id, run.step)
        if session.found is None or session.found[0] != state:
            read = read_predictions(store(), *state)
            session.found = (state, read) if read is not None else None
            session.fits_squares = fits_squares(store(), run.id)
    except PgcnError as error:
        show_error(str(error))
        return
    if session.found is None and session.wanted and not is_running(job):
        compute(session)
        st.rerun()
    if job is not None and job.error:
        show_error(job.error)
    elif is_running(job):
        st.markdown(f":material/hourglass_top: {plain(job.doing or 'Waiting for a free worker…')}")
        if session.view == "label":
            st.button("Stop", key="predictions_stop", on_click=stop, args=(session,), icon=":material/stop:")
    if session.found is None:
        if not is_running(job):
            why = why_not_start()
            st.markdown("The predictions of this run have not been computed yet; it takes a moment.")
            how = {"type": "primary", "disabled": bool(why), "help": why or None, "key": "predictions_compute"}
            st.button("Compute predictions", on_click=compute, args=(session,), **how)
        return
    SHOW[session.view](session, run, session.found[1])
