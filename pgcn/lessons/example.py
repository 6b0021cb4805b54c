"""The example of the tour: its graph and its run. Nothing heavy is imported before they are made."""

import functools
from typing import TYPE_CHECKING, Any

from pgcn.methods.pgcn import GrowthConfig, growth_preset

if TYPE_CHECKING:
    from pgcn.graph import Graph

RECIPE: dict[str, Any] = {
    "name": "synthetic",
    "nodes": 36,
    "classes": 3,
    "features": 8,
    "average_degree": 3.6,
    "words_per_node": 4,
    "topic": 0.5,
    "homophily": 0.8,
    "seed": 0,
}
CHANGES: dict[str, Any] = {"block_width": 3, "dropout": 0.0, "epochs": 100}
"""What the tour changes of the preset: blocks small enough to print, no dropout, seconds at most."""
TOUR: GrowthConfig = growth_preset(**CHANGES, seed=1)
"""Seed 1 was chosen because everything happens in it: blocks and a layer are accepted, others are rejected."""


@functools.cache
def tour_graph() -> "Graph":
    """Return the tour's graph: 36 nodes in three classes, two labelled nodes of each."""
    from pgcn.data import load_graph

    return load_graph(**RECIPE)


def compute_stop(name: str) -> dict[str, Any]:
    """Return the numbers of a stop; called in a worker process."""
    from pgcn.lessons.tour import LESSONS

    return LESSONS[name]()
