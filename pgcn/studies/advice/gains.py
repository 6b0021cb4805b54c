"""One contender minus another, measured on the same nodes, with what chance may have done. No torch.

Two things are left to chance: which nodes measure, and the seeds of the runs. With d_i the difference of the two
shares of runs that are right about node i, and a_s the accuracy of seed s,

    mean = mean_i(d_i)     variance = var(d)/n + var(a)/S + var(a')/S'

which counts what nodes and seeds do together twice: an interval a little too wide. The degrees of freedom are
Welch and Satterthwaite's.
"""

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pgcn.numbers import signed
from pgcn.studies.statistics import t_quantile

if TYPE_CHECKING:
    import numpy as np


@dataclass(frozen=True, kw_only=True)
class Gain:
    """A difference in points of accuracy over so many nodes; ``low`` and ``high`` are its 95 % interval.

    ``error`` is its standard error. It is never surer than n nodes can be: where the two agree on all of them, they
    may still differ on a share of 1 − 0.025^(1/n) of the nodes there are.
    """

    mean: float
    error: float
    low: float
    high: float
    nodes: int
    runs: tuple[int, int]

    @property
    def is_clear(self) -> bool:
        """Whether the interval leaves out 0."""
        return self.low > 0 or self.high < 0

    def interval(self) -> str:
        """Return for example '95 % CI +0.4 to +2.0'."""
        return f"95 % CI {signed(self.low)} to {signed(self.high)}"

    def text(self) -> str:
        """Return for example '+1.2 points (95 % CI +0.4 to +2.0)'."""
        return f"{signed(self.mean)} points ({self.interval()})"

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> "Gain":
        return cls(**{**values, "runs": tuple(values["runs"])})


def gain(one: "np.ndarray", other: "np.ndarray") -> Gain | None:
    """Return one minus other; each says which runs [S, n] are right about which of the same n nodes.

    None where there are fewer than two nodes, or one run of either: nothing is known of chance then.
    """
    nodes, runs = one.shape[1], (len(one), len(other))
    if nodes < 2 or min(runs) < 2:
        return None
    differences = one.mean(axis=0) - other.mean(axis=0)  # [n]
    parts = [(float(differences.var(ddof=1)) / nodes, nodes - 1)]
    parts += [(float(right.mean(axis=1).var(ddof=1)) / len(right), len(right) - 1) for right in (one, other)]
    variance = sum(part for part, _ in parts)
    half = 0.0
    if variance > 0:
        freedom = variance**2 / sum(part**2 / free for part, free in parts)
        half = t_quantile(max(1, int(freedom))) * math.sqrt(variance)
    half = max(half, unseen(nodes))
    mean = float(differences.mean())
    return Gain(
        mean=100 * mean,
        error=100 * math.sqrt(variance),
        low=100 * (mean - half),
        high=100 * (mean + half),
        nodes=nodes,
        runs=runs,
    )


def unseen(nodes: int) -> float:
    """Return the largest share of nodes with a property that so many nodes without it leave possible (97.5 %)."""
    return 1 - 0.025 ** (1 / nodes)
