"""The arenas that flags name: what ``pgcn arena`` computes, and what ``pgcn tables`` looks for."""

import argparse

from pgcn import reproducible
from pgcn.store import Store
from pgcn.studies.arena import Arena, arenas_of, named_contenders


def chosen_arenas(arguments: argparse.Namespace, store: Store) -> list[Arena]:
    """Return an arena for every data set named."""
    return arenas_of(
        [name.strip() for name in arguments.datasets.split(",")],
        named_contenders(arguments.methods),
        store=store,
        **{name: getattr(arguments, name) for name in ("runs", "search_runs", "budget", "split", "splits")},
        reproducible=reproducible.is_on(),
    )
