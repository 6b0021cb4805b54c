"""The summary under a run that has ended: how far its numbers, in the header, can be trusted; what to do next."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import streamlit as st

from pgcn.events import Event, RunFinished, RunStarted, opening
from pgcn.methods.pgcn.margins import thin_sentence
from pgcn.studies.sensitivity import SIZE, TIMES, findings, sentence, size_text
from pgcn.ui.access import why_not_start
from pgcn.ui.grow.baseline import baseline_state, show_baseline_button
from pgcn.ui.grow.beside import is_steered
from pgcn.ui.grow.controls import run_action
from pgcn.ui.grow.graph import is_inside_missing
from pgcn.ui.grow.jobs import SEEDS, grow_perturbed, grow_seeds, perturbed_runs
from pgcn.ui.grow.session import GrowSession
from pgcn.ui.shell import go_to

if TYPE_CHECKING:
    from pgcn.studies.baseline import Baseline


def show_summary(session: GrowSession, events: Sequence[Event], baseline: "Baseline | None") -> None:
    started, ended = events[0], events[-1]
    if ended.scores is None:
        return
    with st.container(border=True, key="summary"):
        of_branch = opening(events).parent is not None
        st.markdown(comparison(baseline, training=baseline_state(session), of_branch=of_branch))
        if baseline is None:
            show_baseline_button(session, started)
        show_stability(events)
        show_next_steps(session, started, ended, is_inside_missing(session.run, events))


def show_next_steps(session: GrowSession, started: RunStarted, ended: RunFinished, inside_is_missing: bool) -> None:
    def see_inside() -> None:
        session.wanted = True

    with st.container(horizontal=True):
        if inside_is_missing and not session.wanted:
            about = "Draws the graph beside the network, and what the neurons of each block have learned"
            how = {"on_click": see_inside, "disabled": bool(why_not_start()), "help": why_not_start() or about}
            st.button("See inside", icon=":material/visibility:", key="next_inside", **how)
        if st.button("See its embedding", icon=":material/bubble_chart:", key="next_embedding"):
            go_to("embedding", run=session.run)
        if st.button("Predictions", icon=":material/label:", key="next_predictions"):
            go_to("predictions", run=session.run)
        off = {"on_click": run_action, "disabled": bool(why_not_start())}
        how = {"icon": ":material/scatter_plot:", "key": "next_seeds", "args": (session, grow_seeds)}
        alone = started.recipe is not None and started.parent is None
        if alone:
            st.button(f"Grow {SEEDS} seeds", **how, **off)
        if alone and ended.status == "finished" and not is_steered(started):
            st.button(
                "How stable is it?",
                icon=":material/vital_signs:",
                key="next_sensitivity",
                args=(session, lambda session: grow_perturbed(session, started)),
                help=f"Grows the same seed {TIMES} times with the initial weights changed by {size_text(SIZE)} of "
                "their size: does the topology stay the same?",
                **off,
            )
        if st.button("Compare and export on the Runs page", icon=":material/table_rows:", key="next_runs"):
            go_to("runs", run=session.run)


def comparison(baseline: "Baseline | None", *, training: str = "", of_branch: bool = False) -> str:
    """Say what is missing to compare the run with; its numbers stand in the header."""
    if of_branch and baseline is not None:
        return "One run is not enough: branch with several seeds to see the spread."
    if baseline is not None:
        return f"One run is not enough: grow {SEEDS} seeds to see the spread."
    return f"{training}." if training else "There is no GCN baseline on this graph yet."


def show_stability(events: Sequence[Event]) -> None:
    """Say how narrow the decisions were, and how much depends on the last bit where that was measured."""
    started, ended = events[0], events[-1]
    how = "not reproducible: another CPU may grow another network from this seed"
    if started.reproducible:
        how = "reproducible: the same on every x86-64 CPU with AVX2"
    narrow = thin_sentence(events)
    perturbed = perturbed_runs(started) if ended.status == "finished" else None
    measured = f"{sentence(findings(ended.topology, perturbed))} " if perturbed else ""
    st.markdown(f"{f'{narrow}. ' if narrow else ''}{measured}This run is {how}.")
