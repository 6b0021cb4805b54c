"""Fewer features by random projection: X' = X M_r / √D'.

M' is D x D with standard normal entries, drawn once per seed; M_r is its first D' columns, so that the projections
of one seed are nested: column j is the same whatever D' is asked for. E[X'X'ᵀ] = XXᵀ.
"""

import numpy as np

from pgcn.data.splits import generator
from pgcn.data.synthetic_config import MOST_ENTRIES
from pgcn.errors import ConfigError, shown
from pgcn.graph import Graph


def projection_matrix(num_features: int, dims: int, seed: int) -> np.ndarray:
    """Return M_r / √D', float64 [D, D']; only the columns asked for are drawn."""
    if isinstance(dims, bool) or not isinstance(dims, int) or not 1 <= dims <= num_features:
        raise ConfigError(
            f"dims must be a whole number from 1 to the number of features, {num_features}, got {shown(dims)}."
        )
    check_size(num_features, dims)
    # A stream of its own beside the split's and the synthetic graph's. It is filled row by row: M_r transposed.
    rng = generator(seed).spawn(2)[1]
    return rng.standard_normal((dims, num_features)).T / np.sqrt(dims)


def check_size(rows: int, dims: int) -> None:
    """Refuse a dense matrix that would not fit into memory."""
    if rows * dims > MOST_ENTRIES:
        most = max(1, MOST_ENTRIES // rows)
        raise ConfigError(f"dims must be at most {most:,} here, got {dims:,}: {rows:,} rows would not fit.")


def projected(graph: Graph, dims: int, seed: int) -> Graph:
    """Return the graph with its features projected to ``dims`` dimensions."""
    matrix = projection_matrix(graph.num_features, dims, seed)
    check_size(graph.num_nodes, dims)
    projected = graph.features @ matrix
    note = f"{graph.num_features} features projected at random to {dims}, seed {seed}."
    return graph.with_features(projected.astype(np.float32), note=note)
