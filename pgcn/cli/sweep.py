"""``pgcn sweep``: train PGCN over a grid of settings, such as the paper's."""

import argparse
from typing import TYPE_CHECKING

from pgcn import reproducible
from pgcn.cli.options import (
    Commands,
    add_assignments,
    add_preset,
    add_settings,
    add_study,
    check_study,
    whole_number,
)
from pgcn.errors import ConfigError

if TYPE_CHECKING:
    from pgcn.store import Store
    from pgcn.studies.sweep import Sweep
    from pgcn.studies.sweep.outcomes import SweepOutcome
    from pgcn.studies.sweep.results import SweepResults

FILE_WIDTH = 120
"""Columns of the tables where they are not printed to a terminal."""


def add_parser(commands: Commands) -> None:
    command = commands.add_parser("sweep", help="train PGCN over a grid of settings, such as the paper's")
    command.add_argument("--dataset", default="cora", help="cora (default), another data set or a stored graph")
    protocol = "paper (default): 3 dropouts x 3 lambda1 x 5 block widths, the best run by validation reported"
    command.add_argument("--protocol", metavar="NAME", help=protocol)
    grid = "a grid of your own instead, such as block_width=5,10 dropout=0.1,0.5"
    add_assignments(command, "--grid", "grid", grid, metavar="KEY=VALUE,...")
    runs = "seeds at each point of the grid (default: 20)"
    command.add_argument("--runs", type=whole_number, default=20, metavar="N", help=runs)
    add_preset(command)
    command.add_argument("--loss", choices=("ce", "mse"), help="fine-tuning loss (default: that of the preset)")
    add_settings(command, "change settings that the grid does not vary")
    add_study(command, "csv", "html", "record")
    command.set_defaults(action=run_sweep)


def run_sweep(arguments: argparse.Namespace) -> None:
    """Run what is not stored yet of a sweep, then show all of it."""
    from pgcn.cli.study_progress import run_missing
    from pgcn.cli.terminal import terminal
    from pgcn.recorded import recorded_sweep, write_sweep
    from pgcn.store import Store
    from pgcn.studies.sweep.estimate import seconds_by_task
    from pgcn.studies.sweep.outcomes import stored_outcomes
    from pgcn.studies.sweep.results import SweepResults

    record = check_study(arguments)
    store, console = Store(), terminal(stderr=True)
    sweep = chosen_sweep(arguments, store)

    def ended() -> "list[SweepOutcome]":
        return stored_outcomes(sweep, store)

    recorded = recorded_sweep()
    known = recorded.outcomes if recorded and is_alike(recorded.sweep, sweep) else ()
    run_missing([sweep], store, arguments, console, lambda tasks: seconds_by_task(tasks, ended(), known))
    results = SweepResults(sweep, ended())
    if record:
        write_sweep(record, results)
        console.print(f"Wrote {len(results.outcomes)} runs to {record}.", soft_wrap=True)
    show_results(results, arguments)


def is_alike(recorded: "Sweep", asked: "Sweep") -> bool:
    """Return whether runs of one sweep take about as long as those of the other."""
    return (recorded.dataset, recorded.growth) == (asked.dataset, asked.growth)


def chosen_sweep(arguments: argparse.Namespace, store: "Store") -> "Sweep":
    """Return the sweep that was asked for."""
    from pgcn.config import assignments
    from pgcn.methods.pgcn import GrowthConfig
    from pgcn.studies.sweep import protocol_grid, read_grid, sweep_of

    if arguments.grid and arguments.protocol:
        raise ConfigError("--grid is a grid of your own, --protocol one of a paper: give one of them.")
    changes = assignments(GrowthConfig, arguments.settings)
    if "loss" in changes:
        raise ConfigError("loss is not set with --set here: use --loss.")
    if arguments.loss:
        changes["loss"] = arguments.loss
    return sweep_of(
        arguments.dataset,
        preset=arguments.preset,
        changes=changes,
        grid=read_grid(arguments.grid) if arguments.grid else protocol_grid(arguments.protocol or "paper"),
        runs=arguments.runs,
        reproducible=reproducible.is_on(),
        store=store,
    )


def show_results(results: "SweepResults", arguments: argparse.Namespace) -> None:
    """Print the tables, or the runs as JSON or CSV; write the files asked for."""
    from pgcn.cli.outcomes import write_outcomes
    from pgcn.studies.sweep.outcomes import outcomes_as_csv
    from pgcn.views.sweep_report import sweep_page

    rows = ({"dataset": results.sweep.dataset, **outcome.to_dict()} for outcome in results.outcomes)
    if not write_outcomes(
        arguments, rows, lambda: outcomes_as_csv(results.outcomes), page=lambda: sweep_page(results)
    ):
        show_tables(results)


def show_tables(results: "SweepResults") -> None:
    """Print what was found in sentences, then what to expect of the best of n, then the settings."""
    from pgcn.cli.terminal import print_rows, wide_terminal
    from pgcn.studies.sweep.results import findings
    from pgcn.views.sweep import best_of_rows, effect_rows

    console = wide_terminal(FILE_WIDTH)
    best_of = "Test accuracy to expect of the best of n runs by validation"
    for title, rows in ((best_of, best_of_rows(results)), ("Accuracy by setting", effect_rows(results))):
        if rows:
            console.print(title)
            print_rows(console, rows, left="setting")
    for sentence in findings(results):
        console.print(sentence)
