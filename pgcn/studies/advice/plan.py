"""What an advice trains, and how much of it at a time. No torch."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pgcn.config import RunConfig
from pgcn.errors import ConfigError
from pgcn.execution.limits import bytes_text, machine_memory
from pgcn.execution.memory import RunMemory
from pgcn.methods.gcn import GCNConfig
from pgcn.methods.pgcn import GrowthConfig
from pgcn.studies.advice.evidence import NARROW, WIDE

if TYPE_CHECKING:
    from pgcn.data.catalogue import GraphFacts

GCNS = {NARROW: (16,), WIDE: (64,)}
GCN_SEEDS = 5
GCN_SHARE = 0.5
"""Of the budget, at most, for the GCNs."""
SEEDS, ROUNDS = 3, 2
"""Seeds of each preset in a round, and rounds at most."""
FEWEST_SEEDS = 2
"""Of a graph so large that runs are not trained together; of one nothing would be known of chance."""
FIRST_SHARE = 0.6
"""Of what is left of an advice's budget, at most, for the preset that is tried first: one that comes to its end
says more than several that are cut short."""
LANES = 1_000_000
"""Nodes of the whole graph times runs that are trained together: more would take too much memory."""


@dataclass(frozen=True, kw_only=True)
class Contender:
    """What is tried: a method's settings, whatever the seed."""

    name: str
    method: str
    config: RunConfig


def together(nodes: int, runs: int) -> int:
    """Return how many of some runs are trained together on a graph of so many nodes."""
    return max(1, min(runs, LANES // nodes))


def seeds_for(nodes: int, usual: int) -> int:
    """Return how many seeds of a contender are trained on a graph of so many nodes."""
    return usual if together(nodes, usual) == usual else FEWEST_SEEDS


def most_memory(facts: "GraphFacts", *, dense: bool = False, processes: int = 0) -> int:
    """Return the bytes that an advice is estimated to take; in turn it trains one contender after another."""
    wide = [GCNConfig(hidden=GCNS[WIDE])] * together(facts.nodes, GCN_SEEDS)
    grown = [GrowthConfig()] * together(facts.nodes, SEEDS)
    return max(RunMemory(facts, configs, processes, dense=dense).now for configs in (wide, grown))


def check_room(facts: "GraphFacts", *, dense: bool = False) -> None:
    """Refuse an advice, or a choice, that this machine has not the memory for."""
    needed, there = most_memory(facts, dense=dense), machine_memory()
    if needed > there:
        raise ConfigError(
            f"This would take about {bytes_text(needed)} of memory; this machine has {bytes_text(there)}. Use a "
            "smaller graph."
        )
