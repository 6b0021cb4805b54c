"""``pgcn grow``: grow networks and watch them."""

import argparse

from pgcn.cli.options import Commands, add_preset, add_runs


def add_parser(commands: Commands) -> None:
    command = commands.add_parser("grow", help="grow a network and watch it")
    add_preset(command)
    add_runs(command)
    command.set_defaults(action=grow)


def grow(arguments: argparse.Namespace) -> None:
    """Grow a network for every seed and show how."""
    from pgcn.cli.running import run_seeds
    from pgcn.methods.pgcn import growth_preset

    run_seeds(arguments, "pgcn", growth_preset(arguments.preset).set(*arguments.settings))
