"""What a sweep asks: PGCN at every point of a grid of settings, with so many seeds at each. No torch."""

import functools
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

from pgcn.data.catalogue import CATALOGUE
from pgcn.data.files import dataset_name
from pgcn.errors import ConfigError, PgcnError
from pgcn.execution.graphs import named_source
from pgcn.limits import checked_number
from pgcn.methods.pgcn import DEFAULT_PRESET, LANE_SETTINGS, PRESETS, GrowthConfig, growth_preset
from pgcn.methods.pgcn.decisions import check_rule_decides
from pgcn.source import GraphSource
from pgcn.studies.sweep.grid import NOT_VARIED, PAPER_GRID, Grid, Point, checked_grid, point_text, points_of
from pgcn.studies.tasks import SingleTask, batch_name

if TYPE_CHECKING:
    from pgcn.store import Store

RUNS = 20
MOST_EACH = 1_000
MOST_TASKS = 30_000


@dataclass(frozen=True, kw_only=True)
class SweepTask(SingleTask):
    """One run of a sweep; the same question has the same ``id``."""

    study = "sweep"
    method = "pgcn"

    dataset: str
    growth: GrowthConfig
    point: Point
    seed: int
    content: str | None = None
    reproducible: bool = False

    @property
    def experiment(self) -> int:
        return self.seed

    @property
    def source(self) -> GraphSource:
        return GraphSource(name=self.dataset, content=self.content)

    @property
    def config(self) -> GrowthConfig:
        return point_config(self.growth, self.point).change(seed=self.seed)

    @property
    def group(self) -> str:
        """What runs must share to be trained together: the shape of their networks."""
        shaping = tuple((name, value) for name, value in self.point if name not in LANE_SETTINGS)
        return f"{self.batch} {shaping}"

    @property
    def name(self) -> str:
        """What the run is called in the table of runs."""
        return f"PGCN, {point_text(self.point)}, seed {self.seed}"

    @property
    def batch(self) -> str:
        """What all runs of sweeps on one data set share."""
        return batch_name(self.study, self.dataset, self.content)


@functools.lru_cache(maxsize=10_000)
def point_config(growth: GrowthConfig, point: Point) -> GrowthConfig:
    return growth.change(**dict(point))


@dataclass(frozen=True, kw_only=True)
class Sweep:
    """PGCN on one data set at every point of a grid, ``runs`` seeds at each. Checked when made.

    ``growth`` holds the settings that are not varied. Of a stored graph its ``content`` is given.
    """

    dataset: str = "cora"
    growth: GrowthConfig = PRESETS[DEFAULT_PRESET]
    grid: Grid = PAPER_GRID
    runs: int = RUNS
    content: str | None = None
    reproducible: bool = False

    def __post_init__(self) -> None:
        if self.content is None:
            object.__setattr__(self, "dataset", dataset_name(self.dataset))
        checked_number("runs", self.runs, at_least=1, at_most=MOST_EACH)
        object.__setattr__(self, "grid", checked_grid(self.grid))
        number = self.runs * len(self.points)
        if number > MOST_TASKS:
            raise ConfigError(
                f"A sweep may have at most {MOST_TASKS:,} runs, this one would have {number:,}. Ask for fewer runs "
                "or values."
            )
        for point in self.points:
            try:
                check_rule_decides(point_config(self.growth, point))
            except ConfigError as error:
                raise ConfigError(f"The grid has an invalid point ({point_text(point)}): {error}") from error
        # What is varied has no value of its own: the same sweep is the same question.
        object.__setattr__(self, "growth", point_config(self.growth, self.points[0]).change(seed=0))

    @property
    def points(self) -> list[Point]:
        return points_of(self.grid)

    def tasks(self) -> tuple[SweepTask, ...]:
        """Return all runs, seed by seed, the widest blocks first: these take longest and are not to be the last."""
        return sweep_tasks(self)

    def to_dict(self) -> dict[str, Any]:
        """Return the question in plain values."""
        grid = {name: list(values) for name, values in self.grid}
        return {**vars(self), "growth": self.growth.to_dict(), "grid": grid}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Return the question that :meth:`to_dict` wrote."""
        try:
            growth = GrowthConfig.from_dict(values["growth"])
            grid = tuple((name, tuple(varied)) for name, varied in values["grid"].items())
            return cls(**{**values, "growth": growth, "grid": grid})
        except (TypeError, KeyError, AttributeError) as error:
            raise PgcnError(f"This is not a sweep: {error}.") from error


@functools.lru_cache(maxsize=20)
def sweep_tasks(sweep: Sweep) -> tuple[SweepTask, ...]:
    about = {"dataset": sweep.dataset, "growth": sweep.growth, "content": sweep.content}
    return tuple(
        SweepTask(**about, point=point, seed=seed, reproducible=sweep.reproducible)
        for seed in range(sweep.runs)
        for point in reversed(sweep.points)
    )


def sweep_of(
    dataset: str = "cora",
    *,
    preset: str = DEFAULT_PRESET,
    changes: Mapping[str, Any] | None = None,
    grid: Grid = PAPER_GRID,
    store: "Store | None" = None,
    **asked: Any,
) -> Sweep:
    """Return a sweep over a preset with some settings changed; a graph of one's own is looked for in a store."""
    for name in changes or {}:
        if name in NOT_VARIED or name in dict(grid):
            why = NOT_VARIED.get(name, "the grid varies it")
            raise ConfigError(f"{name} is not set for all runs of a sweep: {why}.")
    first = {name: values[0] for name, values in grid}
    growth = growth_preset(preset, **{**(changes or {}), **first})
    own = store is not None and dataset.lower() not in CATALOGUE
    content = named_source(store, dataset).content if own else None
    return Sweep(dataset=dataset, growth=growth, grid=grid, content=content, **asked)
