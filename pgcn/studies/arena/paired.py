"""Two contenders compared over the same splits and seeds. Standard library only."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from pgcn.numbers import signed
from pgcn.studies.statistics import Spread

TEST = "exact sign-flip test"
DIGITS = 9
"""Differences that are equal in so many digits are equal."""
SAME = 1e-6
"""Accuracies are whole numbers of nodes: points that differ by less are equal."""
MOST_UNITS = 1_000_000


@dataclass(frozen=True, kw_only=True)
class Pair:
    """One experiment of both: the ids of the two runs, and one minus other in points of test accuracy."""

    run: str
    other: str
    split_seed: int
    seed: int
    difference: float


@dataclass(frozen=True, kw_only=True)
class Paired:
    """One contender minus another over shared experiments, in points of test accuracy.

    ``difference`` has the mean and half its 95 % confidence interval (``half_ci``, Student's t); ``p`` is that of
    the exact sign-flip test, None for one pair.
    """

    pairs: tuple[Pair, ...]
    difference: Spread
    p: float | None

    @property
    def wins(self) -> int:
        return sum(round(pair.difference, DIGITS) > 0 for pair in self.pairs)

    @property
    def ties(self) -> int:
        return sum(round(pair.difference, DIGITS) == 0 for pair in self.pairs)

    @property
    def losses(self) -> int:
        return len(self.pairs) - self.wins - self.ties

    @property
    def recorded(self) -> bool:
        return self.difference.recorded

    @property
    def interval(self) -> tuple[float, float] | None:
        """The 95 % confidence interval of the mean difference, None for one pair."""
        half, mean = self.difference.half_ci, self.difference.mean
        return None if half is None else (mean - half, mean + half)


def sign_flip_p(differences: Sequence[float]) -> float:
    """Return the two-sided p-value of paired differences under the hypothesis that their signs are arbitrary.

    It is the share of all 2ⁿ choices of signs whose sum is at least as far from 0 as the sum observed, counted
    exactly. Differences are dᵢ units of a node. In the product of all (1 + x^|dᵢ|) the coefficient of x^s is how
    many choices give minus signs to s units in all: a sum of ±(Σ|dᵢ| - 2s). The product is one integer, each
    coefficient in bits of its own; modulo all of these bits set, it is the sum of its coefficients.
    """
    if not all(math.isfinite(difference) for difference in differences):
        return math.nan
    unit = common_unit(differences)
    units = [round(difference / unit) for difference in differences]
    total, observed = sum(map(abs, units)), abs(sum(units))
    if not observed:
        return 1.0
    n = len(units)
    bits, product = n + 1, 1
    for size in map(abs, units):
        product += product << bits * size
    one_tail = product & ((1 << bits * ((total - observed) // 2 + 1)) - 1)
    return 2 * (one_tail % ((1 << bits) - 1)) / 2**n


def common_unit(differences: Sequence[float]) -> float:
    """Return the largest number of which all differences are multiples, by Euclid's algorithm.

    It is not so small that there would be more than MOST_UNITS in all.
    """
    unit, total = 0.0, sum(map(abs, differences))
    for difference in map(abs, differences):
        while difference > SAME:
            unit, difference = difference, abs(math.remainder(unit, difference))
    return max(unit, total / MOST_UNITS) or 1.0


def compare(pairs: Sequence[Pair], *, recorded: bool = False) -> Paired:
    """Return what pairs of runs show."""
    differences = [pair.difference for pair in pairs]
    return Paired(
        pairs=tuple(pairs),
        difference=Spread.of(differences, recorded=recorded),
        p=sign_flip_p(differences) if len(differences) > 1 else None,
    )


def verdict(paired: Paired, one: str, other: str) -> str:
    """Say in words what a comparison shows; ``one`` and ``other`` are what the two are called."""
    lead, n = paired.difference, len(paired.pairs)
    if round(abs(lead.mean), 1):
        said = f"{one} {'leads' if lead.mean > 0 else 'trails'} {other} by {abs(lead.mean):.1f} points"
    else:
        said = f"{one} is level with {other}"
    count = f"{n} pair{'s' * (n != 1)}: {paired.wins} won, {paired.ties} tied, {paired.losses} lost"
    if paired.interval is None:
        return f"{said} ({count}). One pair is not enough for a test."
    low, high = paired.interval
    doubt = "" if low > 0 or high < 0 else " The interval contains 0: not significant."
    return f"{said} (95 % CI {signed(low)} to {signed(high)}, {TEST} p = {p_text(paired.p)}; {count}).{doubt}"


def p_text(p: float | None) -> str:
    """Return for example '0.031' or '0.0002'."""
    return "–" if p is None or math.isnan(p) else f"{p:.3f}" if p >= 0.001 else f"{p:.1g}"
