"""``pgcn tables``: the paper's three tables, published and measured side by side."""

import argparse
import sys
from collections.abc import Iterable
from typing import TYPE_CHECKING

from pgcn import reproducible
from pgcn.cli.options import Commands, whole_number

if TYPE_CHECKING:
    from pgcn.store import Store
    from pgcn.studies.sweep.results import SweepResults


def add_parser(commands: Commands) -> None:
    about = "print the paper's tables, published and measured results side by side; computes nothing"
    command = commands.add_parser("tables", help=about)
    form = "markdown (default), csv or latex"
    command.add_argument("--format", default="markdown", metavar="FORMAT", help=form)
    datasets = "data sets (default: citeseer,cora,pubmed, as in the paper)"
    command.add_argument("--datasets", default="citeseer,cora,pubmed", metavar="D,D,...", help=datasets)
    methods = "methods or contenders, as of 'pgcn arena' (default: all)"
    command.add_argument("--methods", default="all", metavar="M,M,...", help=methods)
    runs = "show stored results of up to this many seeds per method (default: 20)"
    command.add_argument("--runs", type=whole_number, default=20, metavar="N", help=runs)
    budget = "show searches that tried this many architectures (default: 100 on Cora, 30 on others)"
    command.add_argument("--budget", type=whole_number, metavar="N", help=budget)
    searches = "show up to this many seeds per search (default: 1)"
    command.add_argument("--search-runs", type=whole_number, default=1, metavar="N", help=searches)
    command.add_argument("--split", default="public", help="public (default), random:20 or fraction:0.5")
    command.add_argument("--splits", type=whole_number, default=1, metavar="N", help="splits drawn (default: 1)")
    command.set_defaults(action=print_tables)


def print_tables(arguments: argparse.Namespace) -> None:
    """Print what is stored, and what was recorded where nothing is; nothing is computed."""
    from pgcn.cli.arenas import chosen_arenas
    from pgcn.recorded import recorded_arena
    from pgcn.store import Store
    from pgcn.studies.arena.results import ArenaResults, known_outcomes
    from pgcn.studies.arena.tables import closing_notes, paper_tables
    from pgcn.views.tables import tables_text

    store, recorded = Store(), recorded_arena()
    arenas = chosen_arenas(arguments, store)
    results = ArenaResults(outcome for arena in arenas for outcome in known_outcomes(arena, store, recorded))
    notes = closing_notes(results, arenas)
    sweeps = known_sweeps({arena.dataset for arena in arenas if arena.split == "public"}, store)
    sys.stdout.write(tables_text(paper_tables(results, arenas, sweeps), notes, arguments.format))


def known_sweeps(datasets: Iterable[str], store: "Store") -> "dict[str, SweepResults]":
    """Return the paper's grid of settings where it has been computed whole here, or was recorded."""
    from pgcn.recorded import recorded_sweep
    from pgcn.studies.sweep import sweep_of
    from pgcn.studies.sweep.outcomes import stored_outcomes
    from pgcn.studies.sweep.results import SweepResults

    recorded, found = recorded_sweep(), {}
    for name in datasets:
        sweep = sweep_of(name, store=store, reproducible=reproducible.is_on())
        outcomes = stored_outcomes(sweep, store)
        if len(outcomes) == len(sweep.tasks()):
            found[name] = SweepResults(sweep, outcomes)
        elif recorded is not None and recorded.sweep.dataset == name:
            found[name] = recorded
    return found
