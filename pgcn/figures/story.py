"""A run as a sequence of still pictures: what stands, what is on trial, and the sentence that goes with it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from pgcn.events import (
    BlockJudged,
    BlockProposed,
    BlockRejected,
    Event,
    LayerAccepted,
    LayerRejected,
    RunFinished,
    RunStarted,
    Scores,
)


@dataclass(frozen=True, kw_only=True)
class Block:
    """A block of neurons on the canvas; ``status`` is on trial, accepted or rejected."""

    layer: int
    number: int
    width: int
    status: str
    about: str


@dataclass(frozen=True, kw_only=True)
class Snapshot:
    """The state of a run after one of its decisions."""

    blocks: tuple[Block, ...]
    rejected: int
    parameters: int
    scores: Scores | None
    judged: int
    title: str
    sentence: str


def snapshots(events: Sequence[Event]) -> list[Snapshot]:
    """Return one picture for each event that changes what is to be seen, the empty network first."""
    started = events[0]
    now = Snapshot(
        blocks=(),
        rejected=0,
        parameters=0,
        scores=None,
        judged=0,
        title="The run begins",
        sentence=opening_sentence(started),
    )
    pictures = [now]
    for event in events[1:]:
        # What was crossed out fades with the next thing that happens.
        standing = tuple(block for block in now.blocks if block.status != "rejected")
        here = tuple(b for b in standing if isinstance(event, BlockJudged) and is_at(b, event))
        if isinstance(event, BlockProposed):
            block = Block(
                layer=event.layer,
                number=event.block,
                width=event.width,
                status="on trial",
                about=f"Layer {event.layer}, block {event.block}: {event.width} neurons, on trial",
            )
            now = replace(
                now,
                blocks=(*standing, block),
                title=f"Layer {event.layer}, block {event.block} is on trial",
                sentence=f"With it the network has {event.parameters:,} parameters. Training…",
            )
        elif isinstance(event, BlockJudged):
            taken = not isinstance(event, BlockRejected)
            status = "accepted" if taken else "rejected"
            block = replace(here[0], status=status, about=about(event))
            now = replace(
                now,
                blocks=(*(b for b in standing if b not in here), block),
                rejected=now.rejected + (not taken),
                parameters=event.parameters,
                scores=event.after if taken else now.scores,
                judged=now.judged + 1,
                title=f"Layer {event.layer}, block {event.block} is {'kept' if taken else 'taken back'}",
                sentence=event.reason,
            )
        elif isinstance(event, LayerAccepted):
            now = replace(now, blocks=standing, title=f"Layer {event.layer} stays", sentence=event.reason)
        elif isinstance(event, LayerRejected):
            blocks = tuple(replace(b, status="rejected") if b.layer == event.layer else b for b in standing)
            now = replace(
                now,
                blocks=blocks,
                parameters=event.parameters,
                title=f"Layer {event.layer} is taken back",
                sentence=event.reason,
            )
        elif isinstance(event, RunFinished):
            now = replace(
                now,
                blocks=standing,
                parameters=event.parameters,
                scores=event.scores,
                title="The run has ended",
                sentence=event.reason,
            )
        else:
            continue
        pictures.append(now)
    return pictures


def is_at(block: Block, event: BlockJudged) -> bool:
    return (block.layer, block.number) == (event.layer, event.block)


def opening_sentence(started: RunStarted) -> str:
    return (
        f"{started.dataset}: {started.nodes:,} nodes, {started.features:,} features, {started.classes} classes; "
        f"{started.labelled} labelled, {started.val} validation, {started.test} test nodes ({started.split})."
    )


def about(event: BlockJudged) -> str:
    """Return what hovering over a judged block tells, a line for each fact."""
    lines = [f"Layer {event.layer}, block {event.block}: {event.width} neurons"]
    for name, label in (("labelled", "labelled"), ("val", "validation"), ("test", "test")):
        after = 100 * getattr(event.after, f"{name}_accuracy")
        if event.before is None:
            lines.append(f"{label} accuracy {after:.1f} %")
        else:
            lines.append(
                f"{label} accuracy {100 * getattr(event.before, f'{name}_accuracy'):.1f} % → {after:.1f} %"
            )
    lines.append(f"parameters {event.parameters_before:,} → {event.parameters:,}")
    lines.append(f"error E after the solve {event.error_solved:.3g}, after fine-tuning {event.error_tuned:.3g}")
    lines.append(event.reason)
    return "<br>".join(lines)
