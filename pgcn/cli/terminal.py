"""How everything looks on the terminal: the console and the tables that all commands print to."""

from collections.abc import Collection, Mapping, Sequence

from rich.console import Console
from rich.table import Table


def terminal(*, stderr: bool = False) -> Console:
    """Return a console that prints text as it is: it colours no numbers, and a name in brackets is no markup."""
    return Console(stderr=stderr, highlight=False, markup=False, emoji=False)


def wide_terminal(columns: int) -> Console:
    """Return a console with so many columns where what it prints goes to a file."""
    console = terminal()
    if not console.is_terminal:
        console.width = columns
    return console


def print_rows(console: Console, rows: Sequence[Mapping[str, str]], *, left: str, title: str | None = None) -> None:
    """Print rows as a table and an empty line; the column named in ``left`` is aligned to the left."""
    table = open_table(*rows[0], right=[name for name in rows[0] if name != left], title=title)
    for row in rows:
        table.add_row(*row.values())
    console.print(table)
    console.print()


def open_table(*columns: str, right: Collection[str] = (), title: str | None = None) -> Table:
    """Return a table without lines; the columns named in ``right`` are aligned to the right."""
    table = Table(title=title, title_justify="left", box=None, header_style="bold")
    for column in columns:
        table.add_column(column, justify="right" if column in right else "left")
    return table
