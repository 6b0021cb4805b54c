"""What an arena asks: who, on which data set and split, with which seeds. No torch.

All contenders meet the same splits with the same seeds, so that any two can be compared in pairs.
"""

import functools
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pgcn.config import RunConfig
from pgcn.data.catalogue import CATALOGUE
from pgcn.data.files import dataset_name
from pgcn.data.split_names import parse_split
from pgcn.errors import ConfigError, shown
from pgcn.execution.graphs import named_source
from pgcn.limits import checked_number
from pgcn.source import GraphSource
from pgcn.studies.arena.contenders import ArenaContender, contenders
from pgcn.studies.arena.published import DATASETS
from pgcn.studies.tasks import SingleTask, batch_name

if TYPE_CHECKING:
    from pgcn.store import Store

RUNS = 20
SEARCH_RUNS = 1
"""Runs of a contender on a split where nothing else is asked for; of a search, which is many runs in one."""
MOST_EACH = 1_000
MOST_BUDGET = 100_000
MOST_TASKS = 30_000


@dataclass(frozen=True, kw_only=True)
class ArenaPlace:
    """Where contenders meet: a data set and a kind of split, such as 'public' or 'random:20'."""

    dataset: str
    split: str = "public"


@dataclass(frozen=True, kw_only=True)
class ArenaTask(SingleTask):
    """One run of the arena; the same question has the same ``id``, whatever its contender is called.

    ``split_seed`` draws the split, ``seed`` the network. ``content`` is that of a stored graph.
    """

    study = "arena"

    place: ArenaPlace
    contender: ArenaContender
    split_seed: int
    seed: int
    experiment: int
    budget: int | None = None
    content: str | None = None
    reproducible: bool = False

    @property
    def source(self) -> GraphSource:
        """The graph with its split."""
        about = {"name": self.place.dataset, "split": self.place.split, "seed": self.split_seed}
        return GraphSource(**about, content=self.content)

    @property
    def group(self) -> str | None:
        """Runs of a method on a split share one computation; a search is by itself."""
        if self.contender.searches:
            return None
        return f"{self.content or self.place.dataset}/{self.place.split}/{self.split_seed}/{self.contender.name}"

    @property
    def config(self) -> RunConfig:
        return contender_config(self.contender, self.place.dataset, self.seed, self.budget)

    @property
    def method(self) -> str:
        return self.contender.method

    @property
    def asked(self) -> dict[str, Any]:
        shared = seedless(self.contender, self.place.dataset, self.budget)
        return {"method": self.method, "config": {**shared, "seed": self.seed}}

    @property
    def title(self) -> str:
        """What its contender is called here: a search says its budget."""
        return self.contender.title_on(self.place.dataset, self.budget)

    @property
    def name(self) -> str:
        """What the run is called in the table of runs."""
        split = "" if self.place.split == "public" else f", {self.place.split}, split {self.split_seed}"
        return f"{self.title}{split}, seed {self.seed}"

    @property
    def batch(self) -> str:
        """What all runs of the arena on one data set share."""
        return batch_of(self.place.dataset, self.content)


def batch_of(dataset: str, content: str | None) -> str:
    """Return the batch of the arena's runs on a data set."""
    return batch_name(ArenaTask.study, dataset, content)


# A page asks for the same few settings of hundreds of tasks, again and again.
@functools.lru_cache(maxsize=10_000)
def contender_config(contender: ArenaContender, dataset: str, seed: int, budget: int | None) -> RunConfig:
    return contender.settings(dataset, seed=seed, budget=budget)


@functools.lru_cache(maxsize=1000)
def seedless(contender: ArenaContender, dataset: str, budget: int | None) -> dict[str, Any]:
    """Return the settings that runs of all seeds share, written down once: ids are asked for by the thousand."""
    values = contender_config(contender, dataset, 0, budget).to_dict()
    del values["seed"]
    return values


@dataclass(frozen=True, kw_only=True)
class Arena:
    """What is asked of one data set: contenders x splits x seeds. Checked when made.

    ``runs`` are the seeds of every contender on each of ``splits`` splits, ``search_runs`` those of a search;
    ``budget`` is how many architectures a search tries. Of a stored graph its ``content`` is given.
    """

    dataset: str
    contenders: tuple[ArenaContender, ...]
    runs: int = RUNS
    search_runs: int = SEARCH_RUNS
    split: str = "public"
    splits: int = 1
    budget: int | None = None
    content: str | None = None
    reproducible: bool = False

    def __post_init__(self) -> None:
        if self.content is None:
            object.__setattr__(self, "dataset", dataset_name(self.dataset))
        object.__setattr__(self, "contenders", tuple(self.contenders))
        for name in ("runs", "search_runs", "splits"):
            checked_number(name, getattr(self, name), at_least=1, at_most=MOST_EACH)
        if self.budget is not None:
            checked_number("budget", self.budget, at_least=1, at_most=MOST_BUDGET)
        if parse_split(self.split).kind == "public" and self.splits > 1:
            raise ConfigError(
                f"There is one public split, got splits = {shown(self.splits)}. Ask for a split that is drawn, "
                "such as random:20."
            )
        if not self.contenders:
            raise ConfigError("An arena needs at least one method, got none.")
        twice = [name for name, count in Counter(one.name for one in self.contenders).items() if count > 1]
        if twice:
            raise ConfigError(f"An arena must not name a method twice, got {', '.join(twice)} twice.")
        number = self.splits * sum(map(self.runs_of, self.contenders))
        if number > MOST_TASKS:
            raise ConfigError(
                f"An arena may have at most {MOST_TASKS:,} runs on a data set, this one would have {number:,}. Ask "
                "for fewer methods, runs or splits."
            )

    @property
    def place(self) -> ArenaPlace:
        return ArenaPlace(dataset=self.dataset, split=self.split)

    @property
    def batch(self) -> str:
        """What all its runs share."""
        return batch_of(self.dataset, self.content)

    def runs_of(self, contender: ArenaContender) -> int:
        """Return how many seeds a contender has on every split."""
        return self.search_runs if contender.searches else self.runs

    def tasks(self) -> tuple[ArenaTask, ...]:
        """Return all runs, seed by seed, so that every contender has some early."""
        return arena_tasks(self)


@functools.lru_cache(maxsize=100)
def arena_tasks(arena: Arena) -> tuple[ArenaTask, ...]:
    most = max(map(arena.runs_of, arena.contenders))
    return tuple(
        ArenaTask(
            place=arena.place,
            contender=contender,
            split_seed=split_seed,
            seed=seed,
            experiment=seed * arena.splits + split_seed,
            budget=arena.budget if contender.searches else None,
            content=arena.content,
            reproducible=arena.reproducible,
        )
        for seed in range(most)
        for split_seed in range(arena.splits)
        for contender in arena.contenders
        if seed < arena.runs_of(contender)
    )


def arenas_of(
    datasets: Sequence[str] = DATASETS,
    chosen: Sequence[ArenaContender] | None = None,
    *,
    store: "Store | None" = None,
    **asked: Any,
) -> list[Arena]:
    """Return the same arena on several data sets, by default everybody on the paper's three.

    Graphs of one's own are looked for in a store.
    """
    if not datasets:
        raise ConfigError("An arena needs at least one data set, got none.")
    competing = tuple(contenders().values() if chosen is None else chosen)
    arenas = []
    for name in dict.fromkeys(datasets):
        stored = store is not None and name.lower() not in CATALOGUE
        content = {"content": named_source(store, name).content} if stored else {}
        arenas.append(Arena(dataset=name, contenders=competing, **content, **asked))
    return arenas
