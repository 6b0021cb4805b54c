"""The event log of a run: a frame after each decision, with the network at that point, a row and a sentence."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pgcn.events import Event, RunFinished, RunStarted, Scores, opening
from pgcn.methods.endings import ending_sentence
from pgcn.methods.pgcn.events import (
    BlockAccepted,
    BlockJudged,
    BlockProposed,
    BlockRejected,
    LayerAccepted,
    LayerJudged,
    LayerRejected,
)
from pgcn.methods.pgcn.explain import decision_sentence
from pgcn.methods.pgcn.improvement import has_diverged
from pgcn.methods.pgcn.margins import margin, thin_sentence
from pgcn.numbers import known, percent


@dataclass(frozen=True, kw_only=True)
class Block:
    """A block of neurons on the canvas; ``status`` is candidate, accepted or rejected.

    ``tried`` counts the blocks in the order they were tried, from 0; ``fan_in`` is the width of its input,
    ``parameters`` the size of the network with it. ``step`` is the number of the network that it was accepted into.
    """

    tried: int
    layer: int
    number: int
    width: int
    status: str
    about: str
    fan_in: int
    parameters: int
    step: int = 0


@dataclass(frozen=True, kw_only=True)
class Frame:
    """The state of a run after an event.

    ``kind`` says what happened: start, proposed, accepted, rejected, layer or end; ``tried`` is the number of
    blocks tried so far, ``judged`` of those judged, ``accepted`` of those accepted, some in a layer that was
    rejected later, ``rejected`` of those rejected in each layer. ``row`` is its row of the log: a block has one,
    from its proposal to its judgement; ``short`` is what that row says from here on.
    """

    kind: str
    blocks: tuple[Block, ...]
    tried: int
    accepted: int
    rejected: dict[int, int]
    layers_rejected: int
    parameters: int
    scores: Scores | None
    judged: int
    row: int
    short: str
    title: str
    sentence: str

    @property
    def topology(self) -> tuple[int, ...]:
        """Neurons of each layer; only accepted blocks count."""
        widths: dict[int, int] = {}
        for block in self.blocks:
            if block.status == "accepted":
                widths[block.layer] = widths.get(block.layer, 0) + block.width
        return tuple(widths[layer] for layer in sorted(widths))

    @property
    def network(self) -> int:
        """The accepted network that stands, as :mod:`pgcn.methods.pgcn.steps` counts them; 0 for none."""
        return max((block.step for block in self.blocks if block.status == "accepted"), default=0)


def first_frame(sentence: str) -> Frame:
    """Return the frame of a run in which nothing has happened yet."""
    return Frame(
        kind="start",
        blocks=(),
        tried=0,
        accepted=0,
        rejected={},
        layers_rejected=0,
        parameters=0,
        scores=None,
        judged=0,
        row=0,
        short="Run started",
        title="Run started",
        sentence=sentence,
    )


def frames_of(events: Sequence[Event]) -> list[Frame]:
    """Return one frame for each event that changes the network or the log, the empty network first."""
    run = opening(events)
    frames = [first_frame(opening_sentence(run))]
    for event in events[1:]:
        if type(event) in NEXT:
            # A rejected block is shown crossed out for one frame.
            blocks = tuple(block for block in frames[-1].blocks if block.status != "rejected")
            row = frames[-1].row + (not isinstance(event, BlockJudged))
            frames.append(NEXT[type(event)](replace(frames[-1], blocks=blocks, row=row), event, run))
    if isinstance(events[-1], RunFinished) and (thin := thin_sentence(events)):
        frames[-1] = replace(frames[-1], sentence=f"{frames[-1].sentence} {thin}.")
    return frames


def block_proposed(now: Frame, event: BlockProposed, run: RunStarted) -> Frame:
    block = Block(
        tried=now.tried,
        layer=event.layer,
        number=event.block,
        width=event.width,
        status="candidate",
        about=f"Layer {event.layer}, block {event.block}: {event.width} neurons, candidate",
        fan_in=(run.features, *event.topology)[event.layer - 1],
        parameters=event.parameters,
    )
    return replace(
        now,
        kind="proposed",
        tried=now.tried + 1,
        blocks=(*now.blocks, block),
        short=f"{short_name(event)} candidate",
        title=f"Layer {event.layer}, block {event.block}: candidate",
        sentence=f"With it the network has {event.parameters:,} parameters. Training…",
    )


def block_accepted(now: Frame, event: BlockAccepted, run: RunStarted) -> Frame:
    judged, step = block_judged(now, event, run, "accepted"), now.accepted + 1
    blocks = (*judged.blocks[:-1], replace(judged.blocks[-1], step=step))
    return replace(judged, blocks=blocks, accepted=step, scores=event.after)


def block_rejected(now: Frame, event: BlockRejected, run: RunStarted) -> Frame:
    return replace(block_judged(now, event, run, "rejected"), rejected=one_more(now.rejected, event.layer))


def block_judged(now: Frame, event: BlockJudged, run: RunStarted, status: str) -> Frame:
    """Return what follows the judgement of a block, whatever it was."""
    candidate = next(block for block in now.blocks if is_at(block, event))
    others = (block for block in now.blocks if block is not candidate)
    return replace(
        now,
        kind=status,
        blocks=(*others, replace(candidate, status=status, about=about(event, candidate, run))),
        parameters=event.parameters,
        judged=now.judged + 1,
        short=short_decision(event, run, status),
        title=f"Layer {event.layer}, block {event.block} {status}",
        sentence=decision_sentence(event, run),
    )


def layer_accepted(now: Frame, event: LayerAccepted, run: RunStarted) -> Frame:
    title, short = f"Layer {event.layer} accepted", short_decision(event, run, "accepted")
    return replace(now, kind="layer", title=title, short=short, sentence=decision_sentence(event, run))


def layer_rejected(now: Frame, event: LayerRejected, run: RunStarted) -> Frame:
    return replace(
        now,
        kind="rejected",
        blocks=tuple(replace(b, status="rejected") if b.layer == event.layer else b for b in now.blocks),
        layers_rejected=now.layers_rejected + 1,
        parameters=event.parameters,
        scores=event.before,
        short=short_decision(event, run, "rejected"),
        title=f"Layer {event.layer} rejected",
        sentence=decision_sentence(event, run),
    )


def run_finished(now: Frame, event: RunFinished, run: RunStarted) -> Frame:
    return replace(
        now,
        kind="end",
        blocks=tuple(block for block in now.blocks if block.status == "accepted"),
        parameters=event.parameters,
        scores=event.scores,
        short=ENDINGS[event.status],
        title=ENDINGS[event.status],
        sentence=ending_sentence(event),
    )


NEXT: dict[type[Event], Callable[[Frame, Any, RunStarted], Frame]] = {
    BlockProposed: block_proposed,
    BlockAccepted: block_accepted,
    BlockRejected: block_rejected,
    LayerAccepted: layer_accepted,
    LayerRejected: layer_rejected,
    RunFinished: run_finished,
}
"""By the kind of event: the frame after it, of the one before; other events are not shown."""
ENDINGS = {
    "finished": "Run finished",
    "cancelled": "Run cancelled",
    "failed": "Run failed",
}


def one_more(counts: dict[int, int], layer: int) -> dict[int, int]:
    return {**counts, layer: counts.get(layer, 0) + 1}


def is_at(block: Block, event: BlockJudged) -> bool:
    return (block.layer, block.number) == (event.layer, event.block)


def short_name(event: BlockProposed | BlockJudged | LayerJudged) -> str:
    """Return for example 'L1·B3', or 'L1' of a whole layer."""
    return f"L{event.layer}" + ("" if isinstance(event, LayerJudged) else f"·B{event.block}")


def short_decision(event: BlockJudged | LayerJudged, run: RunStarted, verdict: str) -> str:
    """Return a decision as a row of the log: 'L1·B3 accepted, 72.4 → 72.8 %, +2 of 500 nodes'."""
    if isinstance(event, BlockJudged) and has_diverged(event.loss, event.error_tuned):
        return f"{short_name(event)} {verdict}, training diverged"
    reached = [getattr(scores, event.metric) for scores in (event.before, event.after) if scores]
    if event.metric.endswith("_loss"):
        change = " → ".join(f"{value:.4f}" for value in reached)
    else:
        change = " → ".join(f"{100 * value:.1f}" for value in reached) + " %"
    found = margin(event, run)
    nodes = f", {found.change()}" if found else ""
    return f"{short_name(event)} {verdict}, {change}{nodes}"


def opening_sentence(started: RunStarted) -> str:
    return (
        f"{started.dataset}: {started.nodes:,} nodes, {started.features:,} features, {started.classes} classes; "
        f"{started.labelled} labelled, {started.val} validation, {started.test} test nodes ({started.split})."
    )


def three_digits(value: float) -> str:
    """Return for example '2,610' or '0.0528'."""
    return f"{float(f'{value:.3g}'):,.10g}"


def about(event: BlockJudged, block: Block, started: RunStarted) -> str:
    """Return the tooltip of a judged block, a line for each fact."""
    lines = [
        f"Layer {event.layer}, block {event.block}: {event.width} neurons",
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
