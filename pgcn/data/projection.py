"""Fewer features by random projection: X' = X M_r / √D'.

M' is D x D with standard normal entries, drawn once per seed; M_r is its first D' columns, so that the projections
of one seed are nested: column j is the same whatever D' is asked for. E[X'X'ᵀ] = XXᵀ.
"""

import numpy as np

from pgcn.data.splits import generator
from pgcn.errors import ConfigError
from pgcn.graph import Graph


def projection_matrix(num_features: int, dims: int, seed: int) -> np.ndarray:
    """Return M_r / √D', float64 [D, D']; only the columns asked for are drawn."""
    if isinstance(dims, bool) or not isinstance(dims, int) or not 1 <= dims <= num_features:
        raise ConfigError(
            f"dims must be a whole number from 1 to the number of features, {num_features}, got {dims}."
        )
    # A stream of its own beside the split's and the synthetic graph's. It is filled row by row: M_r transposed.
    rng = generator(seed).spawn(2)[1]
    return rng.standard_normal((dims, num_features)).T / np.sqrt(dims)


def projected(graph: Graph, dims: int, seed: int) -> Graph:
    """Return the graph with its features projected to ``dims`` dimensions."""
    projected = graph.features @ projection_matrix(graph.num_features, dims, seed)
    note = f"{graph.num_features} features projected at random to {dims}, seed {seed}."
    return graph.with_features(projected.astype(np.float32), note=note)
