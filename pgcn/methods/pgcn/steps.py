"""The steps of growth: every accepted block. No torch."""

from collections.abc import Sequence

from pgcn.events import Event, opening
from pgcn.methods.pgcn.events import BlockAccepted, BlockJudged, LayerJudged, LayerRejected
from pgcn.methods.steps import Step, describe


def accepted_blocks(events: Sequence[Event]) -> list[Step]:
    """Return a step for every accepted block; those of a layer that was rejected later do not stand."""
    rejected = {event.layer for event in events if isinstance(event, LayerRejected)}
    accepted = [event for event in events if isinstance(event, BlockAccepted)]
    return [
        Step(
            number=number,
            title=f"Layer {event.layer}, block {event.block}: {describe(opening(events), event.topology)}",
            topology=event.topology,
            stands=event.layer not in rejected,
        )
        for number, event in enumerate(accepted, start=1)
    ]


def decided(events: Sequence[Event]) -> int:
    """Return how many events a resumed run keeps: up to the last decision; a candidate after it is tried again."""
    last = [number for number, event in enumerate(events) if isinstance(event, BlockJudged | LayerJudged)]
    return last[-1] + 1 if last else 1
