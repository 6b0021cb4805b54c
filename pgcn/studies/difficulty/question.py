"""What the difficulty study asks of a data set: checked, and told as its runs. No torch."""

import functools
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pgcn.data.catalogue import CATALOGUE, GraphFacts
from pgcn.data.files import dataset_name
from pgcn.errors import ConfigError, no_such, shown
from pgcn.execution.graphs import facts_of, named_source
from pgcn.limits import checked_number
from pgcn.methods.pgcn import GrowthConfig, growth_preset
from pgcn.methods.pgcn.decisions import check_rule_decides
from pgcn.studies.difficulty.contenders import CONTENDERS, DEFAULT_CONTENDERS
from pgcn.studies.difficulty.task import Place, Task

if TYPE_CHECKING:
    from pgcn.store import Store

DIMS = (10, 30, 50, 100, 300)
RATES = (50.0,)
EXPERIMENTS = 3
LOW_DROPOUT = 0.1
LEAST_NODES = 50
"""Of a data set: half of them are labelled, and of the few that are left each is worth points of accuracy."""
MOST_EXPERIMENTS = 1_000
MOST_TASKS = 30_000
"""Runs of a study."""


def study_growth(preset: str = "reproduction", **changes: Any) -> GrowthConfig:
    """Return how PGCN grows in the study: a preset with the lowest of the paper's dropouts, unless changed.

    Where few features are left, dropping half of them again leaves too little to learn from; the paper searches
    0.1, 0.3 and 0.5 and does not say which it took.
    """
    return growth_preset(preset, **{"dropout": LOW_DROPOUT, **changes})


@dataclass(frozen=True, kw_only=True)
class Study:
    """What is asked of one data set. Checked when made; contenders that others are made to match are added.

    Of a stored graph its ``facts`` and ``content`` are given.
    """

    dataset: str
    dims: tuple[int, ...] = DIMS
    rates: tuple[float, ...] = RATES
    experiments: int = EXPERIMENTS
    methods: tuple[str, ...] = DEFAULT_CONTENDERS
    growth: GrowthConfig = study_growth()  # noqa: RUF009 - frozen
    reproducible: bool = False
    content: str | None = None
    facts: GraphFacts | None = None

    def __post_init__(self) -> None:
        if self.content is None:
            object.__setattr__(self, "dataset", dataset_name(self.dataset))
            object.__setattr__(self, "facts", CATALOGUE[self.dataset])
        if self.facts is None:
            raise ConfigError(
                "A study of a stored graph needs its facts; pgcn.studies.difficulty.studies_of looks them up."
            )
        if not is_large_enough(self.facts):
            raise ConfigError(
                f"{self.facts.title} has {self.facts.nodes} nodes, too few for this study; it takes "
                f"{LEAST_NODES} or more. Choose another data set."
            )
        self.check_size()
        check_rule_decides(self.growth)
        features = self.facts.features
        for dims in self.dims:
            if isinstance(dims, bool) or not isinstance(dims, int) or not 1 <= dims <= features:
                raise ConfigError(
                    f"D' must be a whole number from 1 to {features:,}, the features of {self.dataset}; got "
                    f"{shown(dims)}."
                )
        for rate in self.rates:
            check_rate(self.dataset, rate, self.facts)
        for name in self.methods:
            if not isinstance(name, str) or name not in CONTENDERS:
                raise ConfigError(no_such("method", name, CONTENDERS))
        for what in ("dims", "rates", "methods"):
            values = getattr(self, what)
            if not values:
                raise ConfigError(f"{what} must name at least one, got none.")
            twice = sorted(value for value, count in Counter(values).items() if count > 1)
            if twice:
                raise ConfigError(f"{what} must not name anything twice, got {', '.join(map(str, twice))} twice.")
        needed = {*self.methods, *(CONTENDERS[name].after for name in self.methods)}
        object.__setattr__(self, "methods", tuple(name for name in CONTENDERS if name in needed))
        object.__setattr__(self, "dims", tuple(sorted(self.dims)))
        object.__setattr__(self, "rates", tuple(sorted(map(float, self.rates))))

    def check_size(self) -> None:
        """Refuse a study of too many runs before any list of them is made."""
        for what in ("dims", "rates", "methods"):
            values = getattr(self, what)
            if not isinstance(values, tuple | list):
                raise ConfigError(f"{what} must be several values, such as a tuple; got {shown(values)}.")
            object.__setattr__(self, what, tuple(values))
        if isinstance(self.experiments, bool) or not isinstance(self.experiments, int) or self.experiments < 1:
            raise ConfigError(f"experiments must be a whole number of at least 1, got {shown(self.experiments)}.")
        checked_number("experiments", self.experiments, at_most=MOST_EXPERIMENTS)
        check_runs(len(self.dims) * len(self.rates) * self.experiments * len(self.methods), MOST_TASKS)

    @property
    def places(self) -> list[Place]:
        about = {"dataset": self.dataset, "nodes": self.facts.nodes}
        return [Place(dims=dims, rate=rate, **about) for rate in self.rates for dims in self.dims]

    def tasks(self) -> tuple[Task, ...]:
        """Return all runs, experiment by experiment, so that every point is there early."""
        return study_tasks(self)


@functools.lru_cache(maxsize=100)
def study_tasks(study: Study) -> tuple[Task, ...]:
    shared = {name: getattr(study, name) for name in ("growth", "facts", "content", "reproducible")}
    return tuple(
        Task(place=place, experiment=experiment, contender=contender, **shared)
        for experiment in range(study.experiments)
        for place in study.places
        for contender in study.methods
    )


def check_runs(number: int, most: int) -> None:
    """Refuse so many runs that a list of them, and of their results, would take long to make."""
    if number > most:
        raise ConfigError(
            f"A study may have at most {most:,} runs, this one would have {number:,}. Ask for fewer experiments, "
            "dimensions, label rates or methods."
        )


def is_large_enough(facts: GraphFacts) -> bool:
    """Return whether a graph has enough nodes for the study."""
    return facts.nodes >= LEAST_NODES


def check_rate(dataset: str, rate: float, facts: GraphFacts) -> None:
    """Refuse a share of labelled nodes that leaves none for a class, for validation or for test."""
    nodes = facts.nodes
    least, most = 100 * facts.classes / nodes, 100 * (1 - 2 / nodes)
    if not isinstance(rate, int | float) or isinstance(rate, bool) or not least <= rate <= most:
        raise ConfigError(
            f"The label rate must lie between {least:.2f} and {most:.2f} % for {dataset} ({nodes:,} nodes): every "
            f"class needs a labelled node, validation and test one each; got {shown(rate)}."
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
                f"{what} must be {noun} divided by commas, got {shown(part.strip())} in {shown(text)}."
            ) from error
    return tuple(numbers)


def studies_of(datasets: Sequence[str], *, store: "Store | None" = None, **asked: Any) -> list[Study]:
    """Return the same study for several data sets; graphs of one's own are looked for in a store."""
    if not datasets:
        raise ConfigError("A study needs at least one data set, got none.")
    studies = []
    for name in dict.fromkeys(datasets):
        stored = {}
        if store is not None and name.lower() not in CATALOGUE:
            source = named_source(store, name)
            stored = {"content": source.content, "facts": facts_of(source, store)}
        studies.append(Study(dataset=name, **stored, **asked))
    return studies
