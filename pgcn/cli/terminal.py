"""How everything looks on the terminal: the console and the tables that all commands print to."""

from collections.abc import Collection

from rich.console import Console
from rich.table import Table


def terminal(*, stderr: bool = False) -> Console:
    """Return a console that prints text as it is: it colours no numbers, and a name in brackets is no markup."""
    return Console(stderr=stderr, highlight=False, markup=False, emoji=False)


def open_table(*columns: str, right: Collection[str] = (), title: str | None = None) -> Table:
    """Return a table without lines; the columns named in ``right`` are aligned to the right."""
    table = Table(title=title, title_justify="left", box=None, header_style="bold")
    for column in columns:
        table.add_column(column, justify="right" if column in right else "left")
    return table
