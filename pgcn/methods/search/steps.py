"""The steps of a search: every architecture that was the best so far. No torch."""

from collections.abc import Sequence

from pgcn.events import Event
from pgcn.methods.search.events import ArchitectureJudged, FinalTrained
from pgcn.methods.steps import Step


def best_so_far(events: Sequence[Event]) -> list[Step]:
    """Return a step for every architecture that was the best so far, first of the search, then of its end."""
    best = [event for event in events if isinstance(event, ArchitectureJudged | FinalTrained) and event.best]
    return [
        Step(number=number, title=architecture_title(event), topology=event.topology)
        for number, event in enumerate(best, start=1)
    ]


def architecture_title(event: ArchitectureJudged | FinalTrained) -> str:
    """Return for example 'Architecture 3: 8×16 gat sum relu → 1×7 gcn sum linear'."""
    place = "Architecture" if isinstance(event, ArchitectureJudged) else "Retrained network"
    return f"{place} {event.number}: {event.text}"


def judged(events: Sequence[Event]) -> int:
    """Return how many events a resumed search keeps: up to the last architecture that was judged."""
    last = [n for n, event in enumerate(events) if isinstance(event, ArchitectureJudged | FinalTrained)]
    return last[-1] + 1 if last else 1


def reported(events: Sequence[Event]) -> list[FinalTrained]:
    """Return what a search reports the mean of."""
    return [event for event in events if isinstance(event, FinalTrained)]
