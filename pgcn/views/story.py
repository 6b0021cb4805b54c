"""A run as a sequence of still pictures: what stands, what is a candidate, and the sentence that goes with it."""

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
from pgcn.methods.pgcn.explain import decision_sentence
from pgcn.methods.pgcn.margins import thin_sentence


@dataclass(frozen=True, kw_only=True)
class Block:
    """A block of neurons on the canvas; ``status`` is candidate, accepted or rejected.

    ``tried`` counts the blocks in the order they were tried, from 0; ``fan_in`` is the width of what feeds it,
    ``parameters`` those of the network with it.
    """

    tried: int
    layer: int
    number: int
    width: int
    status: str
    about: str
    fan_in: int
    parameters: int


@dataclass(frozen=True, kw_only=True)
class Snapshot:
    """The state of a run after one of its decisions.

    ``kind`` says what happened: start, proposed, accepted, rejected, layer or end; ``tried`` how many blocks had
    been tried by then, ``judged`` how many judged, ``rejected`` how many rejected in each layer.
    """

    kind: str
    blocks: tuple[Block, ...]
    tried: int
    rejected: dict[int, int]
    layers_rejected: int
    parameters: int
    scores: Scores | None
    judged: int
    title: str
    sentence: str

    @property
    def topology(self) -> tuple[int, ...]:
        """Neurons of each layer, without what is a candidate or crossed out."""
        widths: dict[int, int] = {}
        for block in self.blocks:
            if block.status == "accepted":
                widths[block.layer] = widths.get(block.layer, 0) + block.width
        return tuple(widths[layer] for layer in sorted(widths))


def snapshots(events: Sequence[Event]) -> list[Snapshot]:
    """Return one picture for each event that changes what is to be seen, the empty network first."""
    started = events[0]
    now = Snapshot(
        kind="start",
        blocks=(),
        tried=0,
        rejected={},
        layers_rejected=0,
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
                tried=now.tried,
                layer=event.layer,
                number=event.block,
                width=event.width,
                status="candidate",
                about=f"Layer {event.layer}, block {event.block}: {event.width} neurons, candidate",
                fan_in=(started.features, *event.topology)[event.layer - 1],
                parameters=event.parameters,
            )
            now = replace(
                now,
                kind="proposed",
                tried=now.tried + 1,
                blocks=(*standing, block),
                title=f"Layer {event.layer}, block {event.block} is a candidate",
                sentence=f"With it the network has {event.parameters:,} parameters. Training…",
            )
        elif isinstance(event, BlockJudged):
            taken = not isinstance(event, BlockRejected)
            status = "accepted" if taken else "rejected"
            block = replace(here[0], status=status, about=about(event, here[0], started))
            now = replace(
                now,
                kind=status,
                blocks=(*(b for b in standing if b not in here), block),
                rejected=now.rejected if taken else one_more(now.rejected, event.layer),
                parameters=event.parameters,
                scores=event.after if taken else now.scores,
                judged=now.judged + 1,
                title=f"Layer {event.layer}, block {event.block} is {'accepted' if taken else 'rejected'}",
                sentence=decision_sentence(event, started),
            )
        elif isinstance(event, LayerAccepted):
            now = replace(
                now,
                kind="layer",
                blocks=standing,
                title=f"Layer {event.layer} is accepted",
                sentence=decision_sentence(event, started),
            )
        elif isinstance(event, LayerRejected):
            blocks = tuple(replace(b, status="rejected") if b.layer == event.layer else b for b in standing)
            now = replace(
                now,
                kind="rejected",
                blocks=blocks,
                layers_rejected=now.layers_rejected + 1,
                parameters=event.parameters,
                scores=event.before,
                title=f"Layer {event.layer} is rejected",
                sentence=decision_sentence(event, started),
            )
        elif isinstance(event, RunFinished):
            thin = thin_sentence(events)
            now = replace(
                now,
                kind="end",
                blocks=tuple(block for block in standing if block.status == "accepted"),
                parameters=event.parameters,
                scores=event.scores,
                title=ENDINGS[event.status],
                sentence=" ".join(filter(None, [event.reason, thin and f"{thin}."])),
            )
        else:
            continue
        pictures.append(now)
    return pictures


ENDINGS = {
    "finished": "The run has ended",
    "cancelled": "The run was stopped",
    "failed": "The run failed",
}


def one_more(counts: dict[int, int], layer: int) -> dict[int, int]:
    return {**counts, layer: counts.get(layer, 0) + 1}


def is_at(block: Block, event: BlockJudged) -> bool:
    return (block.layer, block.number) == (event.layer, event.block)


def opening_sentence(started: RunStarted) -> str:
    return (
        f"{started.dataset}: {started.nodes:,} nodes, {started.features:,} features, {started.classes} classes; "
        f"{started.labelled} labelled, {started.val} validation, {started.test} test nodes ({started.split})."
    )


def about(event: BlockJudged, block: Block, started: RunStarted) -> str:
    """Return what hovering over a judged block tells, a line for each fact."""
    lines = [
        f"Layer {event.layer}, block {event.block}: {event.width} neurons",
        f"weights {block.fan_in:,} × {block.width} = {block.fan_in * block.width:,}",
    ]
    for name, label in (("labelled", "training"), ("val", "validation"), ("test", "test")):
        after = 100 * getattr(event.after, f"{name}_accuracy")
        if event.before is None:
            lines.append(f"{label} accuracy {after:.1f} %")
        else:
            lines.append(
                f"{label} accuracy {100 * getattr(event.before, f'{name}_accuracy'):.1f} % → {after:.1f} %"
            )
    lines.append(f"parameters {event.parameters_before:,} → {block.parameters:,}")
    lines.append(f"error E after the solve {event.error_solved:.3g}, after fine-tuning {event.error_tuned:.3g}")
    lines.append(decision_sentence(event, started))
    return "\n".join(lines)
