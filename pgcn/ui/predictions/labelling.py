"""The view "Label these next": the most uncertain nodes, to be labelled; the run grown again; the gain."""

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np
import streamlit as st

from pgcn.errors import PgcnError
from pgcn.numbers import percent, signed
from pgcn.predictions.table import Predictions
from pgcn.ui.access import why_not_start
from pgcn.ui.predictions.session import PredictionsSession
from pgcn.ui.predictions.shown import scaled
from pgcn.ui.server import store, visitor_key
from pgcn.ui.session import is_running
from pgcn.ui.text import plain

if TYPE_CHECKING:
    from pgcn.store import StoredRun

COUNT, UNKNOWN = 5, "not labelled"


def show_labelling(session: PredictionsSession, run: "StoredRun", found: Predictions) -> None:
    found = scaled(session, found)
    free = np.flatnonzero(found.part == 0)
    if not len(free):
        st.info("Every node is labelled, a validation or a test node: there is none to label next.")
        return
    nodes = free[np.argsort(-found.entropy[free], kind="stable")][:COUNT].tolist()
    st.markdown(
        f"The {len(nodes)} most uncertain of {len(free):,} nodes outside the split. Which class do they have?"
    )
    with st.form("predictions_labels"):
        for node in nodes:
            share = found.probabilities[node]
            words = ", ".join(f"{found.class_names[one]} {share[one]:.2f}" for one in np.argsort(-share)[:2])
            st.selectbox(
                plain(f"{found.name_of(node)} (entropy {found.entropy[node]:.2f}: {words})"),
                [UNKNOWN, *range(len(found.class_names))],
                format_func=lambda one: one if one == UNKNOWN else found.class_names[one],
                key=f"predictions_label_{run.id}_{node}",
            )
        why = why_not_start() or ("Something is being computed." if is_running(session.current_job()) else "")
        how = {"disabled": bool(why), "help": why or None}
        args = (session, run, nodes, found, False)
        st.form_submit_button("Grow again with these labels", type="primary", on_click=again, args=args, **how)
    known = [node for node in nodes if found.y[node] >= 0]
    if known:
        st.button(
            f"Simulation: use the true labels of these {len(known)}",
            key="predictions_simulate",
            on_click=again,
            args=(session, run, known, found, True),
            disabled=bool(why),
            help="Their classes are known in this data set, but the network has not seen them.",
        )
    show_gain(session, run)


def again(
    session: PredictionsSession, run: "StoredRun", nodes: list[int], found: Predictions, simulated: bool
) -> None:
    """Store the graph with these labels, and train a network of the same settings on it."""
    typed = {node: st.session_state.get(f"predictions_label_{run.id}_{node}", UNKNOWN) for node in nodes}
    labels = {node: int(found.y[node]) if simulated else one for node, one in typed.items()}
    labels = {node: one for node, one in labels.items() if one != UNKNOWN}
    if not labels:
        session.problems = ["No node was labelled: choose a class for at least one."]
        return
    from pgcn.store import new_id

    database, creator, name = store(), visitor_key(), new_id()

    def start(progress: Callable[[str], None]):
        progress("Importing torch…")
        from pgcn.predictions.again import grow_again

        return grow_again(database, run.id, labels, new=name, creator=creator, progress=progress)

    session.start(start, run.id)
    session.grown = name if session.job else ""


def show_gain(session: PredictionsSession, run: "StoredRun") -> None:
    """Say what the labels gained, on the same validation and test nodes."""
    if not session.grown:
        return
    try:
        grown = store().run(session.grown)
    except PgcnError:
        st.caption("The run with more labels has not begun yet.")
        return
    if grown.status != "finished" or not grown.scores or not run.scores:
        st.caption(f"The run with more labels: {grown.status}.")
        return
    for name, title in {"val_accuracy": "validation", "test_accuracy": "test"}.items():
        before, after = run.scores.get(name), grown.scores.get(name)
        if before is not None and after is not None:
            st.markdown(
                f"On the same {title} nodes: {percent(before)} before, **{percent(after)} after** "
                f"({signed(100 * (after - before))} points)."
            )
    st.caption("One run each: such a difference may be chance.")
