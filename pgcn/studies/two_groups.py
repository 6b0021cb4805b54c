"""Two groups of runs compared: in pairs where they met the same splits and seeds, else by Welch's t-test.

Standard library only.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pgcn.numbers import signed
from pgcn.studies.arena.paired import TEST, p_text, sign_flip_p
from pgcn.studies.statistics import Spread, t_quantile, t_tail

WELCH = "Welch's t-test"
Chance = tuple[str, int, int]
"""What a run left to chance: its split, the seed of that, and its own."""


@dataclass(frozen=True, kw_only=True)
class Difference:
    """One group minus another; the interval (95 %) and p are None where there are too few runs to say."""

    mean: float
    interval: tuple[float, float] | None
    p: float | None
    test: str
    n: tuple[int, int]

    @property
    def is_certain(self) -> bool:
        """Whether the 95 % confidence interval leaves out 0."""
        return self.interval is not None and (self.interval[0] > 0 or self.interval[1] < 0)

    def text(self) -> str:
        """Return for example '+1.2 (+0.4 to +2.0)', with a minus sign as wide as a plus sign."""
        low_high = "" if self.interval is None else f" ({signed(self.interval[0])} to {signed(self.interval[1])})"
        return f"{signed(self.mean)}{low_high}"

    def p_text(self) -> str:
        return p_text(self.p)


def difference(one: Mapping[Chance, Sequence[float]], other: Mapping[Chance, Sequence[float]]) -> Difference:
    """Return one minus other; each has its values by what was left to chance.

    They are paired where both have exactly one value for each of the same splits and seeds.
    """
    single = all(len(values) == 1 for group in (one, other) for values in group.values())
    if single and len(one) > 1 and one.keys() == other.keys():
        return in_pairs([one[key][0] - other[key][0] for key in one])
    return welch(*([value for values in group.values() for value in values] for group in (one, other)))


def in_pairs(differences: Sequence[float]) -> Difference:
    """Return the mean of paired differences with Student's interval, and p of the exact sign-flip test."""
    spread = Spread.of(differences)
    half = spread.half_ci or 0.0
    return Difference(
        mean=spread.mean,
        interval=(spread.mean - half, spread.mean + half),
        p=sign_flip_p(differences),
        test=f"paired, {TEST}",
        n=(spread.n, spread.n),
    )


def welch(one: Sequence[float], other: Sequence[float]) -> Difference:
    """Return the difference of two means whose spreads may differ (Welch 1947).

    freedom = (v₁ + v₂)² / (v₁²/(n₁ - 1) + v₂²/(n₂ - 1)) with v = sd²/n; rounded down for the interval.
    """
    first, second = Spread.of(one), Spread.of(other)
    mean, n = first.mean - second.mean, (first.n, second.n)
    if first.sd is None or second.sd is None:
        return Difference(mean=mean, interval=None, p=None, test="too few runs for a test", n=n)
    v1, v2 = first.sd**2 / first.n, second.sd**2 / second.n
    error = math.sqrt(v1 + v2)
    if error == 0:
        return Difference(mean=mean, interval=(mean, mean), p=1.0 if mean == 0 else 0.0, test=WELCH, n=n)
    freedom = (v1 + v2) ** 2 / (v1**2 / (first.n - 1) + v2**2 / (second.n - 1))
    half = t_quantile(max(1, int(freedom))) * error
    return Difference(
        mean=mean, interval=(mean - half, mean + half), p=t_tail(mean / error, freedom), test=WELCH, n=n
    )
