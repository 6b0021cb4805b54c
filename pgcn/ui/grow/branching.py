"""A branch that is about to be grown, as a value that goes into a link and back. No streamlit, no torch."""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

from pgcn.config import parsed
from pgcn.methods.pgcn import GrowthConfig
from pgcn.methods.pgcn.lineage import FIXED, settings_changed
from pgcn.ui.links import as_text, read_link

BRANCH = "branch"
"""In a link: the step to branch from; before the name of a setting, with ``_``: what the branch changes."""
USUAL = ("seed", "block_width", "epsilon_b", "epsilon_l", "loss", "dropout")
"""Settings that are offered first."""
OTHERS = tuple(spec.name for spec in fields(GrowthConfig) if spec.name not in (*FIXED, *USUAL))
BRANCH_NAMES = {BRANCH, *(f"{BRANCH}_{name}" for name in (*USUAL, *OTHERS))}


@dataclass(frozen=True, kw_only=True)
class Branching:
    """From which accepted step of its parent a branch grows on, and with which settings."""

    step: int
    parent: GrowthConfig
    config: GrowthConfig

    @property
    def changes(self) -> dict[str, Any]:
        """The settings that differ from the parent's."""
        return settings_changed(self.parent, self.config)

    def with_value(self, name: str, value: Any) -> "Branching":
        return replace(self, config=self.config.change(**{name: value}))

    def to_query(self) -> dict[str, str]:
        changed = {f"{BRANCH}_{name}": as_text(value) for name, value in self.changes.items()}
        return {BRANCH: str(self.step), **changed}


def branching_from_query(query: Mapping[str, str], step: int, parent: GrowthConfig) -> tuple[Branching, list[str]]:
    """Return the branch of a link, and a sentence for each setting that cannot be used."""
    asked = {
        name.removeprefix(f"{BRANCH}_"): text
        for name, text in query.items()
        if name in BRANCH_NAMES and name != BRANCH
    }

    def with_text(branching: Branching, name: str, text: str) -> Branching:
        return branching.with_value(name, parsed(GrowthConfig, name, text))

    first = Branching(step=step, parent=parent, config=parent)
    return read_link(first, asked, tuple(asked), with_text, lambda branching, name: getattr(branching.config, name))
