"""What a visitor of the Difficulty page asks for and looks at, as a value that goes into a link. No streamlit."""

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pgcn.config import assignments, read_switch
from pgcn.data.sources import STATISTICS, TITLES
from pgcn.errors import ConfigError, PgcnError
from pgcn.methods.pgcn import DEFAULT_PRESET, GrowthConfig
from pgcn.studies.difficulty import METHODS, Place, Study, read_numbers, study_growth
from pgcn.ui.settings import as_text
from pgcn.views.difficulty import AXES

DATASETS = ("cora", "citeseer", "pubmed", "synthetic")
FIXED = ("seed", "loss", "device")
"""Settings of growth that the study sets itself."""
CHANGES = tuple(spec.name for spec in dataclasses.fields(GrowthConfig) if spec.name not in FIXED)


@dataclass(frozen=True, kw_only=True)
class Asked:
    """The question; ``at`` is the place looked at closely, ``axis`` what lies to the right in the figures."""

    datasets: tuple[str, ...] = ("cora",)
    dims: tuple[int, ...] = (10, 30, 50, 100, 300, 1433)
    rates: tuple[float, ...] = (50.0,)
    experiments: int = 3
    methods: tuple[str, ...] = tuple(METHODS)
    preset: str = DEFAULT_PRESET
    changes: Mapping[str, Any] = field(default_factory=dict)
    reproducible: bool = False
    axis: str = "dims"
    at: Place | None = None

    def __post_init__(self) -> None:
        if self.axis not in AXES:
            raise ConfigError(f"axis must be one of: {', '.join(AXES)}; got {self.axis!r}.")
        if not self.datasets:
            raise ConfigError("Choose at least one data set.")
        for name in self.datasets:
            if name not in DATASETS:
                raise ConfigError(f"No data set named {name!r}. Choose one of: {', '.join(DATASETS)}.")
        most = max(STATISTICS[name][2] for name in DATASETS)
        for dims in self.dims:
            if not 1 <= dims <= most:
                raise ConfigError(f"D' must be a whole number from 1 to {most:,}; got {dims}.")
        if self.dims and not any(self.dims_of(name) for name in self.datasets):
            features = ", ".join(f"{name} has {STATISTICS[name][2]:,}" for name in self.datasets)
            raise ConfigError(f"No D' asked for is as small as the number of features: {features}.")
        self.studies  # noqa: B018 - checks the rest

    @property
    def growth(self) -> GrowthConfig:
        return study_growth(self.preset, **self.changes)

    @property
    def studies(self) -> list[Study]:
        """A study for every data set, with those dimensions that it has."""
        return [self.study(name, self.dims_of(name), self.rates) for name in self.datasets if self.dims_of(name)]

    def study(self, dataset: str, dims: tuple[int, ...], rates: tuple[float, ...]) -> Study:
        return Study(
            dataset=dataset, dims=dims, rates=rates, experiments=self.experiments, methods=self.methods,
            growth=self.growth, reproducible=self.reproducible,
        )  # fmt: skip

    def dims_of(self, dataset: str) -> tuple[int, ...]:
        return tuple(dims for dims in self.dims if dims <= STATISTICS[dataset][2])

    @property
    def left_out(self) -> list[str]:
        """A sentence for every data set that has fewer features than some D' asked for."""
        sentences = []
        for name in self.datasets:
            missing = sorted(set(self.dims) - set(self.dims_of(name)))
            if missing:
                words = ", ".join(f"{dims:,}" for dims in missing)
                sentences.append(
                    f"{TITLES[name]} has {STATISTICS[name][2]:,} features: D' = {words} is left out there."
                )
        return sentences

    def change(self, **values: Any) -> "Asked":
        return dataclasses.replace(self, **values)

    def to_query(self) -> dict[str, str]:
        """Return the question as it stands in a link; what is the default is left out."""
        default, query = Asked(), {}
        for name, text in WRITERS.items():
            if getattr(self, name) != getattr(default, name):
                query[name] = text(getattr(self, name))
        return {**query, **{name: str(value).lower() for name, value in self.changes.items()}}

    def command(self) -> str:
        """Return the command that does the same in a terminal."""
        parts = ["pgcn difficulty", *(f"--dataset {name}" for name in self.datasets)]
        parts += [f"--dims {join(self.dims)}", f"--rates {join(f'{rate:g}' for rate in self.rates)}"]
        parts += [f"--experiments {self.experiments}", f"--methods {join(self.methods)}", f"--preset {self.preset}"]
        if self.reproducible:
            parts.append("--reproducible")
        if self.changes:
            parts.append(
                "--set " + " ".join(f"{name}={str(value).lower()}" for name, value in self.changes.items())
            )
        return " ".join(parts)


def join(values) -> str:
    return ",".join(map(str, values))


def read_place(text: str) -> Place:
    """Return the place that 'cora:30:50' names."""
    dataset, _, rest = text.partition(":")
    dims, _, rate = rest.partition(":")
    try:
        place = Place(dataset=dataset, dims=int(dims), rate=float(rate))
    except ValueError as error:
        raise ConfigError(
            f"A place is written dataset:dimensions:rate, such as cora:30:50; got {text!r}."
        ) from error
    Study(dataset=place.dataset, dims=(place.dims,), rates=(place.rate,))
    return place


WRITERS = {
    "datasets": join,
    "dims": join,
    "rates": lambda rates: join(f"{rate:g}" for rate in rates),
    "experiments": str,
    "methods": join,
    "preset": str,
    "reproducible": as_text,
    "axis": str,
    "at": lambda place: f"{place.dataset}:{place.dims}:{place.rate:g}",
}
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
}


def asked_from_query(query: Mapping[str, str]) -> tuple[Asked, list[str]]:
    """Return the question of a link, and a sentence for everything in it that cannot be."""
    asked, complaints = Asked(), []
    for name in (*READERS, *(name for name in query if name in CHANGES)):
        if name not in query:
            continue
        try:
            if name in READERS:
                asked = asked.change(**{name: READERS[name](query[name])})
            else:
                values = assignments(GrowthConfig, [f"{name}={query[name]}"])
                asked = asked.change(changes={**asked.changes, **values})
        except PgcnError as error:
            complaints.append(f"{error} The link asked for it; {name} stays as it was.")
    unknown = query.keys() - READERS.keys() - set(CHANGES) - {"job"}
    if unknown:
        complaints.append(f"The link names what is not a setting: {', '.join(sorted(unknown))}.")
    return asked, complaints
