"""Data sets by name: three citation networks, the karate club, and synthetic graphs of any size.

Nothing heavy is imported before a graph is loaded, so that :func:`catalogue` stays quick.
"""

from dataclasses import replace
from typing import TYPE_CHECKING

from pgcn.data.files import NAMES, dataset_name
from pgcn.data.sources import DatasetInfo, catalogue, fetch, locate, obtain
from pgcn.data.split_names import parse_split
from pgcn.errors import ConfigError

if TYPE_CHECKING:
    from pgcn.graph import Graph

__all__ = ["NAMES", "DatasetInfo", "catalogue", "fetch", "load_graph", "locate"]


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
    options    settings of the synthetic graph: see :class:`pgcn.data.synthetic.SyntheticConfig`
    """
    name, wanted = dataset_name(name), parse_split(split)
    if options and name != "synthetic":
        raise ConfigError(f"Only the data set synthetic takes options; {name} was given {', '.join(options)}.")
    if name == "synthetic":
        from pgcn.data.synthetic import synthetic_graph

        graph = synthetic_graph(**{"seed": seed, **options})
        y = graph.y
    elif name == "karate":
        from pgcn.data.karate import load_karate

        graph = load_karate(seed)
        y = graph.y
    else:
        from pgcn.data.linqs import load_linqs_cora
        from pgcn.data.planetoid import known_classes, load_planetoid

        folder = obtain(name, data_dir, progress)
        graph = load_linqs_cora(folder) if folder.name == "linqs" else load_planetoid(name, folder)
        y = known_classes(graph)
    if wanted.kind != "public":
        graph = graph.with_masks(*wanted.masks(y, seed=seed), split=wanted.describe(seed=seed))
    if dims is not None:
        from pgcn.data.projection import projected

        graph, options = projected(graph, dims, seed), {**options, "dims": dims}
    return replace(graph, recipe={"name": name, "split": split, "seed": seed, **options})
