"""What a visitor of the Difficulty page asks, as a value that goes into a link and back. No streamlit, no torch."""

import dataclasses
from dataclasses import dataclass
from shlex import quote

from pgcn.config import read_switch
from pgcn.data.catalogue import CATALOGUE, dataset_title
from pgcn.errors import ConfigError, no_such, shown
from pgcn.limits import checked_number
from pgcn.methods.pgcn import GrowthConfig
from pgcn.numbers import exact
from pgcn.studies.difficulty import (
    CONTENDERS,
    Place,
    Study,
    check_runs,
    is_large_enough,
    read_numbers,
    study_growth,
)
from pgcn.studies.difficulty.contenders import REFERENCE
from pgcn.ui.graphs import graph_facts, graph_names, graph_source
from pgcn.ui.links import Query, as_text
from pgcn.ui.presets import PresetSettings
from pgcn.ui.study.question import read_question
from pgcn.views.difficulty import AXES, ROWS

MOST_EXPERIMENTS, MOST_ON_PAGE = 100, 5_000
"""Experiments, and runs in all, that can be asked for here; 'pgcn difficulty' takes more."""
RIVALS = tuple(sorted((name for name in CONTENDERS if name != "pgcn-ce"), key=lambda name: name != REFERENCE))
"""What PGCN can be compared with, the GCN first."""
FIXED = ("seed", "loss", "device")
"""Settings of growth that the study sets itself."""


@dataclass(frozen=True, kw_only=True)
class Question(PresetSettings):
    """What is studied, and what is shown of it.

    ``at`` is the place shown in detail: the chart shows the line through it, along ``axis``. ``show`` is the row of
    the paper's figure, ``rival`` the method that PGCN is compared with.
    """

    OWN = (
        "datasets",
        "dims",
        "rates",
        "experiments",
        "methods",
        "preset",
        "reproducible",
        "axis",
        "at",
        "show",
        "rival",
    )
    GROWTH = tuple(spec.name for spec in dataclasses.fields(GrowthConfig) if spec.name not in FIXED)

    datasets: tuple[str, ...] = ("cora",)
    dims: tuple[int, ...] = (10, 30, 50, 100, 300, 1433)
    rates: tuple[float, ...] = (50.0,)
    experiments: int = 3
    methods: tuple[str, ...] = tuple(CONTENDERS)
    axis: str = "dims"
    at: Place | None = None
    show: str = "accuracy"
    rival: str = REFERENCE

    def __post_init__(self) -> None:
        for name, known in (("axis", AXES), ("show", ROWS), ("rival", RIVALS)):
            if getattr(self, name) not in known:
                raise ConfigError(f"{name} must be one of: {', '.join(known)}; got {shown(getattr(self, name))}.")
        if not self.datasets:
            raise ConfigError("Choose at least one data set.")
        self.check_size()
        for name in self.datasets:
            if graph_source(name).name != name or not is_large_enough(graph_facts(name)):
                raise ConfigError(no_such("data set", name, study_datasets()))
        most = max(facts.features for facts in (*CATALOGUE.values(), *map(graph_facts, self.datasets)))
        for dims in self.dims:
            if not 1 <= dims <= most:
                raise ConfigError(f"D' must be a whole number from 1 to {most:,}; got {shown(dims)}.")
        if self.dims and not any(self.dims_of(name) for name in self.datasets):
            features = ", ".join(f"{name} has {graph_facts(name).features:,}" for name in self.datasets)
            raise ConfigError(f"Every D' is larger than the number of features: {features}.")
        self.studies  # noqa: B018 - checks the rest

    def check_size(self) -> None:
        """Refuse a question of so many runs that the page would be slow, before any list of them is made."""
        checked_number("experiments", self.experiments, at_most=MOST_EXPERIMENTS)
        if len(set(self.datasets)) < len(self.datasets):
            raise ConfigError("datasets must not name anything twice.")
        places = len(self.datasets) * len(self.dims) * len(self.rates)
        check_runs(places * max(1, self.experiments) * len(self.methods), MOST_ON_PAGE)

    @property
    def config(self) -> GrowthConfig:
        return study_growth(self.preset, **self.changes)

    @property
    def studies(self) -> list[Study]:
        """A study for every data set, with those D' that it has."""
        return [self.study(name, self.dims_of(name), self.rates) for name in self.datasets if self.dims_of(name)]

    def study(self, dataset: str, dims: tuple[int, ...], rates: tuple[float, ...]) -> Study:
        source = graph_source(dataset)
        stored = {"content": source.content, "facts": graph_facts(dataset)} if source.content else {}
        return Study(
            dataset=dataset,
            **stored,
            dims=dims,
            rates=rates,
            experiments=self.experiments,
            methods=self.methods,
            growth=self.config,
            reproducible=self.reproducible,
        )

    @property
    def places(self) -> list[Place]:
        return [place for study in self.studies for place in study.places]

    def place(self, dataset: str, dims: int, rate: float) -> Place:
        return Place(dataset=dataset, dims=dims, rate=rate, nodes=graph_facts(dataset).nodes)

    def dims_of(self, dataset: str) -> tuple[int, ...]:
        return tuple(dims for dims in self.dims if dims <= graph_facts(dataset).features)

    @property
    def left_out(self) -> list[str]:
        """A sentence for every data set that has fewer features than some D'."""
        sentences = []
        for name in self.datasets:
            missing = sorted(set(self.dims) - set(self.dims_of(name)))
            if missing:
                words = ", ".join(f"{dims:,}" for dims in missing)
                features = f"{graph_facts(name).features:,} features"
                sentences.append(f"{dataset_title(name)} has {features}: D' = {words} is left out there.")
        return sentences

    def to_query(self) -> dict[str, str]:
        query = super().to_query()
        return query if self.at is None else {**query, "at": place_text(self.at)}

    def command(self) -> str:
        """Return the command that does the same in a terminal."""
        parts = ["pgcn difficulty", *(f"--dataset {quote(name)}" for name in self.datasets)]
        for name in ("dims", "rates", "experiments", "methods", "preset"):
            parts.append(f"--{name} {as_text(getattr(self, name))}")
        return " ".join([*parts, *self.options])


def recorded_questions() -> dict[str, dict]:
    """Return what a question differs by from the default where a study came with the program, by its title."""
    return {f"Preset {name}": {"preset": name, "changes": {}} for name in ("reproduction", "pagerank")}


def study_datasets() -> list[str]:
    """Return the names of the graphs that can be studied; until the store is at hand, those of the catalogue."""
    return [name for name in graph_names(wait=False) if is_large_enough(graph_facts(name))]


def place_text(place: Place) -> str:
    return f"{place.dataset}:{place.dims}:{exact(place.rate)}"


def read_place(text: str) -> Place:
    """Return the place that 'cora:30:50' names."""
    dataset, _, rest = text.partition(":")
    dims, _, rate = rest.partition(":")
    try:
        place = Place(dataset=dataset, dims=int(dims), rate=float(rate))
    except ValueError as error:
        raise ConfigError(
            f"at is written dataset:dimensions:rate, such as cora:30:50; got {shown(text)}."
        ) from error
    return Question(datasets=(dataset,), dims=(place.dims,), rates=(place.rate,)).studies[0].places[0]


READERS = {
    "datasets": lambda text: tuple(text.split(",")),
    "dims": lambda text: read_numbers(text, int, "dims"),
    "rates": lambda text: read_numbers(text, float, "rates"),
    "experiments": lambda text: read_numbers(text, int, "experiments")[0],
    "methods": lambda text: tuple(text.split(",")),
    "preset": str,
    "reproducible": read_switch,
    "axis": str,
    "at": read_place,
    "show": str,
    "rival": str,
}


def question_from_query(query: Query) -> tuple[Question, list[str]]:
    """Return the question of a link, and a sentence for everything in it that cannot be used."""
    return read_question(Question(), query, READERS)
