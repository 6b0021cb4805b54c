"""Choosing among runs and among methods. Standard library only.

Runs are chosen by validation accuracy; what they reach on test nodes is looked at afterwards.
"""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, kw_only=True)
class BestOf:
    """Test accuracy to expect of the best-validation run among ``n``, and its standard deviation."""

    n: int
    mean: float
    sd: float


def chosen_shares(val: Sequence[float], n: int) -> list[float]:
    """Return how likely each of N runs is to be the best by validation among n of them drawn without replacement.

    Runs of equal validation accuracy are as likely as each other. Of N runs, b better ones and t equal ones, one of
    the equal ones is chosen where none of the better is drawn and one of them is:
    (C(N - b, n) - C(N - b - t, n)) / C(N, n).
    """
    if not 1 <= n <= len(val):
        raise ValueError(f"n must be from 1 to {len(val)}, the number of runs; got {n}.")
    total, counts = math.comb(len(val), n), Counter(val)
    worse, shares = 0, {}
    for value, equal in sorted(counts.items()):
        shares[value] = (math.comb(worse + equal, n) - math.comb(worse, n)) / total / equal
        worse += equal
    return [shares[value] for value in val]


def best_of(val: Sequence[float], test: Sequence[float], n: int) -> BestOf:
    """Return what to expect on test nodes of the best of n runs by validation; n = 1 is the mean of all."""
    shares = chosen_shares(val, n)
    mean = sum(share * value for share, value in zip(shares, test, strict=True))
    variance = sum(share * (value - mean) ** 2 for share, value in zip(shares, test, strict=True))
    return BestOf(n=n, mean=mean, sd=math.sqrt(variance))


def best_positions(val: Sequence[float]) -> list[int]:
    """Return the positions of the runs of best validation accuracy, several where they are equal."""
    most = max(val)
    return [position for position, value in enumerate(val) if value == most]


def pareto_front(points: Sequence[tuple[float, float]]) -> list[int]:
    """Return the positions of the (cost, accuracy) pairs that no other dominates, from the cheapest on.

    A pair dominates another if it costs no more, is no less accurate, and is better in one of the two.
    """
    front: list[int] = []
    for position in sorted(range(len(points)), key=lambda i: (points[i][0], -points[i][1])):
        last = points[front[-1]] if front else (-math.inf, -math.inf)
        if points[position][1] > last[1] or points[position] == last:
            front.append(position)
    return front
