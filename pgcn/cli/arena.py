"""``pgcn arena``: every method on the same splits with the same seeds."""

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

from pgcn.cli.options import Commands, add_study, check_study, whole_number

if TYPE_CHECKING:
    from pgcn.studies.arena.results import ArenaOutcome

FILE_WIDTH = 160
"""Columns of the table where it is not printed to a terminal."""


def add_parser(commands: Commands) -> None:
    command = commands.add_parser("arena", help="compare methods over the same splits and seeds")
    datasets = "data sets, also stored graphs (default: cora,citeseer,pubmed)"
    command.add_argument("--datasets", default="cora,citeseer,pubmed", metavar="D,D,...", help=datasets)
    methods = "methods or contenders ('pgcn-tuned-ce'), 'fixed' (default) for all but the searches, or 'all'"
    command.add_argument("--methods", default="fixed", metavar="M,M,...", help=methods)
    runs = "seeds of every method on every split (default: 20)"
    command.add_argument("--runs", type=whole_number, default=20, metavar="N", help=runs)
    searches = "seeds of every search of architectures (default: 1)"
    command.add_argument("--search-runs", type=whole_number, default=1, metavar="N", help=searches)
    budget = "architectures that a search tries (default: 100 on Cora, 30 on others; the paper's: 1000)"
    command.add_argument("--budget", type=whole_number, metavar="N", help=budget)
    command.add_argument("--split", default="public", help="public (default), random:20 or fraction:0.5")
    splits = "splits to draw, with seeds from 0 up (default: 1)"
    command.add_argument("--splits", type=whole_number, default=1, metavar="N", help=splits)
    add_study(command, "csv", "record")
    command.set_defaults(action=run_arena)


def run_arena(arguments: argparse.Namespace) -> None:
    """Run what is not stored yet on every data set, then show all of it."""
    from pgcn.cli.arenas import chosen_arenas
    from pgcn.cli.study_progress import run_missing
    from pgcn.cli.terminal import terminal
    from pgcn.recorded import recorded_arena, write_arena
    from pgcn.store import Store
    from pgcn.studies.arena.estimate import seconds_by_task
    from pgcn.studies.arena.results import recorded_for, stored_outcomes

    record = check_study(arguments)
    store, console = Store(), terminal(stderr=True)
    arenas = chosen_arenas(arguments, store)
    recorded = recorded_arena()

    def ended() -> "list[ArenaOutcome]":
        return [outcome for arena in arenas for outcome in stored_outcomes(arena, store)]

    run_missing(
        arenas,
        store,
        arguments,
        console,
        lambda tasks: seconds_by_task(tasks, [*ended(), *recorded_for(tasks, recorded)]),
    )
    outcomes = ended()
    if record:
        write_arena(record, outcomes)
        console.print(f"Wrote {len(outcomes)} outcomes to {record}.", soft_wrap=True)
    show_outcomes(outcomes, arguments)


def show_outcomes(outcomes: "Sequence[ArenaOutcome]", arguments: argparse.Namespace) -> None:
    """Print the table, or the runs as JSON or CSV; write the file asked for."""
    from pgcn.cli.outcomes import write_outcomes
    from pgcn.studies.arena.results import outcomes_as_csv

    if not write_outcomes(arguments, map(vars, outcomes), lambda: outcomes_as_csv(outcomes)):
        show_table(outcomes)


def show_table(outcomes: "Sequence[ArenaOutcome]") -> None:
    """Print a row for every method on every data set."""
    from pgcn.cli.terminal import print_rows, wide_terminal
    from pgcn.studies.arena.results import ArenaResults, failures
    from pgcn.views.arena.contenders import result_rows

    console, results = wide_terminal(FILE_WIDTH), ArenaResults(outcomes)
    for place in results.places:
        rows = [
            {name: text for name, text in row.items() if name != "protocol"} for row in result_rows(results, place)
        ]
        title = f"{place.dataset}, {place.split} split: test accuracy in %, mean ± sd"
        print_rows(console, rows, left="method", title=title)
    for sentence in failures(results):
        console.print(sentence)
