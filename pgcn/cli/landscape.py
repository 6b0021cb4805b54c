"""``pgcn landscape``: fixed topologies over a grid of widths and depths, and where growth ends on it."""

import argparse
from typing import TYPE_CHECKING

from pgcn import reproducible
from pgcn.cli.options import (
    Commands,
    add_preset,
    add_settings,
    add_source,
    add_study,
    check_study,
    whole_number,
)
from pgcn.errors import ConfigError

if TYPE_CHECKING:
    from pgcn.store import Store
    from pgcn.studies.landscape import Landscape
    from pgcn.studies.landscape.results import LandscapeResults

FILE_WIDTH = 120
"""Columns of the table where it is not printed to a terminal."""


def add_parser(commands: Commands) -> None:
    about = "accuracy of fixed topologies over a grid of widths and depths, and where growth ends on it"
    command = commands.add_parser("landscape", help=about)
    add_source(command)
    command.add_argument(
        "--widths", metavar="N,N,...", help="neurons of every hidden layer (default: 5,10,20,40,80)"
    )
    command.add_argument("--depths", metavar="N,N,...", help="numbers of hidden layers (default: 1,2,3,4)")
    runs = "seeds of every fixed topology (default: 5)"
    command.add_argument("--runs", type=whole_number, default=5, metavar="N", help=runs)
    paths = "seeds of growth and of the GCN baseline (default: 20)"
    command.add_argument("--paths", type=whole_number, default=20, metavar="N", help=paths)
    add_preset(command)
    add_settings(command, "change settings of growth; fixed topologies are trained alike")
    add_study(command, "csv", "html", "record")
    command.set_defaults(action=run_landscape)


def run_landscape(arguments: argparse.Namespace) -> None:
    """Run what is not stored yet of a landscape, then show all of it."""
    from pgcn.cli.study_progress import run_missing
    from pgcn.cli.terminal import terminal
    from pgcn.recorded import write_landscape
    from pgcn.store import Store
    from pgcn.studies.landscape.estimate import seconds_by_task
    from pgcn.studies.landscape.outcomes import stored_outcomes
    from pgcn.studies.landscape.results import LandscapeResults

    record = check_study(arguments)
    store, console = Store(), terminal(stderr=True)
    landscape = chosen_landscape(arguments, store)
    run_missing(
        [landscape],
        store,
        arguments,
        console,
        lambda tasks: seconds_by_task(tasks, landscape, stored_outcomes(landscape, store)),
    )
    results = LandscapeResults(landscape, stored_outcomes(landscape, store))
    if record:
        write_landscape(record, results)
        console.print(f"Wrote {len(results.outcomes)} runs to {record}.", soft_wrap=True)
    show_results(results, arguments)


def chosen_landscape(arguments: argparse.Namespace, store: "Store") -> "Landscape":
    """Return the landscape that was asked for."""
    from pgcn.cli.running import chosen_source
    from pgcn.config import assignments
    from pgcn.methods.pgcn import GrowthConfig, growth_preset
    from pgcn.studies.difficulty import read_numbers
    from pgcn.studies.landscape import landscape_of

    changes = assignments(GrowthConfig, arguments.settings)
    if "seed" in changes:
        raise ConfigError("seed is not set with --set here: a landscape has the seeds 0, 1, 2, ...")
    asked = {}
    for name in ("widths", "depths"):
        if getattr(arguments, name) is not None:
            asked[name] = read_numbers(getattr(arguments, name), int, f"--{name}")
    return landscape_of(
        chosen_source(arguments, store),
        store=store,
        growth=growth_preset(arguments.preset, **changes),
        runs=arguments.runs,
        paths=arguments.paths,
        reproducible=reproducible.is_on(),
        **asked,
    )


def show_results(results: "LandscapeResults", arguments: argparse.Namespace) -> None:
    """Print the table and what it shows, or the runs as JSON or CSV; write the files asked for."""
    from pgcn.cli.outcomes import write_outcomes
    from pgcn.studies.landscape.outcomes import outcomes_as_csv, plain_row
    from pgcn.views.landscape.report import landscape_page

    rows = ({"dataset": results.landscape.source.name, **plain_row(one)} for one in results.shown)
    files = {"as_csv": lambda: outcomes_as_csv(results.shown), "page": lambda: landscape_page(results)}
    if not write_outcomes(arguments, rows, **files):
        show_table(results)


def show_table(results: "LandscapeResults") -> None:
    """Print a row for every point, growth and the GCN, then what the map shows in sentences."""
    from pgcn.cli.terminal import print_rows, wide_terminal
    from pgcn.studies.landscape.words import findings, headline
    from pgcn.views.landscape.places import place_rows

    console, rows = wide_terminal(FILE_WIDTH), place_rows(results)
    if rows:
        title = f"{results.landscape.source.name}: fixed topologies, growth and the GCN, mean ± sd"
        print_rows(console, rows, left="topology", title=title)
    found = headline(results)
    for sentence in [*([f"{found}."] if found else []), *findings(results)]:
        console.print(sentence)
