"""Personalised PageRank as a readout operator (Klicpera et al., 2019), for some nodes and for all.

    Π = α Σ_{t<K} (1−α)^t Â^t + (1−α)^K Â^K   →   α (I − (1−α)Â)⁻¹   as K grows

For all nodes ΠM is computed by K power steps, Z ← (1−α)ÂZ + αM, and Π is never formed. Training needs a few rows of
Π only: these are formed once, and of each row the largest entries are kept. Bojchevski et al. (2020) show that few
suffice. What is left out is known (:attr:`PageRankRows.left_out`): with 32 entries and α = 0.1 on average 27 %
of a labelled node's row on Cora's public split, 12 % on CiteSeer's, 37 % on PubMed's. Validation accuracy does not
tell it from 64 entries (RESULTS.md).
"""

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import scipy.sparse as sp
from torch import Tensor

from pgcn.engine.sparse import SparseOperator

POWER_STEPS = 10
WORKING = 8
"""While the rows are computed, each holds at most this many times the entries that are kept of it."""
AT_ONCE = 5_000_000
"""Multiplications of a step whose results are held at a time: with many labelled nodes they would fill memory."""


class PageRank(NamedTuple):
    """Which Π: its restart probability, and how many entries of a row are kept for training."""

    teleport: float
    entries: int


class PowerSteps:
    """Π of all nodes, as an operator like :class:`pgcn.engine.sparse.SparseOperator`; it is symmetric as Â is."""

    def __init__(self, step: SparseOperator, teleport: float) -> None:
        self.step, self.teleport, self.shape = step, teleport, step.shape

    def on_lanes(self, lanes: Tensor) -> Tensor:
        """Return Π applied to every lane, [K, n, w] -> [K, n, w]."""
        restart = self.teleport * lanes
        for _ in range(POWER_STEPS):
            lanes = self.step.on_lanes(lanes).mul_(1 - self.teleport).add_(restart)
        return lanes


@dataclass(frozen=True, kw_only=True, eq=False)
class PageRankRows:
    """Some rows of Π with their largest entries, [n, N].

    left_out    the share of each row's sum that the entries left out have, [n]
    """

    matrix: sp.csr_array
    left_out: np.ndarray

    @cached_property
    def error(self) -> float:
        """The largest share left out."""
        return float(self.left_out.max(initial=0.0))


def pagerank_rows(propagation: sp.csr_array, nodes: np.ndarray, teleport: float, entries: int) -> PageRankRows:
    """Return rows of Π for Â [N, N], at most ``entries`` in each, scaled to the sums they have when complete.

    Entries are never negative, so that what was left out is known exactly: the complete rows sum to Π1.
    """
    size = propagation.shape[0]
    start = sp.csr_array((np.ones(len(nodes)), (np.arange(len(nodes)), nodes)), (len(nodes), size))
    adjacency = propagation.astype(np.float64)
    rows = start
    for _ in range(POWER_STEPS):
        parts = [
            largest_entries((1 - teleport) * (rows[some] @ adjacency) + teleport * start[some], WORKING * entries)
            for some in rows_at_once(rows, adjacency)
        ]
        rows = parts[0] if len(parts) == 1 else sp.csr_array(sp.vstack(parts, format="csr"))
    rows = largest_entries(rows, entries)
    sums = ones = np.ones(size)
    for _ in range(POWER_STEPS):
        sums = (1 - teleport) * (adjacency @ sums) + teleport * ones
    kept, complete = np.asarray(rows.sum(axis=1)).reshape(-1), sums[nodes]
    rows.data *= np.repeat(complete / kept, np.diff(rows.indptr))
    return PageRankRows(matrix=rows.astype(np.float32), left_out=1 - kept / complete)


def rows_at_once(rows: sp.csr_array, adjacency: sp.csr_array) -> list[slice]:
    """Return which rows are multiplied together: in a product of about :data:`AT_ONCE` multiplications."""
    work = np.cumsum(np.diff(adjacency.indptr)[rows.indices], dtype=np.int64)
    ends = np.concatenate([[0], work])[rows.indptr[1:]]
    borders = np.flatnonzero(np.diff(ends // AT_ONCE)) + 1
    return [slice(first, end) for first, end in pairwise([0, *borders.tolist(), rows.shape[0]])]


def largest_entries(matrix: sp.csr_array, count: int) -> sp.csr_array:
    """Return a matrix with the ``count`` largest entries of each row; of equal ones those of the first columns."""
    matrix = sp.csr_array(matrix)
    matrix.sort_indices()
    counts = np.diff(matrix.indptr)
    if counts.max(initial=0) <= count:
        return matrix
    kept = np.ones(matrix.nnz, dtype=bool)
    for row in np.flatnonzero(counts > count):
        own = slice(matrix.indptr[row], matrix.indptr[row + 1])
        values, surplus = matrix.data[own], counts[row] - count
        least = np.partition(values, surplus)[surplus]
        chosen = values >= least
        chosen[np.flatnonzero(values == least)[count - np.count_nonzero(values > least) :]] = False
        kept[own] = chosen
    indptr = np.concatenate([[0], np.cumsum(np.minimum(counts, count))])
    return sp.csr_array((matrix.data[kept], matrix.indices[kept], indptr), matrix.shape)


def propagated_by_pagerank(propagation: Tensor, values: Tensor, teleport: float) -> Tensor:
    """Return Π times values [N, C], for Â as a sparse torch matrix."""
    outputs = values
    for _ in range(POWER_STEPS):
        outputs = (1 - teleport) * (propagation @ outputs) + teleport * values
    return outputs
