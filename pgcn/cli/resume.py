"""``pgcn resume``: resume a stored run that was interrupted."""

import argparse

from pgcn.cli.options import Commands, add_data_dir, add_decisions, add_json, add_stored_run


def add_parser(commands: Commands) -> None:
    command = commands.add_parser("resume", help="resume a stored run that was interrupted")
    add_stored_run(command)
    add_json(command, "one event per line")
    add_decisions(command, "for a run decided by a person")
    add_data_dir(command)
    command.set_defaults(action=resume)


def resume(arguments: argparse.Namespace) -> None:
    """Resume a run and show it."""
    from pgcn.cli.running import show_beside
    from pgcn.cli.showing import show_runs
    from pgcn.cli.steer import read_letters
    from pgcn.cli.terminal import terminal
    from pgcn.execution.recorder import resume_stored
    from pgcn.store import Store

    read_letters(arguments.decisions)  # what cannot be read is refused before anything is computed
    store = Store()
    run, _ = resume_stored(store, arguments.run, data_dir=arguments.data_dir)
    show_runs(run.runs, as_json=arguments.json, letters=arguments.decisions)
    show_beside(run.runs, store, terminal(stderr=True), record=True, data_dir=arguments.data_dir)
