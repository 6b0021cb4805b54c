"""Data sets: three citation networks, the karate club, synthetic graphs of any size, and graphs of one's own.

catalogue        what is known of a data set without loading it
sources          where files of data sets are, and how those that are not here get here
splits           which nodes are labelled, validate and test; projection: fewer features
planetoid, linqs, karate, synthetic   the loaders

Nothing heavy is imported before a graph is loaded.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from pgcn.data.files import dataset_name
from pgcn.data.sources import DatasetInfo, catalogue, fetch, locate, obtain
from pgcn.data.split_names import parse_split
from pgcn.errors import ConfigError, DataError
from pgcn.limits import MOST_SEED, checked_number
from pgcn.source import CATALOGUE_NAMES as NAMES
from pgcn.source import GraphSource

if TYPE_CHECKING:
    from pgcn.graph import Graph

__all__ = ["NAMES", "DatasetInfo", "GraphSource", "catalogue", "fetch", "load", "load_graph", "locate"]


def load_graph(
    name: str,
    *,
    split: str = "public",
    seed: int = 0,
    dims: int | None = None,
    data_dir=None,
    progress=None,
    **options,
) -> "Graph":
    """Return a data set as a :class:`pgcn.graph.Graph`.

    split      'public', 'random:20' (labelled nodes per class) or 'fraction:0.5' (labelled share of all)
    seed       of a split that is drawn, of the projection, and of the synthetic graph
    dims       project the features at random to so many; see :mod:`pgcn.data.projection`
    data_dir   where the citation networks are; see :mod:`pgcn.data.sources`
    progress   called with (description, done_bytes, total_bytes) if a data set must be fetched
    options    settings of the synthetic graph: see :class:`pgcn.data.synthetic_config.SyntheticConfig`
    """
    checked_number("seed", seed, at_least=0, at_most=MOST_SEED)
    source = GraphSource.of(dataset_name(name), split=split, seed=seed, dims=dims, **options)
    return load(source, data_dir=data_dir, progress=progress)


def load(
    source: GraphSource,
    *,
    data_dir=None,
    progress=None,
    stored: "Callable[[GraphSource], Graph] | None" = None,
) -> "Graph":
    """Return the graph of a source; ``stored`` finds a stored graph, as it was stored."""
    wanted, options = parse_split(source.split), source.synthetic_options
    check_options(source.name, options)
    if source.content is not None:
        if stored is None:
            raise DataError(f"The graph {source.name} is in a store, and none was given to load it from.")
        graph = stored(source)
    else:
        graph = catalogue_graph(source, data_dir, progress)
    if wanted.kind != "public":
        y = graph.y if source.content else known_y(graph)
        masks = wanted.masks(y, seed=source.seed)
        graph = graph.with_masks(*masks, split=wanted.describe(seed=source.seed))
    if source.dims is not None:
        from pgcn.data.projection import projected

        graph = projected(graph, source.dims, source.seed)
    return replace(graph, source=source)


def check_options(name: str, options: Mapping[str, object]) -> None:
    """Refuse options of a data set that has none, and those of a synthetic graph that it cannot have."""
    if not options:
        return
    if name.lower() != "synthetic":
        raise ConfigError(f"Only the data set synthetic takes options; {name} was given {', '.join(options)}.")
    from pgcn.data.synthetic_config import SyntheticConfig

    SyntheticConfig.of(**options)


def catalogue_graph(source: GraphSource, data_dir, progress) -> "Graph":
    """Return a data set of the catalogue with its own split."""
    name = dataset_name(source.name)
    if name == "synthetic":
        from pgcn.data.synthetic import synthetic_graph

        return synthetic_graph(**{"seed": source.seed, **source.synthetic_options})
    if name == "karate":
        from pgcn.data.karate import load_karate

        return load_karate(source.seed)
    from pgcn.data.linqs import load_linqs_cora
    from pgcn.data.planetoid import load_planetoid

    folder = obtain(name, data_dir, progress)
    return load_linqs_cora(folder) if folder.name == "linqs" else load_planetoid(name, folder)


def known_y(graph: "Graph"):
    """Return the classes that a split may be drawn from: of a citation network only those that are really known."""
    if graph.name in ("cora", "citeseer", "pubmed"):
        from pgcn.data.planetoid import known_classes

        return known_classes(graph)
    return graph.y
