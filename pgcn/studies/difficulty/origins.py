"""Where PGCN's lead over GCN comes from: from size, from depth, from growing. No torch.

Between the two stand the matched GCN, which has PGCN's parameters, epochs and dropout in one hidden layer, and the
network of the same topology, which has all but the growth.
"""

from dataclasses import dataclass
from itertools import pairwise

from pgcn.studies.difficulty.contenders import REFERENCE
from pgcn.studies.difficulty.results import Results
from pgcn.studies.difficulty.task import Place
from pgcn.studies.statistics import Spread

CHAIN = (REFERENCE, "matched-gcn", "same-topology", "pgcn-ce")
STEPS = {
    "size": "as many parameters, epochs and dropout in one hidden layer (matched GCN)",
    "depth": "the topology it found (trained from scratch)",
    "growing": "growing it block by block",
}


@dataclass(frozen=True, kw_only=True)
class Origins:
    """Test accuracies (%) of the chain in the experiments that all of it has, and what each step adds (points)."""

    levels: tuple[tuple[float, ...], ...]
    """One tuple of accuracies for each method of :data:`CHAIN`."""
    steps: dict[str, Spread]
    total: Spread


def lead_origins(results: Results, place: Place) -> Origins | None:
    """Return what PGCN's lead at a place is made of; None where a method of the chain has no result."""
    shared = results.shared(place, *CHAIN)
    if shared is None:
        return None

    def added(before: tuple[float, ...], after: tuple[float, ...]) -> Spread:
        return Spread.of([two - one for one, two in zip(before, after, strict=True)], recorded=shared.recorded)

    levels = shared.accuracies
    steps = {name: added(*pair) for name, pair in zip(STEPS, pairwise(levels), strict=True)}
    return Origins(levels=levels, steps=steps, total=added(levels[0], levels[-1]))


def origins_sentence(results: Results, place: Place) -> str | None:
    """Say what PGCN's lead over GCN comes from."""
    found = lead_origins(results, place)
    if found is None:
        return None
    parts = ", ".join(f"{step.text(sign='+')} with {STEPS[name]}" for name, step in found.steps.items())
    return (
        f"PGCN (CE) minus GCN at D' = {place.dims:,} and {place.rate:g} % labelled is {found.total.text(sign='+')} "
        f"points: {parts}."
    )
