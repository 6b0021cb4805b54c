"""What a visitor of the Arena page has chosen, as a value that goes into a link and back. No torch."""

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, replace

from pgcn.config import Config, option
from pgcn.data.split_names import parse_split
from pgcn.errors import ConfigError, no_such, shown
from pgcn.studies.arena import RUNS, Arena, ArenaContender, ArenaTask, contenders, named_contenders
from pgcn.studies.arena.contenders import ALL
from pgcn.ui.graphs import graph_source
from pgcn.ui.links import as_text, read_link, unknown_names
from pgcn.ui.presets import ABOUT_REPRODUCIBLE

VIEWS = {
    "compare": "Compare",
    "pair": "Two methods",
    "search": "Watch a search",
    "train": "Train one",
    "protocol": "The paper's protocol",
}
FIGURES = {"parameters": "Parameters", "seconds": "Seconds", "best": "Best of many"}
TABLES = {"accuracy": "II Accuracy", "parameters": "III Parameters", "architectures": "IV Architectures"}
CLOCKS = {"trials": "Architectures", "seconds": "Seconds"}
USUAL = (
    "gcn,ngcn-wsum,gat,graphnas,autognn,autognn-shared,pgcn-reproduction-ce,pgcn-reference-ce,pgcn-tuned-ce,"
    "pgcn-reproduction-mse,pgcn-reference-mse,pgcn-pagerank-mse,sgc,appnp,mlp,random,random-autognn"
)
"""Those who are shown at first: of PGCN's presets all but the paper's letter, whose growth stops early."""
MOST_RUNS, MOST_SPLITS, MOST_ON_PAGE, MOST_BUDGET = 100, 20, 2_000, 10_000
"""What can be asked for here; 'pgcn arena' takes more."""
JOBS = ("job", "training", "nodes")
"""Ids of jobs in a link: the missing runs, the run that is trained, the nodes on which two networks disagree."""


@dataclass(frozen=True, kw_only=True)
class Question(Config):
    """The data set, the view of it and what is chosen in each view."""

    dataset: str = option("cora", "The data set.")
    view: str = option("compare", "The part of the page.", choices=tuple(VIEWS))
    figure: str = option("parameters", "What accuracy is drawn against.", choices=tuple(FIGURES))
    table: str = option("accuracy", "The table of the paper.", choices=tuple(TABLES))
    methods: str = option("usual", "The methods shown: their names, 'usual', 'fixed' (no searches) or 'all'.")
    runs: int = option(RUNS, "Seeds of every method on every split.", at_least=1, at_most=MOST_RUNS)
    split: str = option("public", "Which nodes are for training, validation and test.")
    splits: int = option(1, "Splits that are drawn.", at_least=1, at_most=MOST_SPLITS)
    budget: int | None = option(
        None, "Architectures that a search tries; none: 100 on Cora, else 30.", at_least=1, at_most=MOST_BUDGET
    )
    reproducible: bool = option(False, ABOUT_REPRODUCIBLE)
    best_of: int = option(RUNS, "Runs of which the best by validation is taken.", at_least=1, at_most=MOST_RUNS)
    at: str = option("", "The method whose runs are listed.", choices=("", *ALL))
    one: str = option("pgcn-pagerank-mse", "The method that is compared.", choices=tuple(ALL))
    other: str = option("gcn", "The method that it is compared with.", choices=tuple(ALL))
    pair: int = option(0, "Which pair of runs is looked at, from 0.", at_least=0, at_most=MOST_RUNS * MOST_SPLITS)
    run: str = option("", "The search that is watched.")
    trial: int | None = option(None, "The architecture up to which it is shown.", at_least=1, at_most=100_000)
    clock: str = option("trials", "What the best so far is drawn against.", choices=tuple(CLOCKS))
    train: str = option("gcn", "The method to train.", choices=tuple(ALL))
    seed: int | None = option(None, "Its seed; none: the first that is not stored.", at_least=0, at_most=10_000)

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "dataset", graph_source(self.dataset).name)
        parse_split(self.split)
        if self.run and not (self.run.isascii() and self.run.isalnum() and len(self.run) <= 64):
            raise ConfigError(f"run must be an id: letters and digits, got {shown(self.run)}.")
        for name in ("at", "one", "other", "train"):
            if getattr(self, name) and getattr(self, name) not in contenders():
                raise ConfigError(no_such("method", getattr(self, name), contenders()))
        number = self.splits * sum(map(self.arena.runs_of, self.arena.contenders))
        if number > MOST_ON_PAGE:
            raise ConfigError(
                f"The page shows at most {MOST_ON_PAGE:,} runs, this would be {number:,}. Ask for fewer, or use "
                "pgcn arena."
            )

    @property
    def chosen(self) -> tuple[ArenaContender, ...]:
        """The methods shown; where two are compared these are among them."""
        names = ",".join(name for name in USUAL.split(",") if name in contenders())
        asked = named_contenders(names if self.methods == "usual" else self.methods)
        pair = {self.one, self.other} if self.view == "pair" else set()
        wanted = {contender.name for contender in asked} | (pair & contenders().keys())
        return tuple(ALL[name] for name in ALL if name in wanted)

    @property
    def arena(self) -> Arena:
        return self.arena_of(self.chosen)

    def arena_of(self, chosen: tuple[ArenaContender, ...], **changes: int) -> Arena:
        """Return the arena of some methods."""
        return Arena(
            dataset=self.dataset,
            content=graph_source(self.dataset).content,
            contenders=chosen,
            **{name: getattr(self, name) for name in ("split", "splits", "budget", "reproducible")},
            **{"runs": self.runs, **changes},
        )

    def to_query(self) -> dict[str, str]:
        """Return what differs from the default as written in a link."""
        values = {spec.name: getattr(self, spec.name) for spec in dataclasses.fields(self)}
        defaults = {spec.name: spec.default for spec in dataclasses.fields(self)}
        return {name: as_text(value) for name, value in values.items() if value != defaults[name]}


NAMES = tuple(spec.name for spec in dataclasses.fields(Question))


def question_from_query(query: Mapping[str, str]) -> tuple[Question, list[str]]:
    """Return the question of a link, and a sentence for everything in it that cannot be used."""
    # Splits are many only of a split that is drawn: it comes first.
    question, problems = read_link(Question(), query, NAMES, lambda asked, name, text: asked.set(f"{name}={text}"))
    return question, problems + unknown_names(query, {*NAMES, *JOBS})


def task_of(question: Question, seed: int | None = None) -> ArenaTask:
    """Return the run that the view 'Train one' is about: on the first split, with the seed of the question."""
    number = (question.seed or 0) if seed is None else seed
    arena = question.arena_of((ALL[question.train],), runs=1)
    return replace(arena.tasks()[0], seed=number, experiment=number)
