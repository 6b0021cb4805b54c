"""Which graph: what makes it, or what it contains. Standard library only.

A source is small and plain, so that it can be part of a link, of a stored run, of a task for another machine; the
same source is always the same graph.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Self

from pgcn.errors import ConfigError, DataError, shown

CATALOGUE_NAMES = ("cora", "citeseer", "pubmed", "karate", "synthetic")


@dataclass(frozen=True, kw_only=True)
class GraphSource:
    """A data set of the catalogue by its name, or a stored graph by its content; and what is done to it.

    name      of the data set or of the stored graph
    split     'public' (the graph's own), 'random:20' (labelled nodes per class), 'fraction:0.5' (share of all)
    seed      of a split that is drawn, of the projection, and of a synthetic graph
    dims      project the features at random to so many
    options   settings of a synthetic graph, as JSON
    content   id of the stored graph's content (:func:`pgcn.graph.content_id`)
    """

    name: str
    split: str = "public"
    seed: int = 0
    dims: int | None = None
    options: str = "{}"
    content: str | None = None

    @classmethod
    def of(cls, name: str, *, split: str = "public", seed: int = 0, dims: int | None = None, **options) -> Self:
        """Return the source that these arguments of ``load_graph`` name."""
        content = options.pop("content", None)
        try:
            written = json.dumps(options)
        except (TypeError, ValueError) as error:
            raise ConfigError(f"The options of a graph are plain values, got {shown(options)}.") from error
        return cls(name=name, split=split, seed=seed, dims=dims, options=written, content=content)

    def __post_init__(self) -> None:
        for name, value in (("name", self.name), ("split", self.split)):
            if not isinstance(value, str):
                raise ConfigError(f"The {name} of a graph is a text, got {shown(value)}.")
        for name, value, least in (("seed", self.seed, 0), ("dims", self.dims, 1)):
            whole = isinstance(value, int) and not isinstance(value, bool) and value >= least
            if not whole and not (name == "dims" and value is None):
                raise ConfigError(f"{name} must be a whole number from {least} up, got {shown(value)}.")

    @classmethod
    def from_recipe(cls, recipe: Mapping[str, Any]) -> Self:
        """Return the source that :meth:`to_recipe` wrote."""
        try:
            return cls.of(**recipe)
        except TypeError as error:
            raise DataError(f"This does not say which graph it is: {dict(recipe)}.") from error

    def to_recipe(self) -> dict[str, Any]:
        """Return the source in plain values, as events, stores and ids have it."""
        recipe = {"name": self.name, "split": self.split, "seed": self.seed, **self.synthetic_options}
        recipe |= {} if self.dims is None else {"dims": self.dims}
        return recipe | ({} if self.content is None else {"content": self.content})

    @property
    def synthetic_options(self) -> dict[str, Any]:
        return json.loads(self.options)

    def change(self, **values: Any) -> Self:
        """Return a copy with some parts changed."""
        return replace(self, **values)
