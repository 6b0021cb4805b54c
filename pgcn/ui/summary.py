"""What stands under a run that has ended: what it came to, against the GCN, and what to do next."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import streamlit as st

from pgcn.engine.architecture import describe_topology
from pgcn.events import Event, RunStarted
from pgcn.methods.pgcn.margins import thin_sentence
from pgcn.studies.sensitivity import SIZE, TIMES, findings, sentence, size_text
from pgcn.ui import work
from pgcn.ui.session import Grow
from pgcn.ui.shell import go_to

if TYPE_CHECKING:
    from pgcn.studies.baseline import Baseline


def show_summary(
    session: Grow, events: Sequence[Event], line: "Baseline | None", again: Callable[[Grow], None]
) -> None:
    started, ended = events[0], events[-1]
    if ended.scores is None:
        return
    with st.container(border=True, key="summary"):
        topology, accuracy, parameters, seconds = st.columns([1.6, 1, 1, 1])
        # A metric would cut a deep network short.
        topology.markdown("Topology")
        topology.markdown(f"#### {describe_topology(started.features, ended.topology, started.classes)}")
        test = ended.scores.test_accuracy
        accuracy.metric(
            "Test accuracy", f"{100 * test:.1f} %",
            delta=f"{100 * (test - line.test):+.1f} points against GCN" if line else None,
        )  # fmt: skip
        more = ended.parameters - line.parameters if line else 0
        parameters.metric(
            "Parameters", f"{ended.parameters:,}",
            delta=f"{more:+,} against GCN" if line else None, delta_color="inverse",
        )  # fmt: skip
        seconds.metric(
            "Training", f"{ended.seconds:.1f} s", delta=f"one run, seed {started.config['seed']}",
            delta_color="off", delta_arrow="off",
        )  # fmt: skip
        st.markdown(verdict(ended, line))
        show_sensitivity(session, events)
        with st.container(horizontal=True):
            if st.button("See its embedding", icon=":material/bubble_chart:", key="next_embedding"):
                go_to("embedding", run=session.run)
            st.button(
                "Try another seed", icon=":material/casino:", key="next_seed", on_click=again, args=(session,)
            )
            st.button(
                f"Grow {work.SEEDS} seeds", icon=":material/scatter_plot:", key="next_seeds",
                on_click=work.grow_seeds, args=(session,),
            )  # fmt: skip
            if started.recipe is not None and ended.status == "finished":
                sensitivity_button(session, started)
            if st.button("Compare and export on the Runs page", icon=":material/table_rows:", key="next_runs"):
                go_to("runs", run=session.run)


def verdict(ended, line: "Baseline | None") -> str:
    """Say how the run compares with the GCN, also where it does not compare well."""
    val = f"validation accuracy {100 * ended.scores.val_accuracy:.1f} %"
    if line is None:
        return f"{val.capitalize()}. The GCN to compare with is being trained."
    points = 100 * (ended.scores.test_accuracy - line.test)
    if abs(points) <= 100 * line.test_sd:
        words = "The test accuracy is level with the GCN's (within one standard deviation)"
    else:
        words = f"The test accuracy is {abs(points):.1f} points {'above' if points > 0 else 'below'} the GCN's mean"
    more = ended.parameters - line.parameters
    size = f"{abs(more):,} parameters {'more' if more > 0 else 'fewer'}" if more else "as many parameters"
    advice = f"One run says little: grow {work.SEEDS} seeds to know more."
    return f"{words}, with {size}; {val}. {line.describe()}. {advice}"


def show_sensitivity(session: Grow, events: Sequence[Event]) -> None:
    """Say how thin the decisions were, and how much hangs on the last bit; offer to find out."""
    started, ended = events[0], events[-1]
    thin = thin_sentence(events)
    how = "reproducible: the same on every x86-64 CPU with AVX2" if started.reproducible else (
        "not reproducible: another CPU may grow another network from this seed"
    )  # fmt: skip
    known = work.perturbed_runs(started) if ended.status == "finished" else None
    words = f"{thin}. " if thin else ""
    if known:
        st.markdown(f"{words}{sentence(findings(ended.topology, known))} This run is {how}.")
    else:
        st.markdown(f"{words}This run is {how}.")


def sensitivity_button(session: Grow, started: RunStarted) -> None:
    """Draw the button that grows the run again under tiny changes, or that shows what came of it."""
    st.button(
        "How stable is it?", icon=":material/vital_signs:", key="next_sensitivity",
        on_click=work.grow_perturbed, args=(session, started),
        help=f"Grows the same seed {TIMES} times with the initial weights changed by {size_text(SIZE)} of their "
        "size: does the topology stay the same?",
    )  # fmt: skip
