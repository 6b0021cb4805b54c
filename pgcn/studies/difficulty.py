"""The difficulty study: how much a grown topology gains over a fixed one depends on N_L/D.

The features of a data set are projected at random to D' dimensions (:mod:`pgcn.data.projection`) and a share of its
nodes is labelled; either handle moves N_L/D'. In every experiment all methods meet the same split and the same
projection. Here is what is asked, without torch; :mod:`pgcn.studies.tasks` does it, :mod:`pgcn.studies.running` has
it done and kept.
"""

import functools
import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from pgcn.config import IDENTITY
from pgcn.data.files import dataset_name
from pgcn.data.sources import STATISTICS
from pgcn.errors import ConfigError, no_such
from pgcn.methods.gcn import GCNConfig
from pgcn.methods.pgcn import GrowthConfig, growth_preset

DIMS = (10, 30, 50, 100, 300)
RATES = (50.0,)
EXPERIMENTS = 3
LOW_DROPOUT = 0.1


@dataclass(frozen=True, kw_only=True)
class Method:
    """One of the networks compared."""

    label: str
    about: str
    after: str | None = None
    """The method whose result it is made to match."""


METHODS = {
    "pgcn-ce": Method(label="PGCN (CE)", about="grows, fine-tuned by cross-entropy"),
    "pgcn-mse": Method(label="PGCN (MSE)", about="grows, fine-tuned by squared error"),
    "gcn": Method(label="GCN", about="the 2-layer GCN of Kipf & Welling: 16 hidden neurons, early stopping"),
    "matched-gcn": Method(
        label="matched GCN",
        about="one hidden layer with as many parameters as PGCN (CE) found, trained for as many epochs in all, "
        "with its dropout and weight decay; the weights of best validation accuracy",
        after="pgcn-ce",
    ),
    "same-topology": Method(
        label="same topology",
        about="the very topology PGCN (CE) found, trained from scratch for as many epochs in all, with its dropout "
        "and weight decay; the weights of best validation accuracy",
        after="pgcn-ce",
    ),
}
DEFAULT_METHODS = ("pgcn-ce", "gcn")


def study_growth(preset: str = "reproduction", **changes: Any) -> GrowthConfig:
    """Return how PGCN grows in the study: a preset with the lowest of the paper's dropouts, unless changed.

    Where few features are left, dropping half of them again leaves too little to learn from; the paper searches
    0.1, 0.3 and 0.5 and does not say which it took.
    """
    return growth_preset(preset, **{"dropout": LOW_DROPOUT, **changes})


@dataclass(frozen=True, kw_only=True)
class Place:
    """A point of the study: so many dimensions, so large a share of the nodes labelled (in %)."""

    dataset: str
    dims: int
    rate: float

    @property
    def labels_per_dimension(self) -> float:
        """N_L/D'."""
        return round(self.rate / 100 * STATISTICS[self.dataset][0]) / self.dims


@dataclass(frozen=True, kw_only=True)
class Task:
    """One run of the study, as a recipe: nothing in it is large, and the same question has the same ``id``."""

    place: Place
    experiment: int
    method: str
    growth: GrowthConfig
    reproducible: bool = False

    @property
    def recipe(self) -> dict[str, Any]:
        """The arguments of ``load_graph``; the experiment is the seed of split and projection."""
        split = f"fraction:{self.place.rate / 100:.6g}"
        return {
            "name": self.place.dataset, "split": split, "seed": self.experiment, "dims": self.place.dims,
        }  # fmt: skip

    @property
    def config(self) -> GrowthConfig | GCNConfig:
        """The settings of the run; for a method that matches PGCN, of the run it is to match."""
        return config_of(self.growth, self.method, self.experiment)

    @functools.cached_property
    def id(self) -> str:
        asked = {
            "study": "difficulty",
            "recipe": self.recipe,
            "method": self.method,
            "config": settings_of(self.config),
            "pgcn": IDENTITY,
            **({"reproducible": True} if self.reproducible else {}),
        }
        return hashlib.sha256(json.dumps(asked, sort_keys=True).encode()).hexdigest()[:32]

    @functools.cached_property
    def recorded_id(self) -> str:
        """The id of the same question in the reproducible mode, in which everything recorded was made."""
        return replace(self, reproducible=True).id

    @property
    def name(self) -> str:
        """What the run is called in the table of runs."""
        where = f"D' = {self.place.dims}, {self.place.rate:g} % labelled, experiment {self.experiment}"
        return f"{METHODS[self.method].label}, {where}"


# A page asks for the same few settings of hundreds of tasks, again and again.


@functools.lru_cache(maxsize=1000)
def config_of(growth: GrowthConfig, method: str, experiment: int) -> GrowthConfig | GCNConfig:
    if method == "gcn":
        return GCNConfig(seed=experiment)
    return growth.change(loss="mse" if method == "pgcn-mse" else "ce", seed=experiment)


@functools.lru_cache(maxsize=1000)
def settings_of(config: GrowthConfig | GCNConfig) -> dict[str, Any]:
    return config.to_dict()


@dataclass(frozen=True, kw_only=True)
class Study:
    """What is asked of one data set. Checked when made; methods that others are made to match are added."""

    dataset: str
    dims: tuple[int, ...] = DIMS
    rates: tuple[float, ...] = RATES
    experiments: int = EXPERIMENTS
    methods: tuple[str, ...] = DEFAULT_METHODS
    growth: GrowthConfig = study_growth()  # noqa: RUF009 - frozen
    reproducible: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "dataset", dataset_name(self.dataset))
        if self.dataset == "karate":
            raise ConfigError("The karate club has 34 nodes, too few for this study. Choose another data set.")
        features = STATISTICS[self.dataset][2]
        for dims in self.dims:
            if isinstance(dims, bool) or not isinstance(dims, int) or not 1 <= dims <= features:
                raise ConfigError(
                    f"D' must be a whole number from 1 to {features:,}, the features of {self.dataset}; got {dims}."
                )
        for rate in self.rates:
            check_rate(self.dataset, rate)
        for name in self.methods:
            if name not in METHODS:
                raise ConfigError(no_such("method", name, METHODS))
        for what in ("dims", "rates", "methods"):
            values = getattr(self, what)
            if not values:
                raise ConfigError(f"{what} must name at least one, got none.")
            twice = sorted({value for value in values if values.count(value) > 1})
            if twice:
                raise ConfigError(f"{what} must not name anything twice, got {', '.join(map(str, twice))} twice.")
        if isinstance(self.experiments, bool) or not isinstance(self.experiments, int) or self.experiments < 1:
            raise ConfigError(f"experiments must be a whole number of at least 1, got {self.experiments!r}.")
        needed = {*self.methods, *(METHODS[name].after for name in self.methods)}
        object.__setattr__(self, "methods", tuple(name for name in METHODS if name in needed))
        object.__setattr__(self, "dims", tuple(sorted(self.dims)))
        object.__setattr__(self, "rates", tuple(sorted(map(float, self.rates))))

    @property
    def places(self) -> list[Place]:
        return [Place(dataset=self.dataset, dims=dims, rate=rate) for rate in self.rates for dims in self.dims]

    def tasks(self) -> tuple[Task, ...]:
        """Return all runs, experiment by experiment, so that every point is there early and its band tightens."""
        return tasks_of(self)


@functools.lru_cache(maxsize=100)
def tasks_of(study: Study) -> tuple[Task, ...]:
    return tuple(
        Task(
            place=place, experiment=experiment, method=method, growth=study.growth, reproducible=study.reproducible
        )
        for experiment in range(study.experiments)
        for place in study.places
        for method in study.methods
    )


def check_rate(dataset: str, rate: float) -> None:
    """Refuse a share of labelled nodes that leaves none for a class, for validation or for test."""
    nodes, _, _, classes, *_ = STATISTICS[dataset]
    least, most = 100 * classes / nodes, 100 * (1 - 2 / nodes)
    if not isinstance(rate, int | float) or isinstance(rate, bool) or not least <= rate <= most:
        raise ConfigError(
            f"The label rate must lie between {least:.2f} and {most:.2f} % for {dataset} ({nodes:,} nodes): every "
            f"class needs a labelled node, validation and test one each; got {rate}."
        )


def read_numbers(text: str, kind: type, what: str) -> tuple:
    """Return the numbers of a text such as '10,30,100'."""
    numbers = []
    for part in text.split(","):
        try:
            numbers.append(kind(part.strip()))
        except ValueError as error:
            noun = "whole numbers" if kind is int else "numbers"
            raise ConfigError(
                f"{what} must be {noun} divided by commas, got {part.strip()!r} in {text!r}."
            ) from error
    return tuple(numbers)


def studies_of(datasets: Sequence[str], **asked: Any) -> list[Study]:
    """Return the same study for several data sets."""
    if not datasets:
        raise ConfigError("A study needs at least one data set, got none.")
    return [Study(dataset=name, **asked) for name in dict.fromkeys(datasets)]
