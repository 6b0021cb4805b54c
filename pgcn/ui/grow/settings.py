"""What a visitor of the Grow page has chosen, as a value that goes into a link and back. No streamlit, no torch."""

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from shlex import quote
from typing import Any

from pgcn.config import Config, assignments, option, seed_option
from pgcn.data.catalogue import GraphFacts
from pgcn.data.split_names import parse_split
from pgcn.errors import ConfigError
from pgcn.events import RunStarted
from pgcn.execution.spec import RunSpec
from pgcn.methods.pgcn import DEFAULT_PRESET, PRESETS, GrowthConfig, growth_preset
from pgcn.methods.registry import method_named
from pgcn.recorded import FIRST_CHANGES, FIRST_GRAPH, FIRST_PRESET, RUN_SEED
from pgcn.source import GraphSource
from pgcn.ui.graphs import graph_facts, graph_source, is_known
from pgcn.ui.links import MOST_IN_BROWSER, read_link
from pgcn.ui.presets import ABOUT_REPRODUCIBLE, PresetSettings


@dataclass(frozen=True, kw_only=True)
class OwnSettings(Config):
    """The settings beside those of GrowthConfig: the graph, the preset and the seed."""

    dataset: str = option("cora", "The data set.")
    split: str = option("public", "Which nodes are for training, validation and test.")
    data_seed: int = seed_option(
        "Seed of a random split, of the projection and of the synthetic graph.", at_most=MOST_IN_BROWSER
    )
    dims: int | None = option(
        None, "Project the features at random to this many dimensions D'; empty: use all.", at_least=1
    )
    preset: str = option(
        DEFAULT_PRESET, "A named set of settings; single settings can be changed under All settings."
    )
    seed: int = seed_option(
        "The same settings and seed give the same network, bit for bit: always on this computer, on others if the "
        "run is reproducible.",
        at_most=MOST_IN_BROWSER,
    )
    reproducible: bool = option(False, ABOUT_REPRODUCIBLE)

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "dataset", graph_source(self.dataset).name)
        parse_split(self.split)
        features = graph_facts(self.dataset).features
        if self.dims is not None and self.dims > features:
            raise ConfigError(f"dims must be at most {features}, the features of {self.dataset}, got {self.dims}.")


ABOUT = {spec.name: spec.metadata["about"] for spec in dataclasses.fields(OwnSettings)}


@dataclass(frozen=True, kw_only=True)
class Settings(PresetSettings):
    """A graph and how to grow on it; ``changes`` are what differs from the preset."""

    # In this order: a link is read so, the data set before the dimensions.
    OWN = tuple(ABOUT)
    GROWTH = tuple(spec.name for spec in dataclasses.fields(GrowthConfig) if spec.name != "seed")

    dataset: str = "cora"
    split: str = "public"
    data_seed: int = 0
    dims: int | None = None
    seed: int = 0

    def __post_init__(self) -> None:
        own = OwnSettings(**{name: getattr(self, name) for name in self.OWN})
        for name in self.OWN:
            object.__setattr__(self, name, getattr(own, name))
        base = growth_preset(self.preset)
        changed = {name: value for name, value in self.changes.items() if getattr(base, name, None) != value}
        object.__setattr__(self, "changes", changed)
        self.config  # noqa: B018 - checks the changes

    @classmethod
    def nearest(cls, *, config: dict[str, Any], **own: Any) -> "Settings":
        """Return settings for a whole config, based on the preset that needs the fewest changes."""
        changes = {
            name: {key: value for key, value in config.items() if getattr(preset, key) != value}
            for name, preset in PRESETS.items()
        }
        preset = min(changes, key=lambda name: (len(changes[name]), name != DEFAULT_PRESET))
        return cls(**own, preset=preset, changes=changes[preset])

    @property
    def config(self) -> GrowthConfig:
        return growth_preset(self.preset, **self.changes, seed=self.seed)

    @property
    def source(self) -> GraphSource:
        """The graph: the data set with its split and its projection."""
        return graph_source(self.dataset).change(split=self.split, seed=self.data_seed, dims=self.dims)

    @property
    def spec(self) -> RunSpec:
        """The run."""
        how = {"source": self.source, "reproducible": self.reproducible}
        return RunSpec(method="pgcn", config=self.config, **how)

    @property
    def facts(self) -> GraphFacts:
        """What is known of the graph after its split and its projection."""
        return graph_facts(self.dataset).of(self.source)

    def differences(self, other: "Settings") -> list[str]:
        """Return the names of the settings that somebody changed to come from the other to these.

        Another preset is one change, whatever comes with it; none where both mean the same run.
        """
        if self.spec == other.spec:
            return []
        own = [name for name in self.OWN if self.value(name) != other.value(name)]
        changed = [name for name in self.GROWTH if name in {**self.changes, **other.changes}]
        return own + [name for name in changed if self.value(name) != other.value(name)]

    def command(self) -> str:
        """Return the command that does the same in a terminal."""
        parts = ["pgcn grow", f"--dataset {quote(self.dataset)}", f"--preset {self.preset}", f"--seed {self.seed}"]
        if self.split != "public":
            parts.append(f"--split {quote(self.split)}")
        if self.data_seed:
            parts.append(f"--split-seed {self.data_seed}")
        if self.dims is not None:
            parts.append(f"--dims {self.dims}")
        return " ".join([*parts, *self.options])


FIRST = Settings(
    dataset=FIRST_GRAPH["name"],
    split=FIRST_GRAPH["split"],
    dims=FIRST_GRAPH["dims"],
    preset=FIRST_PRESET,
    changes=FIRST_CHANGES,
    seed=RUN_SEED,
    reproducible=True,
)
"""The settings of the recorded run that greets a visitor, and what a newcomer grows first.

Only the bare address begins with it. A setting that a link leaves out has its default, as ever.
"""


def settings_from_query(query: Mapping[str, str]) -> tuple[Settings, list[str]]:
    """Return the settings of a link, and a sentence for each that cannot be used."""

    def with_text(settings: Settings, name: str, text: str) -> Settings:
        holder = GrowthConfig if name in settings.GROWTH else OwnSettings
        return settings.with_value(name, assignments(holder, [f"{name}={text}"])[name])

    changes = [name for name in query if name in Settings.GROWTH]
    return read_link(Settings(), query, (*Settings.OWN, *changes), with_text, Settings.value)


def settings_of_run(started: RunStarted) -> Settings | None:
    """Return the settings that give a run again, None for a graph that cannot be chosen here."""
    return None if started.recipe is None else settings_of_spec(RunSpec.of(started))


def settings_of_spec(spec: RunSpec) -> Settings | None:
    """Return the settings of a run to be carried out, None for a graph that cannot be chosen here."""
    source = spec.source
    if method_named(spec.method).config is not GrowthConfig or source.synthetic_options or not is_known(source):
        return None
    config = spec.config.to_dict()
    return Settings.nearest(
        dataset=source.name,
        split=source.split,
        data_seed=source.seed,
        dims=source.dims,
        seed=config.pop("seed"),
        config=config,
        reproducible=spec.reproducible,
    )
