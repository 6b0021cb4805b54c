"""The header above the picture: which run it is, what it is doing, and what it has reached beside the GCN.

Every part has its place and its height from the beginning, so that nothing moves as numbers come.
"""

from collections.abc import Sequence
from functools import cache
from html import escape
from typing import TYPE_CHECKING

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pgcn.engine.architecture import describe_topology
from pgcn.events import Event, RunFinished, RunStarted, Scores
from pgcn.numbers import percent, percent_spread, reported_on, signed
from pgcn.views.event_log import frames_of
from pgcn.web import WEB

if TYPE_CHECKING:
    from pgcn.studies.baseline import Baseline

NOTHING = "–"


@cache
def header_style() -> str:
    return (WEB / "grow" / "grow.css").read_text(encoding="utf-8")


def show_header(
    name: str,
    doing: str,
    events: Sequence[Event],
    baseline: "Baseline | None",
    *,
    topology: str = NOTHING,
    waiting: str = "",
) -> DeltaGenerator:
    """Show the header of a run; ``topology`` is what is known of one that has not started.

    Return the place below it, for what a visitor is asked: it is there also when empty, so that nothing else moves
    to another place.

    ``waiting`` says what there is in place of the GCN baseline. All is text, whatever it contains.
    """
    facts = run_facts(events, baseline, waiting) if events else empty_facts(topology)
    cells = "".join(
        f'<div><dt>{escape(label)}</dt><dd title="{escape(value)}">{escape(value)}</dd>'
        f'<dd class="beside {side}">{escape(beside)}</dd></div>'
        for label, value, beside, side in facts
    )
    words = f'<p class="name"><b>{escape(name)}</b></p><p class="doing" title="{escape(doing)}">{escape(doing)}</p>'
    st.html(f'<div class="grow-head"><div>{words}</div><dl>{cells}</dl></div>')
    return st.container(key="decide")


Fact = tuple[str, str, str, str]
"""What is measured, its value, what is said below it, and on which side of the GCN it is."""


def run_facts(events: Sequence[Event], baseline: "Baseline | None", waiting: str) -> list[Fact]:
    """Return topology, accuracy and parameters of the network so far."""
    started, frame = events[0], frames_of(events)[-1]
    scores, parameters = frame.scores, frame.parameters
    if isinstance(events[-1], RunFinished):  # the network that stays
        scores, parameters = events[-1].scores, events[-1].parameters
    shape = describe_topology(started.features, frame.topology, started.classes)
    named, reached = reported(scores) if scores else ("test", None)
    beside, side = against_gcn(reached, baseline) if reached is not None and baseline else (waiting, "")
    size = f"GCN {baseline.parameters:,}" if baseline else ""
    return [
        ("Topology", shape, where(started), ""),
        (f"{named.capitalize()} accuracy", percent(reached), beside, side),
        ("Parameters", f"{parameters:,}" if scores else NOTHING, size, ""),
    ]


def empty_facts(topology: str) -> list[Fact]:
    return [("Topology", topology, "", ""), ("Test accuracy", NOTHING, "", ""), ("Parameters", NOTHING, "", "")]


def where(started: RunStarted) -> str:
    return f"{started.labelled:,} of {started.nodes:,} nodes labelled"


def reported(scores: Scores) -> tuple[str, float]:
    """Return the accuracy of a run to report: on test nodes, or on validation nodes where there are none."""
    name = reported_on([scores.test_accuracy])
    return name, scores.test_accuracy if name == "test" else scores.val_accuracy


def against_gcn(reached: float, baseline: "Baseline") -> tuple[str, str]:
    """Return how an accuracy compares with the GCN's, and on which side it is: on none within one sd."""
    mean, sd = baseline.accuracy
    gcn = f"GCN {percent_spread(mean, sd)}"
    points = 100 * (reached - mean)
    if abs(points) <= 100 * sd:
        return f"level with {gcn}", ""
    return f"{signed(points)} points · {gcn}", "above" if points > 0 else "below"
