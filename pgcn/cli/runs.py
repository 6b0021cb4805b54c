"""``pgcn runs``: list the stored runs."""

import argparse
import json
import time
from dataclasses import asdict

from pgcn.cli.options import Commands, add_json


def add_parser(commands: Commands) -> None:
    command = commands.add_parser("runs", help="list the stored runs")
    add_json(command, "one run per line")
    command.set_defaults(action=list_runs)


def list_runs(arguments: argparse.Namespace) -> None:
    """Print the stored runs, the newest first."""
    from pgcn.cli.terminal import open_table, terminal
    from pgcn.events import jsonable
    from pgcn.numbers import percent
    from pgcn.store import Store

    runs, console = Store().runs(), terminal()
    if arguments.json:
        for run in runs:
            print(json.dumps(jsonable(asdict(run))))
        return
    if not runs:
        console.print("No run is stored yet. Store one with: pgcn grow --store")
        return
    about = ("run", "when", "method", "data set", "seed", "status")
    table = open_table(*about, "topology", "parameters", "validation", "test")
    for run in runs:
        scores = run.scores or {}
        table.add_row(
            run.id[:8],
            time.strftime("%Y-%m-%d %H:%M", time.localtime(run.created)),
            run.method,
            run.dataset,
            str(run.seed),
            run.status,
            " → ".join(map(str, run.topology)) or "-",
            f"{run.parameters:,}",
            percent(scores.get("val_accuracy")),
            percent(scores.get("test_accuracy")),
        )
    console.print(table)
