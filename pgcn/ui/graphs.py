"""The graphs that can be chosen on pages: data sets of the catalogue, and those in the store."""

import sys

from pgcn.data.catalogue import CATALOGUE, GraphFacts
from pgcn.errors import DataError
from pgcn.execution.graphs import facts_of, known_graphs, named_source
from pgcn.source import GraphSource


def graph_source(name: str) -> GraphSource:
    """Return the source of a graph by its name, or say which there are."""
    if str(name).lower() in CATALOGUE:
        return GraphSource(name=str(name).lower())
    from pgcn.ui.server import store

    return named_source(store(), name)


def graph_facts(name: str) -> GraphFacts:
    """Return what is known of a graph by its name."""
    if name in CATALOGUE:
        return CATALOGUE[name]
    from pgcn.ui.server import store

    return facts_of(named_source(store(), name), store())


def graph_names(*, wait: bool = True) -> list[str]:
    """Return the names of all graphs, the catalogue's first; without waiting, only those at first."""
    if not wait and not store_is_at_hand():
        return list(CATALOGUE)
    from pgcn.ui.server import store

    return list(known_graphs(store()))


def store_is_at_hand() -> bool:
    """Return whether looking into the store takes no time: the first page does not wait for its import."""
    return "pgcn.store" in sys.modules


def is_known(source: GraphSource) -> bool:
    """Return whether a graph can be chosen: a stored one only with the very same content."""
    try:
        return graph_source(source.name).content == source.content
    except DataError:
        return False
