"""``pgcn gcn``: train the baseline, a GCN of fixed topology."""

import argparse

from pgcn.cli.options import Commands, add_runs


def add_parser(commands: Commands) -> None:
    command = commands.add_parser("gcn", help="train the 2-layer GCN of Kipf & Welling, the baseline")
    add_runs(command)
    command.set_defaults(action=train)


def train(arguments: argparse.Namespace) -> None:
    """Train a GCN for every seed and show what it reaches."""
    from pgcn.cli.running import run_seeds
    from pgcn.methods.gcn import GCNConfig

    run_seeds(arguments, "gcn", GCNConfig().set(*arguments.settings))
