"""Which settings mattered: the mean at every value of a setting, and its share of the variance. No torch.

The share of a setting is eta squared, SS_between / SS_total of a one-way analysis of variance over its values. In a
grid in which every point has as many runs as every other, the shares of the settings and of their combinations and
what is left to seeds add up to 1. Eta squared is never negative: k values that make no difference take
(k - 1) / (n - 1) of the variance by chance alone, which is given beside it. It says how much of the spread over
*this* grid comes with a setting, not that another grid would show the same.
"""

import statistics
from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from pgcn.studies.statistics import Spread
from pgcn.studies.sweep.outcomes import SweepOutcome


class Level(NamedTuple):
    """One value of a setting: validation and test accuracy in % over all runs that have it."""

    value: Any
    val: Spread
    test: Spread


@dataclass(frozen=True, kw_only=True)
class Effect:
    """One setting: its values, and its share of the variance of validation and test accuracy.

    ``chance`` is the share to expect where it makes no difference.
    """

    setting: str
    levels: tuple[Level, ...]
    val_share: float
    test_share: float
    chance: float

    @property
    def val_range(self) -> float:
        """Points of mean validation accuracy between its best and its worst value."""
        means = [level.val.mean for level in self.levels]
        return max(means) - min(means)


@dataclass(frozen=True, kw_only=True)
class Shares:
    """What the settings leave: to their combinations, and to the seeds of runs with the same settings.

    The first is None where points have different numbers of runs, the second where every point has one run.
    """

    combinations: float | None
    seeds: float | None


def eta_squared(values: Sequence[float], groups: Sequence[Hashable]) -> float:
    """Return the share of the variance of values that lies between groups; 0 where all values are equal."""
    mean = statistics.fmean(values)
    total = sum((value - mean) ** 2 for value in values)
    members: dict[Hashable, list[float]] = {}
    for value, group in zip(values, groups, strict=True):
        members.setdefault(group, []).append(value)
    between = sum(len(some) * (statistics.fmean(some) - mean) ** 2 for some in members.values())
    return min(1.0, between / total) if total > 0 else 0.0


def effects_of(outcomes: Sequence[SweepOutcome]) -> list[Effect]:
    """Return the effect of every setting that has more than one value, over runs that have both accuracies."""
    val, test = accuracies(outcomes)
    effects = []
    for place, (name, _) in enumerate(outcomes[0].point if outcomes else ()):
        values = [one.point[place][1] for one in outcomes]
        distinct = sorted(set(values), key=lambda value: (value is not None, value))
        if len(distinct) < 2:
            continue
        levels = []
        for value in distinct:
            having = [number for number, own in enumerate(values) if own == value]
            spreads = (Spread.of([numbers[run] for run in having]) for numbers in (val, test))
            levels.append(Level(value, *spreads))
        effects.append(
            Effect(
                setting=name,
                levels=tuple(levels),
                val_share=eta_squared(val, values),
                test_share=eta_squared(test, values),
                chance=(len(distinct) - 1) / (len(values) - 1),
            )
        )
    return effects


def shares_of(outcomes: Sequence[SweepOutcome], effects: Sequence[Effect]) -> tuple[Shares, Shares, Shares]:
    """Return what the settings leave of the variance of validation and of test accuracy, and by chance alone."""
    points = Counter(one.point for one in outcomes)

    def left(explained: float, by_settings: float) -> Shares:
        return Shares(
            combinations=max(0.0, explained - by_settings) if len(set(points.values())) == 1 else None,
            seeds=None if len(points) == len(outcomes) else 1 - explained,
        )

    val, test = (eta_squared(values, [one.point for one in outcomes]) for values in accuracies(outcomes))
    return (
        left(val, sum(effect.val_share for effect in effects)),
        left(test, sum(effect.test_share for effect in effects)),
        left((len(points) - 1) / max(1, len(outcomes) - 1), sum(effect.chance for effect in effects)),
    )


def accuracies(outcomes: Sequence[SweepOutcome]) -> tuple[list[float], list[float]]:
    """Return validation and test accuracies in %."""
    return [100 * one.val_accuracy for one in outcomes], [100 * one.test_accuracy for one in outcomes]
