"""What a run is: a method, its settings, and a graph. No torch."""

from dataclasses import dataclass, replace
from typing import Any, Self

from pgcn.config import RunConfig
from pgcn.errors import ConfigError, StoreError
from pgcn.events import RunStarted
from pgcn.methods.registry import method_named
from pgcn.source import GraphSource


@dataclass(frozen=True, kw_only=True)
class RunSpec:
    """A run to be carried out, here or elsewhere; ``reproducible``: the same bits on every x86-64 CPU with AVX2."""

    method: str
    config: RunConfig
    source: GraphSource
    reproducible: bool = False

    def __post_init__(self) -> None:
        known = method_named(self.method)
        if not isinstance(self.config, known.config):
            raise ConfigError(f"{known.title} takes a {known.config.__name__}, got a {type(self.config).__name__}.")

    @classmethod
    def of(cls, started: RunStarted) -> Self:
        """Return what a stored run was, by the event that opened it."""
        if started.recipe is None:
            raise StoreError(
                f"The run was on the graph {started.dataset}, which was only in memory and cannot be made again. "
                "Store a graph with store.add_graph(graph, name=...) before runs on it."
            )
        config = method_named(started.method).config.from_dict(started.config)
        source = GraphSource.from_recipe(started.recipe)
        return cls(method=started.method, config=config, source=source, reproducible=started.reproducible)

    def with_config(self, **values: Any) -> Self:
        """Return the same run with some settings changed."""
        return replace(self, config=self.config.change(**values))
