"""What only SQLite needs: files that can only be read, those of other programs, write-ahead logging, its locks."""

import os
import sqlite3
import time
from pathlib import Path
from urllib.parse import quote

import sqlalchemy as sa

from pgcn.store.migrations import found_version, refuse_foreign
from pgcn.store.schema import APPLICATION
from pgcn.store.values import readable_text

BUSY_SECONDS = 10
"""How long a connection waits for another one's lock."""

INCREMENTAL, PAGES = 2, 500
"""What SQLite calls a file that can shrink bit by bit, and how many pages such a bit has."""


def sqlite_engine(url: sa.URL, *, read_only: bool) -> sa.Engine:
    """Return an engine that is fit for many who write, or one that changes nothing at all."""
    file = Path(url.database or "")
    if read_only:  # every connection looks anew whether somebody else writes
        engine = sa.create_engine("sqlite://", creator=lambda: look_into(file), poolclass=sa.pool.NullPool)
    else:
        file.parent.mkdir(parents=True, exist_ok=True)
        engine = sa.create_engine(url)
    sa.event.listen(engine, "connect", _prepare if not read_only else _prepare_to_read)
    sa.event.listen(engine, "begin", _begin)
    return engine


def look_into(file: Path) -> sqlite3.Connection:
    """Open a file without changing it or leaving another beside it.

    What a writer that lives or was killed has left beside it (its -wal) is read too. Where there is none, SQLite
    is told that nobody writes: it would make such files otherwise.
    """
    how = "" if wal_of(file).is_file() else "&immutable=1"
    return sqlite3.connect(read_only_address(file) + how, uri=True, check_same_thread=False)


def wal_of(file: Path) -> Path:
    return file.with_name(f"{file.name}-wal")


def read_only_address(file: Path) -> str:
    """Return the address under which SQLite opens a file to read it only, whatever its name is."""
    return f"file:{quote(str(file))}?mode=ro"


def is_read_only(file: Path) -> bool:
    """Return whether a file is there but it, or its folder, cannot be written."""
    return file.is_file() and not (os.access(file, os.W_OK) and os.access(file.parent, os.W_OK))


def refuse_unopened(file: Path) -> None:
    """Refuse a file of another program, or of a later version, before anything of it is changed."""
    if not file.is_file():
        return
    engine = sqlite_engine(sa.URL.create("sqlite", database=str(file)), read_only=True)
    try:
        with engine.connect() as connection:
            if found_version(connection) is None:
                refuse_foreign(connection)
    except (sa.exc.DBAPIError, UnicodeDecodeError):  # somebody makes it just now, or it is none: opening it says so
        return
    finally:
        engine.dispose()


def is_ours(file: Path) -> bool:
    """Return whether the header of a file marks it as ours."""
    with file.open("rb") as opened:
        header = opened.read(72)
    return header[68:] == APPLICATION.to_bytes(4)


def _prepare_to_read(connection: sqlite3.Connection, _: object) -> None:
    connection.text_factory = readable_text
    connection.isolation_level = None
    connection.execute(f"PRAGMA busy_timeout={int(1000 * BUSY_SECONDS)}")


def _prepare(connection: sqlite3.Connection, _: object) -> None:
    _prepare_to_read(connection, _)  # transactions begin where SQLAlchemy says, tables included
    if not connection.execute("PRAGMA page_count").fetchone()[0]:  # a new file: room is given back bit by bit
        connection.execute("PRAGMA auto_vacuum=INCREMENTAL")
    connection.execute("PRAGMA foreign_keys=ON")  # SQLite ignores them otherwise
    (mode,) = connection.execute("PRAGMA journal_mode").fetchone()
    if mode == "delete":  # WAL lets readers read while a run is written
        _switch_to_wal(connection)
    connection.execute("PRAGMA synchronous=NORMAL")


def _switch_to_wal(connection: sqlite3.Connection) -> None:
    """Switch to write-ahead logging; SQLite itself does not wait for the lock that this takes."""
    deadline = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL")
            return
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > deadline:
                raise
            time.sleep(0.02)


def _begin(connection: sa.Connection) -> None:
    # A transaction that will write asks for the lock at once: one that reads first may not wait for it later.
    writes = connection.get_execution_options().get("writes", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def shrink(connection: sqlite3.Connection) -> None:
    """Give the room of what was deleted back, bit by bit: others write in between.

    A file of before is written anew once, for which it is locked.
    """
    (mode,) = connection.execute("PRAGMA auto_vacuum").fetchone()
    if mode != INCREMENTAL:
        connection.execute("PRAGMA auto_vacuum=INCREMENTAL")
        connection.execute("VACUUM")
    while connection.execute("PRAGMA freelist_count").fetchone()[0]:
        connection.execute(f"PRAGMA incremental_vacuum({PAGES})").fetchall()
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
