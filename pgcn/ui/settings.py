"""What a visitor has chosen, as a value that goes into a link and comes back. No streamlit here, no torch."""

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pgcn.config import assignments, read_switch
from pgcn.data import NAMES
from pgcn.data.sources import STATISTICS
from pgcn.data.split_names import parse_split
from pgcn.errors import PgcnError, no_such
from pgcn.methods.pgcn import DEFAULT_PRESET, PRESETS, GrowthConfig, growth_preset

OWN = ("dataset", "split", "data_seed", "dims", "preset", "seed", "reproducible")
"""Settings beside those of GrowthConfig."""
ABOUT_REPRODUCIBLE = (
    "The same network, bit for bit, on every x86-64 computer with AVX2; for lessons and links. Otherwise another "
    "CPU may grow another topology from the same seed. It starts a process of its own and takes a little longer."
)
GROWTH = tuple(spec.name for spec in dataclasses.fields(GrowthConfig) if spec.name != "seed")


@dataclass(frozen=True, kw_only=True)
class Settings:
    """A data set and how to grow on it; ``changes`` are what differs from the preset."""

    dataset: str = "cora"
    split: str = "public"
    data_seed: int = 0
    dims: int | None = None
    preset: str = DEFAULT_PRESET
    seed: int = 0
    reproducible: bool = False
    changes: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.dataset not in NAMES:
            raise PgcnError(no_such("data set", self.dataset, NAMES))
        parse_split(self.split)
        features = STATISTICS[self.dataset][2]
        if self.dims is not None and not 1 <= self.dims <= features:
            raise PgcnError(
                f"dims must be between 1 and {features}, the features of {self.dataset}, got {self.dims}."
            )
        for name in ("data_seed", "seed"):
            if getattr(self, name) < 0:
                raise PgcnError(f"{name} must be at least 0, got {getattr(self, name)}.")
        base = growth_preset(self.preset)
        changed = {name: value for name, value in self.changes.items() if getattr(base, name, None) != value}
        object.__setattr__(self, "changes", changed)
        self.config  # noqa: B018 - checks the changes

    @classmethod
    def nearest(cls, *, config: dict[str, Any], **own: Any) -> "Settings":
        """Return settings for a whole config, told from the preset that needs the fewest changes."""
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
    def recipe(self) -> dict[str, Any]:
        """The arguments of ``load_graph``."""
        recipe = {"name": self.dataset, "split": self.split, "seed": self.data_seed}
        return recipe if self.dims is None else {**recipe, "dims": self.dims}

    def change(self, **values: Any) -> "Settings":
        return dataclasses.replace(self, **values)

    def to_query(self) -> dict[str, str]:
        """Return the settings as they stand in a link; what is the default is left out."""
        default = Settings()
        own = {name: getattr(self, name) for name in OWN if getattr(self, name) != getattr(default, name)}
        return {name: as_text(value) for name, value in {**own, **self.changes}.items()}

    def command(self) -> str:
        """Return the command that does the same in a terminal."""
        parts = ["pgcn grow", f"--dataset {self.dataset}", f"--preset {self.preset}", f"--seed {self.seed}"]
        if self.split != "public":
            parts.append(f"--split {self.split}")
        if self.data_seed:
            parts.append(f"--split-seed {self.data_seed}")
        if self.dims is not None:
            parts.append(f"--dims {self.dims}")
        if self.reproducible:
            parts.append("--reproducible")
        if self.changes:
            parts.append("--set " + " ".join(f"{name}={as_text(value)}" for name, value in self.changes.items()))
        return " ".join(parts)


def as_text(value: Any) -> str:
    return "none" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


def settings_from_query(query: Mapping[str, str]) -> tuple[Settings, list[str]]:
    """Return the settings of a link, and a sentence for everything in it that cannot be."""
    settings, complaints = Settings(), []
    for name in OWN:  # the data set before the dimensions, the preset before its changes
        if name in query:
            settings = with_text(settings, name, query[name], complaints)
    for name in query:
        if name in GROWTH:
            settings = with_text(settings, name, query[name], complaints)
    return settings, complaints


def with_text(settings: Settings, name: str, text: str, complaints: list[str]) -> Settings:
    """Return the settings with one changed, or as they were and a complaint more."""
    try:
        if name in GROWTH:
            value = assignments(GrowthConfig, [f"{name}={text}"])
            return settings.change(changes={**settings.changes, **value})
        if name == "reproducible":
            return settings.change(reproducible=read_switch(text))
        if name in ("data_seed", "dims", "seed"):
            try:
                return settings.change(**{name: int(text)})
            except ValueError as error:
                raise PgcnError(f"{name} must be a whole number, got {text!r}.") from error
        return settings.change(**{name: text})
    except PgcnError as error:
        stands = getattr(settings.config, name) if name in GROWTH else getattr(settings, name)
        complaints.append(f"{error} The link asked for it; {name} = {as_text(stands)} is used instead.")
        return settings


@dataclass(frozen=True, kw_only=True)
class Lesson:
    """Settings with a name and what to look out for."""

    name: str
    about: str
    settings: Settings


LESSONS = {
    lesson.name: lesson
    for lesson in (
        Lesson(
            name="Ten seconds",
            about="A short run on Cora, to see the idea: one layer, few blocks.",
            settings=Settings(reproducible=True, changes={"epochs": 100, "max_layers": 1, "max_width": 20}),
        ),
        Lesson(
            name="The paper's Cora",
            about="The paper's text word for word. The labelled nodes decide; soon all are right: growth stops.",
            settings=Settings(reproducible=True, preset="paper"),
        ),
        Lesson(
            name="Rollback-heavy",
            about="A block must improve validation accuracy by 5 % or is rejected; layers stay, good or bad.",
            settings=Settings(
                reproducible=True, changes={"epsilon_b": 0.05, "epsilon_l": -1.0, "max_layers": 6, "epochs": 150}
            ),
        ),
        Lesson(
            name="Goes deep",
            about="Cora's 1,433 features projected at random to 30: the network needs depth to make up for them.",
            settings=Settings(
                reproducible=True,
                preset="tuned",
                dims=30,
                split="fraction:0.5",
                changes={"block_width": 10, "epochs": 60},
            ),
        ),
    )
}
