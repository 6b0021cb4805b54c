"""Settings made of a preset and changes to it: what Grow and Difficulty share. No streamlit here, no torch."""

import dataclasses
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

from pgcn.methods.pgcn import DEFAULT_PRESET, GrowthConfig
from pgcn.ui.links import as_text

ABOUT_REPRODUCIBLE = (
    "The same network, bit for bit, on every x86-64 CPU with AVX2: for teaching and links. Otherwise another CPU "
    "may grow another topology from the same seed. Training runs in its own process and takes a little longer."
)


def preset_title(name: str) -> str:
    """Return a preset's name as people read it: 'Tuned', 'PageRank'."""
    return {"pagerank": "PageRank"}.get(name, name.capitalize())


@dataclass(frozen=True, kw_only=True)
class PresetSettings(ABC):
    """A preset of growth with ``changes``, beside settings of a page's own; it can be written into a link."""

    OWN: ClassVar[tuple[str, ...]]
    """Settings beside those of GrowthConfig, in the order in which they are written."""
    GROWTH: ClassVar[tuple[str, ...]]
    """Settings of GrowthConfig that may be changed."""

    preset: str = DEFAULT_PRESET
    changes: Mapping[str, Any] = field(default_factory=dict)
    reproducible: bool = False

    @property
    @abstractmethod
    def config(self) -> GrowthConfig:
        """How PGCN grows."""

    def change(self, **values: Any) -> Self:
        return dataclasses.replace(self, **values)

    def value(self, name: str) -> Any:
        """Return a setting, of the page's own or of growth."""
        return getattr(self, name) if name in self.OWN else getattr(self.config, name)

    def with_value(self, name: str, value: Any) -> Self:
        """Return a copy with one setting changed, of the page's own or of growth."""
        if name in self.GROWTH:
            return self.change(changes={**self.changes, name: value})
        return self.change(**{name: value})

    def to_query(self) -> dict[str, str]:
        """Return the settings as written in a link; defaults are left out."""
        default = type(self)()
        own = {name: self.value(name) for name in self.OWN if self.value(name) != default.value(name)}
        return {name: as_text(value) for name, value in {**own, **self.changes}.items()}

    @property
    def options(self) -> list[str]:
        """The options of the command line that say how it is grown beside the preset."""
        changes = " ".join(f"{name}={as_text(value)}" for name, value in self.changes.items())
        return ["--reproducible"] * self.reproducible + ([f"--set {changes}"] if changes else [])
