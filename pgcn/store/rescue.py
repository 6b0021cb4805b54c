"""An SQLite file that SQLite itself finds damaged: what is wrong with it, and a copy of all that can be read."""

import contextlib
import shutil
import sqlite3
import time
from pathlib import Path

import sqlalchemy as sa
from sqlalchemy.exc import ArgumentError

from pgcn.errors import StoreError
from pgcn.places import check_store_address
from pgcn.store.check import Problem
from pgcn.store.database import Database, default_url, unopened
from pgcn.store.schema import METADATA, SCHEMA
from pgcn.store.sqlite import is_ours, read_only_address
from pgcn.store.values import readable_text

MOST_ROWS = 100_000
"""How many rows in a row may be missing before a table is taken to have ended."""
MOST_ERRORS = 10_000
"""And how many may not be readable: more than one damaged page can cost."""
READ_ERRORS = (sqlite3.DatabaseError, UnicodeDecodeError)
"""What reading a damaged file raises. SQLite's message quotes a damaged name as it is, which may be no text."""


def sqlite_file(url: str | None) -> Path | None:
    """Return the file of an SQLite store, None for another database."""
    address = url or default_url()
    check_store_address(address)
    try:
        parsed = sa.make_url(address)
    except ArgumentError as error:
        raise unopened(error) from error
    return Path(parsed.database) if parsed.get_backend_name() == "sqlite" and parsed.database else None


def problems_of_file(file: Path) -> list[Problem]:
    """Return what SQLite itself finds wrong with a file, and which of our tables are missing."""
    if not file.is_file():
        raise StoreError(f"There is no store at {file}.")
    try:
        with contextlib.closing(sqlite3.connect(read_only_address(file), uri=True)) as raw:
            raw.text_factory = readable_text
            found = [text for (text,) in raw.execute("PRAGMA integrity_check(20)") if text != "ok"]
            there = {name for (name,) in raw.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
            columns = {name: columns_of(raw, name) for name in METADATA.tables}
    except READ_ERRORS as error:
        return [Problem(run=None, text=f"The file is damaged: {error}.")]
    if any(name in there for name in METADATA.tables):
        for name, table in METADATA.tables.items():
            lost = [column.name for column in table.c if column.name not in columns[name]]
            earlier = lost == ["checksum"] and len(columns[name]) < len(table.c)  # a version that had none
            if name not in there:
                found.append(f"the table {name} is missing")
            elif lost and not earlier:
                found.append(f"the table {name} has no column {', '.join(lost)}")
    return [Problem(run=None, text=f"The file is damaged: {text}.") for text in found]


def rescue(file: Path) -> Path:
    """Copy all that can still be read of a damaged SQLite file into a new one, which takes its place.

    The damaged file is kept beside it; its name is returned.
    """
    if not is_ours(file):
        raise StoreError(f"{file} is not a store of pgcn: nothing was changed.")
    fresh, aside = file.with_suffix(".repaired"), file.with_suffix(f".damaged-{int(time.time())}")
    fresh.unlink(missing_ok=True)
    Database(f"sqlite:///{fresh}").close()
    with (
        contextlib.closing(sqlite3.connect(read_only_address(file), uri=True)) as old,
        contextlib.closing(sqlite3.connect(fresh)) as new,
    ):
        old.text_factory = readable_text
        for table in METADATA.sorted_tables:
            if table is not SCHEMA:
                copy_readable(old, new, table)
        new.commit()
    for beside in (f"{file}-wal", f"{file}-shm"):
        Path(beside).unlink(missing_ok=True)
    shutil.move(file, aside)
    shutil.move(fresh, file)
    return aside


def copy_readable(old: sqlite3.Connection, new: sqlite3.Connection, table: sa.Table) -> None:
    """Copy the rows of a table that can be read, one by one: a damaged page costs its own rows only."""
    names, there = [column.name for column in table.c], columns_of(old, table.name)
    if len(there) == len(names) and set(there) != set(names):
        asked = there  # a name is damaged: each column is where it was
    else:
        asked = names = [name for name in names if name in there]
    if not names:
        return
    columns, places = ", ".join(map(quoted, names)), ", ".join("?" * len(names))
    wanted = ", ".join(map(quoted, asked))
    try:
        (last,) = old.execute(f"SELECT max(rowid) FROM {table.name}").fetchone()
    except READ_ERRORS:
        last = MOST_ROWS
    misses = errors = 0
    for number in range(1, (last or 0) + 1):
        try:
            row = old.execute(f"SELECT {wanted} FROM {table.name} WHERE rowid = ?", (number,)).fetchone()
            errors = 0
        except READ_ERRORS:
            row, errors = None, errors + 1
        misses = 0 if row else misses + 1
        if row:
            new.execute(f"INSERT OR IGNORE INTO {table.name} ({columns}) VALUES ({places})", row)
        if misses > MOST_ROWS or errors > MOST_ERRORS:
            return


def columns_of(raw: sqlite3.Connection, table: str) -> list[str]:
    """Return the names of the columns that a table has in a file, none where it has no such table."""
    try:
        return [column[1] for column in raw.execute(f"PRAGMA table_info({table})")]
    except READ_ERRORS:
        return []


def quoted(name: str) -> str:
    doubled = name.replace('"', '""')
    return f'"{doubled}"'
