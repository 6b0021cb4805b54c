"""Two contenders compared over the same splits and seeds. Standard library only."""

from collections.abc import Sequence
from dataclasses import dataclass

from pgcn.studies.statistics import Spread

TEST = "exact sign-flip test"
DIGITS = 9
"""Accuracies are whole numbers of nodes: sums that differ by less than this many digits are equal."""


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
    exactly: the sums that can be reached are kept with how many choices reach them. Accuracies are whole numbers of
    nodes, so there are few.
    """
    reached = {0.0: 1}
    for difference in differences:
        after: dict[float, int] = {}
        for total, count in reached.items():
            for change in (difference, -difference):
                key = round(total + change, DIGITS)
                after[key] = after.get(key, 0) + count
        reached = after
    observed = round(abs(sum(differences)), DIGITS)
    extreme = sum(count for total, count in reached.items() if abs(total) >= observed)
    return extreme / 2 ** len(differences)


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
        return f"{said} ({count}). One pair says nothing about chance."
    low, high = paired.interval
    doubt = "" if low > 0 or high < 0 else " The interval holds 0: chance alone could give this."
    return f"{said} (95 % CI {low:+.1f} to {high:+.1f}, {TEST} p = {p_text(paired.p)}; {count}).{doubt}"


def p_text(p: float | None) -> str:
    """Return for example '0.031' or '0.0002'."""
    return "–" if p is None else f"{p:.3f}" if p >= 0.001 else f"{p:.1g}"
