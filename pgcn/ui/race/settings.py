"""What runs against what, as a value that goes into a link and back. No streamlit, no torch."""

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pgcn.config import assignments
from pgcn.errors import ConfigError, shown
from pgcn.execution.spec import RunSpec
from pgcn.methods.pgcn import DEFAULT_PRESET
from pgcn.methods.pgcn.decisions import check_rule_decides
from pgcn.methods.registry import method_named
from pgcn.recorded import FIRST_CHANGES, FIRST_GRAPH, FIRST_PRESET, RUN_SEED
from pgcn.source import GraphSource
from pgcn.studies.identity import question_id
from pgcn.ui.graphs import graph_source
from pgcn.ui.grow.settings import OwnSettings
from pgcn.ui.links import as_text, read_link
from pgcn.views.race import CLOCKS

FEWEST, MOST = 2, 4
GRAPH = ("dataset", "split", "data_seed", "dims", "reproducible")
RACERS = tuple(f"r{number}" for number in range(1, MOST + 1))


@dataclass(frozen=True, kw_only=True)
class Racer:
    """A method with a preset, changes to it, and a seed: as text ``pgcn preset=tuned block_width=10 seed=3``."""

    method: str = "pgcn"
    preset: str = ""
    seed: int = 0
    changes: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        known = method_named(self.method)
        object.__setattr__(self, "preset", self.preset or known.preset)
        base = known.settings(self.preset or None)
        changed = {name: value for name, value in self.changes.items() if getattr(base, name, None) != value}
        object.__setattr__(self, "changes", changed)
        check_rule_decides(self.config)

    @property
    def config(self) -> Any:
        return method_named(self.method).settings(self.preset or None, **self.changes, seed=self.seed)

    @property
    def changes_text(self) -> str:
        return " ".join(f"{name}={as_text(value)}" for name, value in self.changes.items())

    @property
    def title(self) -> str:
        preset = f" {self.preset}" if self.preset else ""
        changes = (f"{name} = {as_text(value)}" for name, value in self.changes.items())
        return ", ".join([f"{method_named(self.method).title}{preset}", f"seed {self.seed}", *changes])

    def to_text(self) -> str:
        preset = [f"preset={self.preset}"] * (self.preset != method_named(self.method).preset)
        return " ".join(
            [self.method, *preset, *([f"seed={self.seed}"] * bool(self.seed)), self.changes_text]
        ).strip()

    @classmethod
    def from_text(cls, text: str) -> "Racer":
        method, *parts = text.split()[:60] or [""]
        pairs = [part.partition("=") for part in parts]
        preset = next((value for name, _, value in pairs if name == "preset"), "")
        settings = [part for part, (name, _, _) in zip(parts, pairs, strict=True) if name != "preset"]
        values = assignments(method_named(method).config, settings)
        return cls(method=method, preset=preset, seed=values.pop("seed", 0), changes=values)

    @classmethod
    def of(cls, spec: RunSpec) -> "Racer":
        preset, changes = method_named(spec.method).nearest(spec.config)
        return cls(method=spec.method, preset=preset, seed=spec.config.seed, changes=changes)

    def with_method(self, method: str) -> "Racer":
        """Return another method with its own defaults, and this seed."""
        return self if method == self.method else Racer(method=method, seed=self.seed)


@dataclass(frozen=True, kw_only=True)
class Race:
    """A graph and those that run on it; the clock is epochs or seconds."""

    dataset: str = FIRST_GRAPH["name"]
    split: str = FIRST_GRAPH["split"]
    data_seed: int = 0
    dims: int | None = FIRST_GRAPH["dims"]
    reproducible: bool = True
    clock: str = "epochs"
    racers: tuple[Racer, ...] = (
        Racer(preset=FIRST_PRESET, seed=RUN_SEED, changes=FIRST_CHANGES),
        Racer(method="gcn"),
    )

    def __post_init__(self) -> None:
        own = OwnSettings(**{name: getattr(self, name) for name in GRAPH}, preset=DEFAULT_PRESET)
        for name in GRAPH:
            object.__setattr__(self, name, getattr(own, name))
        if self.clock not in CLOCKS:
            raise ConfigError(f"clock must be one of {', '.join(CLOCKS)}, got {shown(self.clock)}.")
        if not FEWEST <= len(self.racers) <= MOST:
            raise ConfigError(f"A race has {FEWEST} to {MOST} runs, got {len(self.racers)}.")
        if len(set(self.ids)) < len(self.racers):
            raise ConfigError("Two of these runs are the same: change a seed, a preset or a setting of one.")

    @classmethod
    def of(cls, specs: Sequence[RunSpec], **how: Any) -> "Race":
        """Return the race of runs on one graph."""
        source = specs[0].source
        graph = {"dataset": source.name, "split": source.split, "data_seed": source.seed, "dims": source.dims}
        return cls(**graph, reproducible=specs[0].reproducible, racers=tuple(map(Racer.of, specs)), **how)

    @property
    def source(self) -> GraphSource:
        return graph_source(self.dataset).change(split=self.split, seed=self.data_seed, dims=self.dims)

    @property
    def specs(self) -> list[RunSpec]:
        source = self.source
        return [
            RunSpec(method=racer.method, config=racer.config, source=source, reproducible=self.reproducible)
            for racer in self.racers
        ]

    @property
    def ids(self) -> list[str]:
        """The ids of the runs: the same run has the same id in every race, so that it is run once."""
        return [race_id(spec) for spec in self.specs]

    def change(self, **values: Any) -> "Race":
        return dataclasses.replace(self, **values)

    def with_racer(self, number: int, racer: Racer) -> "Race":
        return self.change(racers=(*self.racers[:number], racer, *self.racers[number + 1 :]))

    def with_one_more(self) -> "Race":
        """Return the race with a run more: the last one again with the next seed that is free."""
        last = self.racers[-1]
        seeds = {racer.seed for racer in self.racers}
        seed = next(seed for seed in range(MOST + 1) if seed not in seeds)
        return self.change(racers=(*self.racers, dataclasses.replace(last, seed=seed)))

    def without(self, number: int) -> "Race":
        return self.change(racers=(*self.racers[:number], *self.racers[number + 1 :]))

    def to_query(self) -> dict[str, str]:
        """Return the race as written in a link, in full; nothing for the one that a newcomer sees."""
        if self == Race():
            return {}
        own = {name: as_text(getattr(self, name)) for name in (*GRAPH, "clock")}
        return {**own, **{name: racer.to_text() for name, racer in zip(RACERS, self.racers, strict=False)}}


def race_id(spec: RunSpec) -> str:
    return question_id(
        race="run",
        method=spec.method,
        config=spec.config.to_dict(),
        recipe=spec.source.to_recipe(),
        reproducible=spec.reproducible,
    )


def race_from_query(query: Mapping[str, str]) -> tuple[Race, list[str]]:
    """Return the race of a link, and a sentence for each part of it that cannot be used."""

    def with_text(race: Race, name: str, text: str) -> Race:
        if name == "clock":
            return race.change(clock=text)
        return race.change(**{name: assignments(OwnSettings, [f"{name}={text}"])[name]})

    plain = Race(split="public", dims=None) if query else Race()
    race, problems = read_link(plain, query, (*GRAPH, "clock"), with_text)
    racers = []
    for name in RACERS:
        if name in query:
            try:
                racers.append(Racer.from_text(query[name]))
            except ConfigError as error:
                problems.append(f"{error} {name} of the link is ignored.")
    if not racers:
        return race, problems
    try:
        return race.change(racers=tuple(racers)), problems
    except ConfigError as error:
        return race, [*problems, f"{error} The default runs are used instead."]
