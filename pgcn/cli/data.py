"""``pgcn data`` lists the data sets, those of the store too; ``get`` downloads one, ``add`` takes one's own."""

import argparse
import sys

from pgcn.cli.data_add import add_parsers
from pgcn.cli.options import Commands, add_data_dir
from pgcn.errors import PgcnError


def add_parser(commands: Commands) -> None:
    command = commands.add_parser("data", help="list the data sets, download one, or add your own graph")
    add_data_dir(command)
    command.set_defaults(action=list_data)
    nested = command.add_subparsers(title="commands", metavar="COMMAND")
    get = nested.add_parser("get", help="download a data set")
    get.add_argument("name", help="cora, citeseer or pubmed")
    # Suppressed, or else it would overwrite 'pgcn data --data-dir DIR get ...'.
    get.add_argument("--data-dir", metavar="DIR", default=argparse.SUPPRESS, help="where to save it")
    get.set_defaults(action=get_data)
    add_parsers(nested)


def list_data(arguments: argparse.Namespace) -> None:
    """Print every data set with its statistics and where it was found."""
    from rich.text import Text

    from pgcn.cli.terminal import open_table, terminal
    from pgcn.data import catalogue
    from pgcn.store import Store

    console = terminal()
    numbers = ("nodes", "edges", "features", "classes", "label rate")
    table = open_table("data set", *numbers, "description", right=numbers)
    found = catalogue(arguments.data_dir)
    for info in found:
        counts = (f"{count:,}" for count in (info.nodes, info.edges, info.features, info.classes))
        table.add_row(info.name, *counts, f"{info.label_rate:.3f}", info.note)
    try:
        stored = Store().stored_graphs()
    except PgcnError as error:  # the others are there all the same
        stored = {}
        print(f"pgcn: {error}", file=sys.stderr)
    for name, graph in stored.items():
        counts = (f"{graph.facts[part]:,}" for part in numbers[:-1])
        table.add_row(Text(name), *counts, f"{graph.facts['labelled'] / graph.facts['nodes']:.3f}", "Added by you.")
    console.print(table)
    console.print()
    for info in found:
        where = info.where or f"not downloaded yet; download it with: pgcn data get {info.name}"
        console.print(f" {info.name:<11}{where}", soft_wrap=True)
    for name in stored:
        console.print(Text(f" {name:<11}in the store"), soft_wrap=True)


def get_data(arguments: argparse.Namespace) -> None:
    """Download a data set with a progress bar."""
    from pgcn.cli.progress import transfer_progress
    from pgcn.cli.terminal import terminal
    from pgcn.data import fetch

    console = terminal()
    with transfer_progress(console) as progress:
        path = fetch(arguments.name, arguments.data_dir, progress)
    console.print(f"{arguments.name} is at {path}", soft_wrap=True)
