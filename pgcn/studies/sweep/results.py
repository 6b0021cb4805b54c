"""What a sweep has come to: what the paper would have reported, what stands behind it, what mattered. No torch.

Runs and settings are chosen by validation accuracy alone; what they reach on test nodes is looked at afterwards.
"""

import functools
import statistics
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from pgcn.numbers import signed
from pgcn.studies.arena.published import Published, published
from pgcn.studies.arena.selection import BestOf, best_of, best_positions
from pgcn.studies.statistics import Spread
from pgcn.studies.sweep.effects import Effect, Shares, accuracies, effects_of, shares_of
from pgcn.studies.sweep.grid import PAPER_GRID, Point, point_text, value_text
from pgcn.studies.sweep.outcomes import SweepOutcome
from pgcn.studies.sweep.question import RUNS, Sweep


class Quartiles(NamedTuple):
    """The smallest value, the three quartiles and the largest."""

    least: float
    lower: float
    median: float
    upper: float
    most: float

    @classmethod
    def of(cls, values: Sequence[float]) -> "Quartiles":
        between = statistics.quantiles(values, n=4, method="inclusive") if len(values) > 1 else [values[0]] * 3
        return cls(min(values), *between, max(values))

    def text(self) -> str:
        return " · ".join(f"{value:.1f}" for value in self)


class SweepResults:
    """The outcomes of a sweep; runs that failed are counted and in no mean. Accuracies here are in %.

    ``recorded`` says that they came with the program.
    """

    def __init__(self, sweep: Sweep, outcomes: Iterable[SweepOutcome], *, recorded: bool = False) -> None:
        self.sweep, self.outcomes, self.recorded = sweep, tuple(outcomes), recorded
        self.failed = [one for one in self.outcomes if one.status == "failed"]
        self.measured = [one for one in self.outcomes if None not in (one.val_accuracy, one.test_accuracy)]
        self.val_accuracies, self.test_accuracies = accuracies(self.measured)

    def __bool__(self) -> bool:
        """Return whether there is anything to report."""
        return bool(self.measured)

    @property
    def asked(self) -> int:
        """How many runs the sweep has."""
        return len(self.sweep.tasks())

    def over(self, values: Sequence[float]) -> Spread:
        return Spread.of(values, recorded=self.recorded)

    @property
    def test(self) -> Spread:
        return self.over(self.test_accuracies)

    @property
    def val(self) -> Spread:
        return self.over(self.val_accuracies)

    @property
    def parameters(self) -> Spread:
        return self.over([one.parameters for one in self.measured])

    @property
    def seconds(self) -> float:
        """The seconds of all runs together, of one core."""
        return sum(one.seconds for one in self.outcomes)

    @functools.cached_property
    def best(self) -> tuple[SweepOutcome, ...]:
        """The runs of best validation accuracy: several where they are equal, the smallest network first."""
        best = [self.measured[position] for position in best_positions(self.val_accuracies)]
        return tuple(sorted(best, key=lambda one: one.parameters))

    def best_of(self, n: int) -> BestOf:
        """Return what to expect on test nodes of the best of n runs by validation."""
        return best_of(self.val_accuracies, self.test_accuracies, n)

    @property
    def best_of_counts(self) -> list[int]:
        """The numbers of runs worth telling: one, as many as a point has, all, and some between."""
        most = len(self.measured)
        return sorted({n for n in (1, 5, self.sweep.runs, 100, most) if 1 <= n <= most})

    @functools.cached_property
    def points(self) -> dict[Point, tuple[Spread, Spread]]:
        """Validation and test accuracy at every point of the grid that has a run."""
        found: dict[Point, list[SweepOutcome]] = {}
        for one in self.measured:
            found.setdefault(one.point, []).append(one)
        return {
            point: tuple(self.over(values) for values in accuracies(found[point]))
            for point in self.sweep.points
            if point in found
        }

    @property
    def best_point(self) -> Point:
        """The settings of best mean validation accuracy, the first of equal ones."""
        return max(self.points, key=lambda point: self.points[point][0].mean)

    @functools.cached_property
    def effects(self) -> list[Effect]:
        return effects_of(self.measured)

    @functools.cached_property
    def shares(self) -> tuple[Shares, Shares, Shares]:
        return shares_of(self.measured, self.effects)

    @property
    def published(self) -> Published | None:
        """What the paper prints for this sweep, None where it is not the paper's protocol."""
        if (self.sweep.grid, self.sweep.runs, self.sweep.content) != (PAPER_GRID, RUNS, None):
            return None
        return published(f"pgcn-{self.sweep.growth.loss}", self.sweep.dataset)


def topology_text(topology: Sequence[int]) -> str:
    return "-".join(map(str, topology)) or "none"


def findings(results: SweepResults) -> list[str]:
    """Say in words what the sweep shows, what stands behind its best run, and what mattered."""
    if not results:
        return ["No run has both a validation and a test accuracy.", *notes(results)]
    best, n = results.best[0], len(results.measured)
    test, quartiles = results.test, Quartiles.of(results.test_accuracies)
    point = results.best_point
    point_val, point_test = results.points[point]
    sentences = [
        f"As the paper reports: the best of {n} runs by validation accuracy ({100 * best.val_accuracy:.1f} %) has "
        f"{100 * best.test_accuracy:.1f} % test accuracy, topology {topology_text(best.topology)}, "
        f"{best.parameters:,} parameters ({point_text(best.point)}, seed {best.seed}).",
        *tied(results),
        f"Behind it: {test.text()} % test accuracy over all {n} runs (least, quartiles, most: {quartiles.text()}); "
        f"the best run stands {signed(100 * best.test_accuracy - test.mean)} points from the mean.",
        f"The settings of best mean validation accuracy ({point_text(point)}: {point_val.text()} %) have "
        f"{point_test.text()} % test accuracy over {point_test.n} run{'s' * (point_test.n != 1)}.",
    ]
    return [*sentences, *published_sentence(results), *mattered(results), *notes(results)]


def tied(results: SweepResults) -> list[str]:
    """Say what would have been reported, had another of the equally good runs been taken."""
    if len(results.best) == 1:
        return []
    tests = [100 * one.test_accuracy for one in results.best]
    return [
        f"{len(tests)} runs have this validation accuracy; the smallest network is shown. Their test accuracies "
        f"range from {min(tests):.1f} to {max(tests):.1f} %."
    ]


def published_sentence(results: SweepResults) -> list[str]:
    printed = results.published
    if printed is None:
        return []
    topology = f", topology {topology_text(printed.architecture)}" if printed.architecture else ""
    return [f"Published: {printed.accuracy_text} %{topology}, {printed.parameters_text} parameters."]


def mattered(results: SweepResults) -> list[str]:
    """Say which settings mattered, by the share of the variance of validation accuracy."""
    sentences = []
    for effect in sorted(results.effects, key=lambda effect: -effect.val_share):
        means = ", ".join(f"{level.val.mean:.1f} % at {value_text(level.value)}" for level in effect.levels)
        sentences.append(
            f"{effect.setting} explains {100 * effect.val_share:.1f} % of the variance of validation accuracy and "
            f"{100 * effect.test_share:.1f} % of that of test accuracy (by chance alone "
            f"{100 * effect.chance:.1f} %); mean validation accuracy: {means}."
        )
    if sentences and results.shares[0].seeds is not None:
        val, test = (f"{100 * share.seeds:.1f} %" for share in results.shares[:2])
        sentences.append(f"Runs that differ only in their seed make up {val} and {test} of these variances.")
    return sentences


def notes(results: SweepResults) -> list[str]:
    """Say what is missing: runs that failed, and runs that are still to be done."""
    said, failed, missing = [], len(results.failed), results.asked - len(results.outcomes)
    if failed:
        said.append(f"{failed} run{'s' * (failed != 1)} failed: excluded from the means.")
    if missing:
        said.append(f"{missing} of {results.asked} runs are missing.")
    return said
