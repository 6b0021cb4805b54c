"""What a landscape has come to: means by point, the best point, the paths over them. No torch.

The best point is chosen by mean validation accuracy alone; what it reaches on test nodes is looked at afterwards.
"""

import functools
from collections.abc import Iterable

from pgcn.studies.landscape.outcomes import LandscapeOutcome, Place, place_of
from pgcn.studies.landscape.paths import equal_width
from pgcn.studies.landscape.question import GCN, GROWN, Landscape, Point
from pgcn.studies.outcomes import Averages
from pgcn.studies.statistics import Spread

GCN_PLACE = (1.0, 16.0)
"""Depth and width of the GCN baseline on the map."""


class Cell(Averages[LandscapeOutcome]):
    """What the seeds of one point of the grid, of growth or of the GCN came to."""

    @property
    def seconds(self) -> Spread | None:
        """Seconds of a run; None of what was recorded."""
        return None if self.recorded else self.over(lambda outcome: outcome.seconds)


class LandscapeResults:
    """The outcomes of a landscape. What failed is in no mean; what was computed here goes before recorded ones."""

    def __init__(self, landscape: Landscape, outcomes: Iterable[LandscapeOutcome]) -> None:
        self.landscape, self.outcomes = landscape, tuple(outcomes)
        self.failed = [one for one in self.outcomes if one.status == "failed" and not one.recorded]

    @functools.cached_property
    def cells(self) -> dict[Place, Cell]:
        """All that is known, by place."""
        found: dict[tuple[Place, bool], list[LandscapeOutcome]] = {}
        for one in self.outcomes:
            if one.val_accuracy is not None:
                found.setdefault((place_of(one), one.recorded), []).append(one)
        places: list[Place] = [*self.landscape.points, GROWN, GCN]
        return {
            place: Cell(outcomes=tuple(sorted(outcomes, key=lambda one: one.seed)))
            for place in places
            if (outcomes := found.get((place, False)) or found.get((place, True)))
        }

    @property
    def shown(self) -> list[LandscapeOutcome]:
        """The outcomes behind all means."""
        return [one for cell in self.cells.values() for one in cell.outcomes]

    @property
    def points(self) -> list[Point]:
        """The points of the grid that have a run."""
        return [point for point in self.landscape.points if point in self.cells]

    @property
    def grown(self) -> Cell | None:
        return self.cells.get(GROWN)

    @property
    def gcn(self) -> Cell | None:
        return self.cells.get(GCN)

    @property
    def has_test(self) -> bool:
        """Whether there are test nodes."""
        return all(one.test_accuracy is not None for one in self.shown)

    @functools.cached_property
    def best(self) -> Point | None:
        """The point of best mean validation accuracy, the smallest network of equal ones."""
        size = self.landscape.parameters
        ranked = lambda point: (self.cells[point].val.mean, -size(point.topology))  # noqa: E731
        return max(self.points, key=ranked, default=None)

    @property
    def is_whole(self) -> bool:
        """Whether every point of the grid has a run."""
        return len(self.points) == len(self.landscape.points)

    def coordinates(self, topology: tuple[int, ...], parameters: int) -> tuple[float, float]:
        """Return depth and width at which a topology lies: that of equal layers with as many parameters."""
        facts, bias = self.landscape.facts, self.landscape.growth.bias
        depth = len(topology)
        return depth, equal_width(parameters, depth, facts.features, facts.classes, bias=bias)

    def epochs(self, place: Place) -> Spread | None:
        """Return the epochs that a run at a place was trained for in all; of the GCN, which stops early, None."""
        each = self.landscape.growth.epochs
        if place not in self.cells or place == GCN or (place == GROWN and self.is_reading):
            return None
        return self.cells[place].over(lambda one: each * max(1, len(one.steps)))

    @property
    def is_reading(self) -> bool:
        """Whether some paths of growth have not been read yet."""
        return self.grown is not None and any(not one.steps for one in self.grown.outcomes)
