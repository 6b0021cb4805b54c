"""What every reader of a format gives: the parts of a graph as they were found, before anything is made of them."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from pgcn.errors import DataError

Progress = Callable[[str, int, int | None], None]
MOST_NODES = 20_000_000
MOST_EDGES = 500_000_000


def no_progress(description: str, done: int, total: int | None) -> None:
    pass


@dataclass(kw_only=True)
class Parts:
    """The raw parts of a graph.

    ids            what nodes are called, an Arrow array of different texts; None where they are numbered from 0
    num_nodes      how many nodes; None where only the edges tell
    columns        features as columns of all kinds, an Arrow table; or
    matrix         features as one matrix [N, D], NumPy or SciPy
    ends           both ends of every edge as texts, two Arrow arrays; or
    edges          as numbers of nodes, [2, E]
    weight         of every edge
    labels         one value for each node, an Arrow array or a NumPy one, None where there are none
    masks          'train', 'val' and 'test', as masks or the numbers of nodes
    place          says where the node of a row was found, such as 'nodes.csv, line 7'
    """

    name: str
    ids: Any = None
    num_nodes: int | None = None
    columns: Any = None
    matrix: Any = None
    feature_names: Sequence[str] | None = None
    ends: tuple[Any, Any] | None = None
    edges: np.ndarray | None = None
    weight: np.ndarray | None = None
    labels: Any = None
    class_names: Sequence[str] | None = None
    masks: dict[str, Any] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    place: Callable[[int], str] = lambda row: f"node {row}"


def check_count(count: int, what: str, most: int, where: str) -> None:
    """Refuse more nodes or edges than fit."""
    if count > most:
        raise DataError(f"{where} has {count:,} {what}; at most {most:,} can be read. Take a part of the graph.")
