"""The event log of a run: a frame after each decision, with the network at that point, a row and a sentence."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from pgcn.events import Event, RunFinished, RunStarted, opening
from pgcn.methods.endings import ending_sentence
from pgcn.methods.pgcn.events import (
    BlockAccepted,
    BlockAwaited,
    BlockJudged,
    BlockProposed,
    BlockRejected,
    LayerAccepted,
    LayerAwaited,
    LayerJudged,
    LayerRejected,
    Undone,
)
from pgcn.methods.pgcn.explain import decision_sentence
from pgcn.methods.pgcn.margins import thin_sentence
from pgcn.numbers import counted
from pgcn.views.event_words import about, opening_sentence, short_decision, short_name
from pgcn.views.frames import Block, Frame, first_frame


def frames_of(events: Sequence[Event]) -> list[Frame]:
    """Return one frame for each event that changes the network or the log, the empty network first."""
    run = opening(events)
    frames = [first_frame(opening_sentence(run))]
    for event in events[1:]:
        if type(event) in NEXT:
            # A rejected block is shown crossed out for one frame.
            blocks = tuple(block for block in frames[-1].blocks if block.status != "rejected")
            row = frames[-1].row + begins_row(event, frames[-1])
            frames.append(NEXT[type(event)](replace(frames[-1], blocks=blocks, row=row), event, run))
    if isinstance(events[-1], RunFinished) and (thin := thin_sentence(events)):
        frames[-1] = replace(frames[-1], sentence=f"{frames[-1].sentence} {thin}.")
    return frames


def begins_row(event: Event, now: Frame) -> bool:
    """Return whether an event has a row of its own; a question and its answer, also an undo, share one."""
    if isinstance(event, BlockAwaited):
        return now.kind == "undone"  # it is asked again, below what was done about it
    return not (isinstance(event, BlockJudged) or (now.kind == "asked" and isinstance(event, LayerJudged | Undone)))


def block_proposed(now: Frame, event: BlockProposed, run: RunStarted) -> Frame:
    block = Block(
        tried=now.tried,
        layer=event.layer,
        number=event.block,
        width=event.width,
        status="candidate",
        about=f"Layer {event.layer}, block {event.block}: {counted(event.width, 'neuron')}, candidate",
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
    judged = replace(judged, blocks=blocks, accepted=step, scores=event.after)
    if run.parent is None or run.parent["step"] != step:
        return judged
    sentence = f"{judged.sentence} The branch begins here."
    return replace(judged, sentence=sentence, short=f"{judged.short}. The branch begins")


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


def block_awaited(now: Frame, event: BlockAwaited, run: RunStarted) -> Frame:
    where = f"Layer {event.layer}, block {event.block}"
    short, sentence = short_decision(event, run, "waits"), decision_sentence(event, run)
    return replace(now, kind="asked", short=short, title=f"{where}: accept it?", sentence=sentence)


def layer_awaited(now: Frame, event: LayerAwaited, run: RunStarted) -> Frame:
    short, sentence = short_decision(event, run, "waits"), decision_sentence(event, run)
    return replace(now, kind="asked", short=short, title=f"Layer {event.layer}: accept it?", sentence=sentence)


def undone(now: Frame, event: Undone, run: RunStarted) -> Frame:
    undone_block = next(block for block in now.blocks if block.status == "accepted" and is_at(block, event))
    others = (block for block in now.blocks if block.status == "accepted" and block is not undone_block)
    return replace(
        now,
        kind="undone",
        blocks=(*others, replace(undone_block, status="candidate", step=0)),
        parameters=event.parameters,
        scores=event.scores,
        short=f"L{event.layer}·B{event.block} undone",
        title=f"Layer {event.layer}, block {event.block}: undone",
        sentence="The previous network is restored exactly.",
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
    BlockAwaited: block_awaited,
    LayerAwaited: layer_awaited,
    Undone: undone,
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


def is_at(block: Block, event: BlockJudged | Undone) -> bool:
    return (block.layer, block.number) == (event.layer, event.block)
