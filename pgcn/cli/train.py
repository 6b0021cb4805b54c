"""``pgcn train METHOD``: train networks of any method."""

import argparse

from pgcn.cli.options import Commands, add_runs
from pgcn.methods.registry import METHODS, method_named


def add_parser(commands: Commands) -> None:
    command = commands.add_parser(
        "train",
        help="train networks of any method",
        description="Train networks of any method and show what they reach.",
        epilog=methods_text(),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    command.add_argument("method", metavar="METHOD", help=f"one of: {', '.join(METHODS)}")
    preset = (
        "a preset of the method (default: the published one for the data set where there is "
        "one; 'pgcn settings' lists all)"
    )
    command.add_argument("--preset", metavar="NAME", help=preset)
    add_runs(command)
    command.set_defaults(action=train)


def methods_text() -> str:
    """Return every method with its sentence and its presets."""
    lines, width = ["methods:"], 2 + max(map(len, METHODS))
    for method in METHODS.values():
        presets = f" (presets: {', '.join(method.presets)})" if method.presets else ""
        lines.append(f"  {method.name:<{width}}{method.title}: {method.about}{presets}")
    return "\n".join(lines)


def train(arguments: argparse.Namespace) -> None:
    """Train a network for every seed and show what it reaches."""
    method = method_named(arguments.method)
    preset = arguments.preset or method.preset_for(arguments.dataset)
    config = method.settings(preset).set(*arguments.settings)

    from pgcn.cli.running import run_seeds

    run_seeds(arguments, method.name, config)
