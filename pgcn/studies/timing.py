"""How long runs take: by those that ended lately, as a range. What pages and the command line share. No torch.

A busy moment makes some runs slow. So only the newest count, the middle half of them gives the range, and what
ended long before the newest is forgotten.
"""

import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

START_UP = 4.0
"""Seconds until new processes have imported what they need."""
NEWEST = 12
"""Runs that count: the newest ones."""
FORGOTTEN = 1800.0
"""Seconds before the newest run after which one no longer counts."""
FEWEST = 3
"""With fewer runs what was expected before counts too."""
MARGIN = 1.25
"""The range is at least this factor wide to either side: no estimate is better."""


@dataclass(frozen=True, kw_only=True)
class Takes:
    """A range of seconds, or of anything proportional to them, and the usual value in it."""

    low: float
    usual: float
    high: float

    def __mul__(self, factor: float) -> "Takes":
        return Takes(low=factor * self.low, usual=factor * self.usual, high=factor * self.high)


def lately(measured: Sequence[tuple[float | None, float]]) -> list[float]:
    """Return the newest values of some (when it ended, value); of what is in order already, when may be None."""
    ordered = sorted(measured, key=lambda one: one[0] or 0.0)[-NEWEST:]
    newest = max((when or 0.0 for when, _ in ordered), default=0.0)
    return [value for when, value in ordered if newest - (when or 0.0) <= FORGOTTEN]


def range_of(values: Sequence[float], before: float | None = None) -> Takes | None:
    """Return the middle half of some values; ``before`` is what was expected when there were none.

    None where nothing is known.
    """
    values = [*values]
    if before is not None:
        values += [before] * (FEWEST - len(values))
    if not values:
        return None
    first, usual, third = statistics.quantiles(values, n=4, method="inclusive") if values[1:] else values * 3
    return Takes(low=min(first, usual / MARGIN), usual=usual, high=max(third, usual * MARGIN))


def time_left(expected: Iterable[Takes | None], workers: int) -> Takes | None:
    """Return how long so many workers need for tasks; None where there is none, or one's time is not known."""
    tasks = list(expected)
    if not tasks or None in tasks:
        return None

    def total(name: str) -> float:
        seconds = [getattr(task, name) for task in tasks]
        return START_UP + max(sum(seconds) / workers, max(seconds))

    return Takes(low=total("low"), usual=total("usual"), high=total("high"))


def in_words(takes: Takes) -> str:
    """Return for example '8 to 14 min', '50 min to 1.2 h', 'about 5 s'."""
    (low, unit), (high, other) = rounded(takes.low), rounded(takes.high)
    if (low, unit) == (high, other):
        return f"about {low} {unit}"
    return f"{low} to {high} {unit}" if unit == other else f"{low} {unit} to {high} {other}"


def rounded(seconds: float) -> tuple[str, str]:
    """Return a number and its unit, no more exact than an estimate can be."""
    if seconds < 90:
        return str(max(1, round(seconds / 5)) * 5), "s"
    if seconds < 5400:
        return str(round(seconds / 60)), "min"
    return f"{seconds / 3600:.1f}", "h"
