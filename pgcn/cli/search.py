"""``pgcn search METHOD``: search for an architecture and watch it."""

import argparse

from pgcn.cli.options import Commands, add_runs, whole_number
from pgcn.errors import ConfigError, no_such
from pgcn.methods.registry import METHODS

SEARCHES = {name: method for name, method in METHODS.items() if method.searches}


def add_parser(commands: Commands) -> None:
    lines = [f"  {method.name:<10}{method.title}: {method.about}" for method in SEARCHES.values()]
    command = commands.add_parser(
        "search",
        help="search for an architecture",
        description="Search for an architecture by validation accuracy; the best are then retrained.",
        epilog="\n".join(["searches:", *lines]),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    command.add_argument("method", metavar="SEARCH", help=f"one of: {', '.join(SEARCHES)}")
    command.add_argument("--preset", metavar="NAME", help="laptop (default) or paper: 1000 architectures")
    budget = "architectures to try (default: 30; the papers: 1000)"
    command.add_argument("--budget", type=whole_number, metavar="N", help=budget)
    command.add_argument(
        "--seconds", type=whole_number, metavar="S", help="stop trying architectures after S seconds"
    )
    add_runs(command)
    command.set_defaults(action=search)


def search(arguments: argparse.Namespace) -> None:
    """Search with every seed and show how."""
    if arguments.method not in SEARCHES:
        raise ConfigError(no_such("search", arguments.method, SEARCHES))
    config = SEARCHES[arguments.method].settings(arguments.preset).set(*arguments.settings)
    asked = {"architectures": arguments.budget, "max_seconds": arguments.seconds}
    config = config.change(**{name: value for name, value in asked.items() if value is not None})

    from pgcn.cli.running import run_seeds

    run_seeds(arguments, arguments.method, config)
