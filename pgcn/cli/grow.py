"""``pgcn grow``: grow networks and watch them."""

import argparse

from pgcn.cli.options import Commands, add_budget, add_decisions, add_preset, add_runs
from pgcn.errors import ConfigError

AUTO = "auto"


def add_parser(commands: Commands) -> None:
    command = commands.add_parser("grow", help="grow a network and watch it")
    add_preset(command, f", or {AUTO}: chosen by validation accuracy")
    add_budget(command, "--budget", f"time limit for trying presets (default: 120; --preset {AUTO} only)")
    add_runs(command)
    steer = "decide on each candidate yourself; at the end your run is compared with the rule's"
    command.add_argument("--steer", action="store_true", help=steer)
    add_decisions(command, "with --steer")
    command.set_defaults(action=grow)


def grow(arguments: argparse.Namespace) -> None:
    """Grow a network for every seed and show how."""
    from pgcn.cli.running import check_runs, run_seeds
    from pgcn.cli.steer import check_terminal, read_letters
    from pgcn.methods.pgcn import growth_preset

    name, note = arguments.preset, ""
    if name == AUTO:
        from pgcn.cli.choosing import picked_preset

        check_runs(arguments)
        name, note = picked_preset(arguments)
    elif arguments.budget is not None:
        raise ConfigError(f"--budget is for --preset {AUTO}, which tries presets; got --preset {name}.")
    config = growth_preset(name).set(*arguments.settings)
    if arguments.steer or arguments.decisions:
        config = config.change(decider="person")
    if config.decider == "person":
        read_letters(arguments.decisions)
        check_terminal(arguments.decisions)
    run_seeds(arguments, "pgcn", config, letters=arguments.decisions, note=note)
