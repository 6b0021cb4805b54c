"""What a synthetic graph looks like: its settings, checked. No torch."""

from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from pgcn.config import Config, option, seed_option
from pgcn.errors import ConfigError

MOST_ENTRIES = 500_000_000
"""Edges, words of all nodes, or numbers of a projection: some gigabytes."""


@dataclass(frozen=True, kw_only=True)
class SyntheticConfig(Config):
    """What a synthetic graph looks like. The defaults are about as hard as Cora."""

    nodes: int = option(2000, "Number of nodes.", at_least=10, at_most=20_000_000)
    classes: int = option(7, "Number of classes; the largest is twice the smallest.", at_least=2, at_most=10_000)
    features: int = option(500, "Number of words in the vocabulary.", at_least=2, at_most=1_000_000)
    average_degree: float = option(4.0, "Neighbours per node, on average.", above=0, at_most=1_000_000)
    homophily: float = option(0.8, "Share of the edges that join nodes of the same class, 0 to 1.")
    words_per_node: int = option(
        18, "Words drawn for each node; the same may be drawn twice.", at_least=1, at_most=100_000
    )
    topic: float = option(0.35, "Share of the words drawn from the node's own topic, 0 to 1.")
    seed: int = seed_option("Seed of the graph and its split.")

    def __post_init__(self) -> None:
        super().__post_init__()
        for name in ("homophily", "topic"):
            if not 0 <= getattr(self, name) <= 1:
                raise ConfigError(f"{name} must be between 0 and 1, got {getattr(self, name)}.")
        for name in ("average_degree", "words_per_node"):
            entries = self.nodes * getattr(self, name)
            if entries > MOST_ENTRIES:
                raise ConfigError(
                    f"nodes times {name} must be at most {MOST_ENTRIES:,}, got {entries:,.0f}: it would not fit "
                    "into memory. Ask for fewer nodes or a smaller value."
                )
        if self.nodes < 5 * self.classes:
            raise ConfigError(
                f"nodes must be at least 5 per class, {5 * self.classes} for {self.classes} classes, "
                f"got {self.nodes}."
            )
        if self.features < self.classes:
            raise ConfigError(
                f"features must be at least the number of classes ({self.classes}), got {self.features}."
            )
        sizes = [int(size) for size in self.class_sizes]
        same = sum(size * (size - 1) // 2 for size in sizes)
        pairs = {"the same class": same, "different classes": self.nodes * (self.nodes - 1) // 2 - same}
        for (kind, available), wanted in zip(pairs.items(), self.edge_counts, strict=True):
            if wanted > available / 2:
                raise ConfigError(
                    f"average_degree {self.average_degree:g} with homophily {self.homophily:g} needs "
                    f"{wanted} edges between nodes of {kind}, more than half of all {available} pairs. "
                    "Ask for a smaller degree or more nodes."
                )

    @classmethod
    def of(cls, **options: Any) -> Self:
        """Return the settings that somebody asks for now."""
        cls.check_names(options)
        return cls(**options)

    @property
    def class_sizes(self) -> np.ndarray:
        """Nodes of each class, growing evenly from the smallest to twice as many."""
        ends = np.cumsum(np.linspace(1, 2, self.classes))
        return np.diff(np.round(ends / ends[-1] * self.nodes).astype(np.int64), prepend=0)

    @property
    def edge_counts(self) -> tuple[int, int]:
        """How many edges join nodes of the same class, and how many nodes of different classes."""
        total = round(self.nodes * self.average_degree / 2)
        within = round(self.homophily * total)
        return within, total - within

    def describe(self) -> str:
        return (
            f"Synthetic, seed {self.seed}: {self.nodes} nodes in {self.classes} classes, average degree "
            f"{self.average_degree:g}, homophily {self.homophily:g}; {self.words_per_node} words drawn per "
            f"node from {self.features}, a share of {self.topic:g} from its topic."
        )
