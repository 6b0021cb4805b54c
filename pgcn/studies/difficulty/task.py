"""One run of the difficulty study: where it stands, what it is called and what is carried out. No torch."""

import functools
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from pgcn.config import Config
from pgcn.data.catalogue import CATALOGUE, GraphFacts
from pgcn.events import Event
from pgcn.execution.spec import RunSpec
from pgcn.methods.endings import ending, failed
from pgcn.methods.pgcn import GrowthConfig
from pgcn.methods.registry import method_named
from pgcn.source import GraphSource
from pgcn.studies.difficulty.contenders import CONTENDERS, Found
from pgcn.studies.tasks import IdentifiedTask, batch_name


@dataclass(frozen=True, kw_only=True)
class Place:
    """A point of the study: so many dimensions, so large a share of the nodes labelled (in %).

    ``nodes`` of the data set need not be said for one of the catalogue.
    """

    dataset: str
    dims: int
    rate: float
    nodes: int | None = field(default=None, compare=False)

    @property
    def labels_per_dimension(self) -> float:
        """N_L/D'."""
        nodes = CATALOGUE[self.dataset].nodes if self.nodes is None else self.nodes
        return round(self.rate / 100 * nodes) / self.dims


@dataclass(frozen=True, kw_only=True)
class Task(IdentifiedTask):
    """One run of the study: nothing in it is large, and the same question has the same ``id``.

    The experiment is the seed of split, projection and network. ``content`` is that of a stored graph.
    """

    study = "difficulty"

    place: Place
    experiment: int
    contender: str
    growth: GrowthConfig
    facts: GraphFacts
    content: str | None = None
    reproducible: bool = False
    group: None = None

    @property
    def source(self) -> GraphSource:
        """The graph: the data set with its split and its projection."""
        return GraphSource(
            name=self.place.dataset,
            split=f"fraction:{self.place.rate / 100:.6g}",
            seed=self.experiment,
            dims=self.place.dims,
            content=self.content,
        )

    @property
    def config(self) -> Config:
        """The settings of the run; of a contender that is made to match another, those of the run to match."""
        return contender_config(self.contender, self.growth, self.experiment)

    @property
    def asked(self) -> dict[str, Any]:
        return {"method": self.contender, "config": plain_settings(self.config)}

    @property
    def name(self) -> str:
        """What the run is called in the table of runs."""
        where = f"D' = {self.place.dims}, {self.place.rate:g} % labelled, experiment {self.experiment}"
        return f"{CONTENDERS[self.contender].label}, {where}"

    @property
    def batch(self) -> str:
        """What all runs of the study on one data set share."""
        return batch_name(self.study, self.place.dataset, self.content)

    @property
    def needed(self) -> "Task | None":
        """The task whose outcome this one is made to match."""
        after = CONTENDERS[self.contender].after
        return None if after is None else replace(self, contender=after)

    def spec(self, before: Sequence[Event] | None = None) -> RunSpec | None:
        """Return the run to carry out, after the events of the needed one; None where nothing is left to match."""
        contender, config = CONTENDERS[self.contender], self.config
        if contender.match is not None:
            found = Found.of(before)
            if found is None:
                return None
            config = contender.match(config, found, replace(self.facts, features=self.place.dims))
        how = {"source": self.source, "reproducible": self.reproducible}
        return RunSpec(method=contender.method, config=config, **how)

    def unmatched(self, before: Sequence[Event]) -> tuple[Event, Event]:
        """Return the events of a run that has nothing to match, because the needed one diverged."""
        method = method_named(CONTENDERS[self.contender].method)
        config = method.settings(seed=self.config.seed, device=self.config.device)
        started = replace(before[0], method=method.name, config=config.to_dict())
        label = CONTENDERS[self.needed.contender].label
        return started, failed(ending("nothing_to_match", needed=label), seconds=0.0)


# A page asks for the same few settings of hundreds of tasks, again and again.


@functools.lru_cache(maxsize=1000)
def contender_config(contender: str, growth: GrowthConfig, seed: int) -> Config:
    return CONTENDERS[contender].configure(growth, seed)


@functools.lru_cache(maxsize=1000)
def plain_settings(config: Config) -> dict[str, Any]:
    return config.to_dict()
