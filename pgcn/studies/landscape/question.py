"""What a landscape asks of a graph: fixed topologies over a grid, growth and the GCN baseline. No torch."""

import functools
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from pgcn.config import RunConfig
from pgcn.data.catalogue import GraphFacts, catalogue_facts
from pgcn.engine.architecture import count_parameters
from pgcn.errors import ConfigError, PgcnError
from pgcn.execution.graphs import facts_of
from pgcn.limits import MOST_PARAMETERS, checked_number
from pgcn.methods.gcn import GCNConfig
from pgcn.methods.pgcn import DEFAULT_PRESET, PRESETS, GrowthConfig
from pgcn.methods.pgcn.decisions import check_rule_decides
from pgcn.source import GraphSource
from pgcn.studies.difficulty.contenders import Found, readout_of, trained_alike
from pgcn.studies.tasks import SingleTask, batch_name

if TYPE_CHECKING:
    from pgcn.store import Store

WIDTHS, DEPTHS, RUNS, PATHS = (5, 10, 20, 40, 80), (1, 2, 3, 4), 5, 20
WIDEST, DEEPEST = 2_000, 20
MOST_EACH = 1_000
MOST_TASKS = 10_000
FIXED, GROWN, GCN = "fixed", "pgcn", "gcn"
"""What a run of a landscape is."""
EARLY = 4
"""One of so many points is trained before growth begins: the smallest, so that the map fills at once."""


class Point(NamedTuple):
    """So many hidden layers of so many neurons each."""

    depth: int
    width: int

    @property
    def topology(self) -> tuple[int, ...]:
        return (self.width,) * self.depth

    def text(self) -> str:
        return "-".join(map(str, self.topology))


@dataclass(frozen=True, kw_only=True)
class LandscapeTask(SingleTask):
    """One run of a landscape; the same question has the same ``id``. Growth and the GCN have no ``point``."""

    study = "landscape"

    source: GraphSource
    growth: GrowthConfig
    kind: str
    seed: int
    point: Point | None = None
    reproducible: bool = False

    @property
    def experiment(self) -> int:
        return self.seed

    @property
    def method(self) -> str:
        return "pgcn" if self.kind == GROWN else "gcn"

    @property
    def config(self) -> RunConfig:
        return task_config(self.growth, self.kind, self.point).change(seed=self.seed)

    @property
    def group(self) -> str:
        """Seeds of one shape are trained together."""
        return f"{self.batch} {self.kind} {self.point}"

    @property
    def name(self) -> str:
        """What the run is called in the table of runs."""
        what = f"fixed {self.point.text()}" if self.point else "PGCN" if self.kind == GROWN else "GCN"
        return f"{what}, seed {self.seed}"

    @property
    def batch(self) -> str:
        """What all runs of landscapes on one data set share."""
        return batch_name(self.study, self.source.name, self.source.content)


@functools.lru_cache(maxsize=1000)
def task_config(growth: GrowthConfig, kind: str, point: Point | None) -> RunConfig:
    """Return the settings of a run, its seed aside."""
    if kind == GROWN:
        return growth
    if point is None:
        return GCNConfig(device=growth.device)
    found = Found(topology=point.topology, parameters=0, epochs=growth.epochs)
    training = {"loss": growth.loss, "keep_best": growth.keep_epoch == "best"}
    return trained_alike(growth, found, hidden=point.topology, **readout_of(growth), **training)


def check_growth(growth: GrowthConfig) -> None:
    """Refuse growth whose candidates no network of fixed topology is trained like, or that asks a person."""
    check_rule_decides(growth)
    needed = {"dropout_scope": "all", **({"mse_objective": "mean"} if growth.loss == "mse" else {})}
    for name, value in needed.items():
        if getattr(growth, name) != value:
            raise ConfigError(
                f"{name} = {getattr(growth, name)} has no landscape: a network of fixed topology is not trained "
                f"that way. Set {name}={value}."
            )


@dataclass(frozen=True, kw_only=True)
class Landscape:
    """A grid of fixed topologies on one graph with ``runs`` seeds at each point. Checked when made.

    ``paths`` is how many seeds growth and the GCN baseline have. ``facts`` are those of the graph after its split
    and projection; for one of the catalogue they need not be given.
    """

    source: GraphSource = GraphSource(name="cora")  # noqa: RUF009 - frozen
    growth: GrowthConfig = PRESETS[DEFAULT_PRESET]
    widths: tuple[int, ...] = WIDTHS
    depths: tuple[int, ...] = DEPTHS
    runs: int = RUNS
    paths: int = PATHS
    reproducible: bool = False
    facts: GraphFacts | None = None

    def __post_init__(self) -> None:
        for name, most in (("widths", WIDEST), ("depths", DEEPEST)):
            values = getattr(self, name)
            if not values:
                raise ConfigError(f"{name} must name at least one, got none.")
            for value in values:
                checked_number(name, value, at_least=1, at_most=most)
            twice = sorted(value for value, count in Counter(values).items() if count > 1)
            if twice:
                raise ConfigError(f"{name} must not name anything twice, got {', '.join(map(str, twice))} twice.")
            object.__setattr__(self, name, tuple(sorted(values)))
        checked_number("runs", self.runs, at_least=1, at_most=MOST_EACH)
        checked_number("paths", self.paths, at_least=0, at_most=MOST_EACH)
        number = self.runs * len(self.points) + 2 * self.paths
        if number > MOST_TASKS:
            raise ConfigError(
                f"A landscape may have at most {MOST_TASKS:,} runs, this one would have {number:,}. Ask for fewer "
                "runs, widths or depths."
            )
        if self.facts is None:
            if self.source.content is not None:
                raise ConfigError("A landscape of a stored graph needs its facts; landscape_of looks them up.")
            object.__setattr__(self, "facts", catalogue_facts(self.source))
        check_growth(self.growth)
        object.__setattr__(self, "growth", self.growth.change(seed=0))  # each run has its own
        largest = self.parameters(self.points[-1].topology)
        checked_number("parameters of the largest network", largest, at_most=MOST_PARAMETERS)

    @property
    def points(self) -> list[Point]:
        return [Point(depth, width) for depth in self.depths for width in self.widths]

    def parameters(self, topology: Sequence[int]) -> int:
        """Return the parameters of a network on this graph."""
        return count_parameters(self.facts.features, topology, self.facts.classes, bias=self.growth.bias)

    def tasks(self) -> tuple[LandscapeTask, ...]:
        """Return all runs: the smallest points first, then growth, then the largest, which take longest."""
        return landscape_tasks(self)

    def to_dict(self) -> dict[str, Any]:
        """Return the question in plain values."""
        numbers = {name: getattr(self, name) for name in ("runs", "paths", "reproducible")}
        grid = {name: list(getattr(self, name)) for name in ("widths", "depths")}
        return {"source": self.source.to_recipe(), "growth": self.growth.to_dict(), **grid, **numbers}

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Return the question that :meth:`to_dict` wrote, of a graph of the catalogue."""
        try:
            made = {
                "source": GraphSource.from_recipe(values["source"]),
                "growth": GrowthConfig.from_dict(values["growth"]),
                **{name: tuple(values[name]) for name in ("widths", "depths")},
            }
            return cls(**{**values, **made})
        except (TypeError, KeyError, AttributeError) as error:
            raise PgcnError(f"This is not a landscape: {error}.") from error


@functools.lru_cache(maxsize=50)
def landscape_tasks(landscape: Landscape) -> tuple[LandscapeTask, ...]:
    about = {name: getattr(landscape, name) for name in ("source", "growth", "reproducible")}
    by_size = sorted(landscape.points, key=lambda point: (point.depth * point.width, point))
    early = by_size[: max(1, len(by_size) // EARLY)]
    late = by_size[len(early) :][::-1]
    shapes = [(GCN, None, landscape.paths), *((FIXED, point, landscape.runs) for point in early)]
    shapes += [(GROWN, None, landscape.paths), *((FIXED, point, landscape.runs) for point in late)]
    return tuple(
        LandscapeTask(**about, kind=kind, point=point, seed=seed)
        for kind, point, seeds in shapes
        for seed in range(seeds)
    )


def landscape_of(source: GraphSource, *, store: "Store", **asked: Any) -> Landscape:
    """Return a landscape; the facts of a graph of one's own are looked for in a store."""
    facts = None if source.content is None else facts_of(source, store)
    return Landscape(source=source, facts=facts, **asked)
