"""The words of the event log: names of blocks, decisions in one row, tooltips, the opening sentence."""

from pgcn.events import RunStarted
from pgcn.methods.pgcn.events import (
    BlockJudged,
    BlockMeasured,
    BlockProposed,
    LayerMeasured,
)
from pgcn.methods.pgcn.explain import decision_sentence
from pgcn.methods.pgcn.improvement import has_diverged, is_loss, metric_value
from pgcn.methods.pgcn.lineage import point_name
from pgcn.methods.pgcn.margins import margin
from pgcn.numbers import counted, known, percent
from pgcn.views.frames import Block


def short_name(event: BlockProposed | BlockMeasured | LayerMeasured) -> str:
    """Return for example 'L1·B3', or 'L1' of a whole layer."""
    return f"L{event.layer}" + ("" if isinstance(event, LayerMeasured) else f"·B{event.block}")


def short_decision(event: BlockMeasured | LayerMeasured, run: RunStarted, verdict: str) -> str:
    """Return a decision as a row of the log: 'L1·B3 accepted, 72.4 → 72.8 %, +2 of 500 nodes'."""
    if isinstance(event, BlockMeasured) and has_diverged(event.loss, event.error_tuned):
        return f"{short_name(event)} {verdict}, training diverged"
    reached = [metric_value(event.metric, scores) for scores in (event.before, event.after) if scores]
    if is_loss(event.metric):
        change = " → ".join(f"{value:.4f}" for value in reached)
    else:
        change = " → ".join(f"{100 * value:.1f}" for value in reached) + " %"
    found = margin(event, run)
    nodes = f", {found.change()}" if found else ""
    return f"{short_name(event)} {verdict}, {change}{nodes}"


def opening_sentence(started: RunStarted) -> str:
    text = (
        f"{started.dataset}: {started.nodes:,} nodes, {started.features:,} features, {started.classes} classes; "
        f"{started.labelled} labelled, {started.val} validation, {started.test} test nodes ({started.split})."
    )
    if started.parent is None:
        return text
    run = f" of run {started.parent['run'][:8]}" if started.parent["run"] else ""
    return f"{text} A branch{run}: up to {point_name(started.parent)} the same, from there on with other settings."


def about(event: BlockJudged, block: Block, started: RunStarted) -> str:
    """Return the tooltip of a judged block, a line for each fact."""
    lines = [
        f"Layer {event.layer}, block {event.block}: {counted(event.width, 'neuron')}",
        f"weights {block.fan_in:,} × {block.width} = {block.fan_in * block.width:,}",
    ]
    for name, label in (("labelled", "training"), ("val", "validation"), ("test", "test")):
        reached = [getattr(scores, f"{name}_accuracy") for scores in (event.before, event.after) if scores]
        if known(reached[-1]) is not None:  # there may be no test nodes
            lines.append(f"{label} accuracy {' → '.join(map(percent, reached))}")
    lines.append(f"parameters {event.parameters_before:,} → {block.parameters:,}")
    solved, tuned = map(three_digits, (event.error_solved, event.error_tuned))
    lines.append(f"error E after the solve {solved}, after fine-tuning {tuned}")
    lines.append(decision_sentence(event, started))
    return "\n".join(lines)


def three_digits(value: float) -> str:
    """Return for example '2,610' or '0.0528'."""
    return f"{float(f'{value:.3g}'):,.10g}"
