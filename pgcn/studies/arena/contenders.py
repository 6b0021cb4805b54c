"""Who competes in the arena: methods with their settings, and the rows of the paper they answer to. No torch.

A contender whose method the registry does not know is not there: :func:`contenders` leaves it out.
"""

from dataclasses import dataclass
from typing import Any

from pgcn.config import RunConfig
from pgcn.errors import ConfigError, no_such
from pgcn.methods.pgcn import DEFAULT_PRESET, PRESETS
from pgcn.methods.registry import METHODS, method_named
from pgcn.studies.arena.published import ROWS, Protocol

BUDGETS = {"cora": 100}
BUDGET = 30
"""Architectures that a search tries where nothing else is asked for: on the data sets of BUDGETS, and on others."""


@dataclass(frozen=True, kw_only=True)
class ArenaContender:
    """A method with its settings.

    ``preset`` None is the method's published preset for the data set. ``changes`` are settings changed after that.
    ``row`` is the row of the paper's tables that it answers to, None where the paper has none. ``budget`` names the
    setting of a search that says how many architectures it tries.
    """

    name: str
    title: str
    method: str
    preset: str | None = None
    changes: tuple[tuple[str, Any], ...] = ()
    row: str | None = None
    budget: str | None = None

    @property
    def searches(self) -> bool:
        """Whether it is a search of architectures, one run of which takes as long as many others."""
        return self.budget is not None

    @property
    def protocol(self) -> Protocol | None:
        """The paper's protocol of its row."""
        return ROWS[self.row].protocol if self.row else None

    def settings(self, dataset: str, *, seed: int = 0, budget: int | None = None) -> RunConfig:
        """Return the settings of a run on a data set."""
        method = method_named(self.method)
        preset = method.preset_for(dataset) if self.preset is None else self.preset
        changes = dict(self.changes)
        if self.budget is not None:
            changes[self.budget] = budget_on(dataset) if budget is None else budget
        return method.settings(preset, **changes, seed=seed)

    def title_on(self, dataset: str, budget: int | None = None) -> str:
        """Return its title; a search says its budget beside the paper's."""
        if self.budget is None:
            return self.title
        number = budget_on(dataset) if budget is None else budget
        paper = f"; paper {self.protocol.architectures}" if self.protocol else ""
        return f"{self.title} ({number:,} architecture{'s' * (number != 1)}{paper})"


def budget_on(dataset: str) -> int:
    """Return how many architectures a search tries on a data set where nothing else is asked for."""
    return BUDGETS.get(dataset, BUDGET)


def grown(preset: str, loss: str) -> ArenaContender:
    """Return PGCN with a preset and a loss."""
    return ArenaContender(
        name=f"pgcn-{preset}-{loss}",
        title=f"PGCN ({loss.upper()}), {preset}",
        method="pgcn",
        preset=preset,
        changes=(("loss", loss),),
        row=f"pgcn-{loss}",
    )


SEARCH = {"budget": "architectures"}
ALL = {
    contender.name: contender
    for contender in (
        ArenaContender(name="gcn", title="GCN", method="gcn", row="gcn"),
        ArenaContender(
            name="ngcn-wsum", title="N-GCN (weighted sum)", method="ngcn", changes=(("output", "wsum"),), row="ngcn"
        ),
        ArenaContender(
            name="ngcn-fc", title="N-GCN (dense layer)", method="ngcn", changes=(("output", "fc"),), row="ngcn"
        ),
        ArenaContender(name="gat", title="GAT", method="gat", row="gat"),
        ArenaContender(name="graphnas", title="GraphNAS", method="graphnas", row="graphnas", **SEARCH),
        ArenaContender(
            name="autognn", title="Auto-GNN", method="autognn", changes=(("share", False),), row="autognn", **SEARCH
        ),
        ArenaContender(
            name="autognn-shared",
            title="Auto-GNN, shared weights",
            method="autognn",
            changes=(("share", True),),
            row="autognn",
            **SEARCH,
        ),
        *(
            grown(preset, loss)
            for loss in ("ce", "mse")
            for preset in sorted(PRESETS, key=lambda name: name != DEFAULT_PRESET)
        ),
        ArenaContender(name="sgc", title="SGC", method="sgc"),
        ArenaContender(name="appnp", title="APPNP", method="appnp"),
        ArenaContender(name="mlp", title="MLP", method="mlp"),
        ArenaContender(name="random", title="Random, GraphNAS's space", method="random", **SEARCH),
        ArenaContender(
            name="random-autognn",
            title="Random, Auto-GNN's space",
            method="random",
            changes=(("space", "autognn"),),
            **SEARCH,
        ),
    )
}
"""Everybody, in the order of the paper's rows, then those who are not in its tables."""


def contenders(*, searches: bool = True) -> dict[str, ArenaContender]:
    """Return those whose method the registry knows, with or without the searches."""
    return {
        name: contender
        for name, contender in ALL.items()
        if contender.method in METHODS and (searches or not contender.searches)
    }


def named_contenders(names: str) -> tuple[ArenaContender, ...]:
    """Return the contenders of a text such as 'gcn,gat,pgcn-tuned-ce'.

    The name of a method stands for all its contenders, 'all' for everybody, 'fixed' for all but the searches.
    """
    groups = {"all": list(contenders()), "fixed": list(contenders(searches=False))}
    for contender in contenders().values():
        groups.setdefault(contender.method, []).append(contender.name)
    chosen: list[str] = []
    for name in (part.strip() for part in names.split(",")):
        if name in contenders():
            chosen.append(name)
        elif name in groups:
            chosen += groups[name]
        else:
            raise ConfigError(no_such("method", name, dict.fromkeys([*groups, *contenders()])))
    return tuple(ALL[name] for name in ALL if name in chosen)
