"""How much memory a job will take, estimated before it starts from what is known of its graph. No torch.

Measured: a process takes 460 MB before it has a graph, part of which it shares; a million edges take 80 MB; a run
takes 20 bytes for each node and hidden neuron, each of several side by side its own; the closed form of a layer of
8000 neurons takes 1.9 GB, whatever the graph. Estimates are above that.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from pgcn.config import NetworkSize, RunConfig
from pgcn.errors import ConfigError
from pgcn.events import RunEvent
from pgcn.execution.limits import bytes_text, machine_memory

if TYPE_CHECKING:
    from pgcn.data.catalogue import GraphFacts

PROCESS = 300 * 2**20
"""Of a process of its own: what it does not share with others."""
EDGE, WORD, NEURON = 100, 16, 24
"""Of an edge, of a feature that is not 0, and of a node's value in a hidden layer."""
WEIGHT, NUMBER, SYSTEM = 16, 4, 40
"""Of a weight with its gradient and Adam's two means, of a number that is kept for an edge, and of a number of the
system that the closed form solves: its parts and sums are several at a time."""
WORDS = 100
"""Features of a node that are not 0, where nothing is known: bags of words have fewer."""


def check_memory(
    facts: "GraphFacts", configs: Sequence[RunConfig], workers: int = 1, *, dense: bool = False
) -> None:
    """Refuse runs that this machine has not the memory for, before anything of them is built."""
    processes = min(workers, len(configs))
    needed, there = RunMemory(facts, configs, processes if processes > 1 else 0, dense=dense).now, machine_memory()
    if needed > there:
        raise ConfigError(
            f"This would take about {bytes_text(needed)} of memory; this machine has {bytes_text(there)}. Use a "
            "smaller graph, fewer runs at a time or narrower layers."
        )


class Memory:
    """The bytes that a job is estimated to take: ``now`` rises where events say that it takes more."""

    def __init__(self, now: int = 0) -> None:
        self.now = now

    def follow(self, event: RunEvent) -> None:
        """Take note of what has happened."""


class RunMemory(Memory):
    """Of runs side by side on a graph, divided among ``processes`` of their own, 0 for none."""

    def __init__(
        self, facts: "GraphFacts", configs: Sequence[RunConfig], processes: int = 0, *, dense: bool = False
    ) -> None:
        """``dense`` says that the features are projected: none of them is 0."""
        self._facts, self._at_once = facts, max(1, processes)
        self._base = processes * PROCESS + (1 + processes) * graph_memory(facts, dense=dense)
        self._sizes = [config.size() for config in configs]
        super().__init__(self._total())

    def follow(self, event: RunEvent) -> None:
        topology = getattr(event.event, "topology", ())
        if event.run < len(self._sizes) and topology:
            self._sizes[event.run] = grown(self._sizes[event.run], topology)
            self.now = max(self.now, self._total())

    def _total(self) -> int:
        networks = sum(network_memory(self._facts, size) for size in self._sizes)
        systems = [SYSTEM * max(size.widths) ** 2 for size in self._sizes if size.solves and size.widths]
        return self._base + networks + self._at_once * max(systems, default=0)  # solved one after another


def grown(size: NetworkSize, topology: Sequence[int]) -> NetworkSize:
    """Return a size that follows a topology; it stays where it is larger all the same."""
    larger = sum(topology) > sum(size.widths) or max(topology) > max(size.widths, default=0)
    return replace(size, widths=tuple(topology)) if larger else size


def network_memory(facts: "GraphFacts", size: NetworkSize) -> int:
    """Return the bytes of a network in training: its weights, and what it computes at every node and edge."""
    weights = WEIGHT * size.parameters(facts.features, facts.classes)
    values = NEURON * facts.nodes * sum(size.widths) + NUMBER * size.edge * (2 * facts.edges + facts.nodes)
    return size.copies * (weights + values)


def graph_memory(facts: "GraphFacts", *, dense: bool = False) -> int:
    """Return the bytes of a graph that is prepared for computing."""
    words = facts.features if dense else min(facts.features, WORDS)
    return EDGE * facts.edges + WORD * facts.nodes * words
