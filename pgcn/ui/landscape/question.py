"""What a visitor of the Landscape page asks, as a value that goes into a link and back. No streamlit, no torch."""

import dataclasses
import re
from dataclasses import dataclass
from shlex import quote

from pgcn.config import read_switch
from pgcn.data.split_names import parse_split
from pgcn.errors import ConfigError, no_such, shown
from pgcn.limits import MOST_SEED, checked_number
from pgcn.methods.pgcn import GrowthConfig, growth_preset
from pgcn.recorded import ASSETS, LANDSCAPES
from pgcn.source import GraphSource
from pgcn.studies.difficulty import read_numbers
from pgcn.studies.landscape import DEPTHS, PATHS, RUNS, WIDTHS, Landscape, Point
from pgcn.studies.landscape.question import GCN, GROWN
from pgcn.ui.graphs import graph_facts, graph_names, graph_source
from pgcn.ui.links import MOST_IN_BROWSER, Query, as_text
from pgcn.ui.presets import PresetSettings
from pgcn.ui.study.question import read_question
from pgcn.views.landscape.figure import MEASURES

MOST_ON_PAGE, MOST_RUNS = 2_000, 100
"""Runs in all and at each point that can be asked for here; 'pgcn landscape' takes more."""
FIXED = ("seed", "device")
"""Settings of growth that the study sets itself."""
AT = re.compile(rf"(\d{{1,2}})x(\d{{1,4}})|{GCN}|{GROWN}-(\d{{1,4}})")
Chosen = Point | tuple[str, int] | None
"""A point of the grid, growth or the GCN with a seed; None where nothing is chosen."""


@dataclass(frozen=True, kw_only=True)
class Question(PresetSettings):
    """What is asked, and what is shown of it: ``show`` is the accuracy drawn, ``at`` what is looked at closely."""

    OWN = (
        "dataset",
        "split",
        "data_seed",
        "dims",
        "widths",
        "depths",
        "runs",
        "paths",
        "preset",
        "reproducible",
        "show",
        "rejected",
        "at",
    )
    GROWTH = tuple(spec.name for spec in dataclasses.fields(GrowthConfig) if spec.name not in FIXED)

    dataset: str = "cora"
    split: str = "public"
    data_seed: int = 0
    dims: int | None = None
    widths: tuple[int, ...] = WIDTHS
    depths: tuple[int, ...] = DEPTHS
    runs: int = RUNS
    paths: int = PATHS
    show: str = "val"
    rejected: bool = True
    at: str = ""

    def __post_init__(self) -> None:
        if self.show not in MEASURES:
            raise ConfigError(f"show must be one of: {', '.join(MEASURES)}; got {shown(self.show)}.")
        if self.at and not AT.fullmatch(self.at):
            raise ConfigError(f"at is written 2x40, pgcn-3 or gcn; got {shown(self.at)}.")
        checked_number("runs", self.runs, at_most=MOST_RUNS)
        checked_number("paths", self.paths, at_most=MOST_RUNS)
        checked_number("data_seed", self.data_seed, at_least=0, at_most=min(MOST_SEED, MOST_IN_BROWSER))
        number = self.runs * len(self.widths) * len(self.depths) + 2 * self.paths
        if number > MOST_ON_PAGE:
            raise ConfigError(
                f"A landscape has at most {MOST_ON_PAGE:,} runs here; this one would have {number:,}."
            )
        if graph_source(self.dataset).name != self.dataset:
            raise ConfigError(no_such("data set", self.dataset, graph_names(wait=False)))
        parse_split(self.split)
        features = graph_facts(self.dataset).features
        if self.dims is not None:
            checked_number("dims", self.dims, at_least=1, at_most=features)
        object.__setattr__(self, "widths", tuple(sorted(self.widths)))
        object.__setattr__(self, "depths", tuple(sorted(self.depths)))
        self.landscape  # noqa: B018 - checks the rest

    @property
    def config(self) -> GrowthConfig:
        return growth_preset(self.preset, **self.changes)

    @property
    def source(self) -> GraphSource:
        return graph_source(self.dataset).change(split=self.split, seed=self.data_seed, dims=self.dims)

    @property
    def landscape(self) -> Landscape:
        source = self.source
        return Landscape(
            source=source,
            facts=graph_facts(self.dataset).of(source) if source.content else None,
            growth=self.config,
            widths=self.widths,
            depths=self.depths,
            runs=self.runs,
            paths=self.paths,
            reproducible=self.reproducible,
        )

    @property
    def chosen(self) -> Chosen:
        return read_at(self.at)

    def command(self) -> str:
        """Return the command that does the same in a terminal."""
        parts = [f"pgcn landscape --dataset {quote(self.dataset)}"]
        for name, flag in (("split", "split"), ("data_seed", "split-seed"), ("dims", "dims")):
            if getattr(self, name) != getattr(type(self), name):
                parts.append(f"--{flag} {quote(as_text(getattr(self, name)))}")
        for name in ("widths", "depths", "runs", "paths", "preset"):
            parts.append(f"--{name} {as_text(getattr(self, name))}")
        return " ".join([*parts, *self.options])


def at_text(chosen: Chosen) -> str:
    """Return how a link names what is looked at."""
    if chosen is None:
        return ""
    if isinstance(chosen, Point):
        return f"{chosen.depth}x{chosen.width}"
    kind, seed = chosen
    return f"{kind}-{seed}" if kind == GROWN else kind


def read_at(text: str) -> Chosen:
    """Return what :func:`at_text` wrote."""
    found = AT.fullmatch(text)
    if not found:
        return None
    if text == GCN:
        return GCN, 0
    depth, width, seed = found.groups()
    return (GROWN, int(seed)) if seed else Point(int(depth), int(width))


def recorded_questions() -> dict[str, dict]:
    """Return what a question differs by from the default where a landscape came with the program, by its title."""
    titles = ("Cora, public split", "Cora, preset pagerank", "Cora, 30 features, half of the nodes labelled")
    return {
        title: {
            "dataset": graph["name"],
            "split": graph.get("split", "public"),
            "dims": graph.get("dims"),
            "data_seed": 0,
            "preset": preset,
            "changes": changes,
        }
        for title, (file, (graph, preset, changes)) in zip(titles, LANDSCAPES.items(), strict=True)
        if (ASSETS / file).is_file()
    }


def read_whole_numbers(name: str):
    return lambda text: read_numbers(text, int, name)


READERS = {
    "dataset": str,
    "split": str,
    "data_seed": lambda text: read_numbers(text, int, "data_seed")[0],
    "dims": lambda text: None if text.lower() in ("", "none") else read_numbers(text, int, "dims")[0],
    "widths": read_whole_numbers("widths"),
    "depths": read_whole_numbers("depths"),
    "runs": lambda text: read_numbers(text, int, "runs")[0],
    "paths": lambda text: read_numbers(text, int, "paths")[0],
    "preset": str,
    "reproducible": read_switch,
    "show": str,
    "rejected": read_switch,
    "at": str,
}


def question_from_query(query: Query) -> tuple[Question, list[str]]:
    """Return the question of a link, and a sentence for everything in it that cannot be used."""
    return read_question(Question(), query, READERS)
