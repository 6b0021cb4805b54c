"""The steps of growth: every accepted block. No torch."""

from collections.abc import Sequence

from pgcn.events import Event, opening
from pgcn.methods.pgcn.events import BlockAccepted, BlockJudged, LayerJudged, LayerRejected, Undone
from pgcn.methods.steps import Step, describe


def accepted_blocks(events: Sequence[Event]) -> list[Step]:
    """Return a step for every accepted block; those undone, or of a layer that was rejected later, do not stand."""
    accepted = [event for event in events if isinstance(event, BlockAccepted)]
    standing = set(standing_steps(events))
    return [
        Step(
            number=number,
            title=f"Layer {event.layer}, block {event.block}: {describe(opening(events), event.topology)}",
            topology=event.topology,
            stands=number in standing,
        )
        for number, event in enumerate(accepted, start=1)
    ]


def standing_steps(events: Sequence[Event]) -> list[int]:
    """Return the numbers of the accepted blocks that the network which stands is made of."""
    standing: list[tuple[int, int]] = []
    number = 0
    for event in events:
        if isinstance(event, BlockAccepted):
            number += 1
            standing.append((number, event.layer))
        elif isinstance(event, Undone):
            standing.pop()
        elif isinstance(event, LayerRejected):
            standing = [(step, layer) for step, layer in standing if layer != event.layer]
    return [step for step, _ in standing]


def decided(events: Sequence[Event]) -> int:
    """Return how many events a resumed run keeps: up to the last decision; a candidate after it is tried again."""
    kinds = BlockJudged | LayerJudged | Undone
    last = [number for number, event in enumerate(events) if isinstance(event, kinds)]
    return last[-1] + 1 if last else 1
