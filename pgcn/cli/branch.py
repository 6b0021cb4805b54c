"""``pgcn branch``: continue growing from an accepted block of a stored run with other settings."""

import argparse

from pgcn.cli.options import (
    Commands,
    add_data_dir,
    add_decisions,
    add_json,
    add_settings,
    add_stored_run,
    whole_number,
)
from pgcn.config import assignments


def add_parser(commands: Commands) -> None:
    about = "continue growing from an accepted block of a stored run with other settings"
    command = commands.add_parser("branch", help=about)
    add_stored_run(command)
    step = "the accepted block to branch from, counted from 1 (default: the last)"
    command.add_argument("--step", type=whole_number, metavar="N", help=step)
    add_settings(command, "settings of the branch, such as seed=3 dropout=0.2")
    add_json(command, "one event per line")
    add_decisions(command, "for a run decided by a person")
    add_data_dir(command)
    command.set_defaults(action=branch)


def branch(arguments: argparse.Namespace) -> None:
    """Store the branch, grow it on and show it."""
    from pgcn.cli.running import show_beside
    from pgcn.cli.showing import show_runs
    from pgcn.cli.steer import read_letters
    from pgcn.cli.terminal import terminal
    from pgcn.errors import ConfigError
    from pgcn.execution.recorder import resume_stored, store_branch
    from pgcn.methods.pgcn import GrowthConfig
    from pgcn.store import Store, new_id

    read_letters(arguments.decisions)  # what cannot be read is refused before anything is stored
    store, run = Store(), new_id()
    parent = store.run(arguments.run)
    step = parent.step if arguments.step is None else arguments.step
    if step is None:
        raise ConfigError(f"Run {parent.id[:8]} has no accepted block to branch from.")
    store_branch(store, parent.id, step, assignments(GrowthConfig, arguments.settings), run=run)
    resumed, _ = resume_stored(store, run, data_dir=arguments.data_dir)
    messages = terminal(stderr=True)
    messages.print(f"Branch of {parent.id[:8]} from step {step}, stored as {run[:8]}.")
    show_runs(resumed.runs, as_json=arguments.json, letters=arguments.decisions)
    show_beside(resumed.runs, store, messages, record=True, data_dir=arguments.data_dir)
