"""``pgcn store check`` and ``pgcn store repair``: is the store sound, and what can be saved of it?"""

import argparse
import os
from typing import TYPE_CHECKING

from pgcn.cli.options import Commands
from pgcn.errors import StoreError
from pgcn.numbers import counted

if TYPE_CHECKING:
    from pgcn.store.check import Problem


def add_parser(commands: Commands) -> None:
    command = commands.add_parser("store", help="check the database of runs, or repair it")
    actions = command.add_subparsers(title="commands", metavar="COMMAND", required=True)
    checking = actions.add_parser("check", help="say what is damaged; nothing is changed")
    checking.set_defaults(action=check_store)
    repairing = actions.add_parser(
        "repair", help="truncate damaged runs to their intact events; other runs are not changed"
    )
    repairing.set_defaults(action=repair_store)


def check_store(arguments: argparse.Namespace) -> None:
    """Print everything that is damaged; an error where anything is."""
    from pgcn.cli.terminal import terminal
    from pgcn.store.check import check
    from pgcn.store.database import Database
    from pgcn.store.rescue import problems_of_file, sqlite_file

    console, file = terminal(), sqlite_file(os.environ.get("PGCN_STORE"))
    problems = problems_of_file(file) if file else []
    if not problems:
        database = Database()
        problems = list(check(database))
        database.close()
    for problem in problems:
        console.print(named(problem))
    if problems:
        raise StoreError(f"{counted(len(problems), 'problem')} found. 'pgcn store repair' recovers what is intact.")
    console.print("No problems found.")


def repair_store(arguments: argparse.Namespace) -> None:
    """Keep what is sound; a file that SQLite itself finds damaged is copied as far as it can be read."""
    from pgcn.cli.terminal import terminal
    from pgcn.store.database import Database
    from pgcn.store.repair import repair
    from pgcn.store.rescue import problems_of_file, rescue, sqlite_file

    console, file = terminal(), sqlite_file(os.environ.get("PGCN_STORE"))
    if file and problems_of_file(file):
        console.print(f"What could be read was copied; the damaged file is now {rescue(file)}.")
    database = Database()
    done = list(repair(database))
    database.close()
    for problem in done:
        console.print(named(problem))
    runs = sum(problem.run is not None for problem in done)
    console.print(f"{counted(runs, 'run')} repaired." if runs else "No run needed repair.")


def named(problem: "Problem") -> str:
    """Return a problem with what it is about."""
    return f"{f'run {problem.run[:8]}' if problem.run else 'store'}: {problem.text}"
