"""The connection to a database: opened with checks, transactions, and errors in words."""

import contextlib
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import platformdirs
import sqlalchemy as sa
from sqlalchemy.exc import ArgumentError, DBAPIError, InterfaceError, NoSuchModuleError, OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeout

from pgcn.errors import StoreError, StoreUnavailable
from pgcn.places import check_store_address
from pgcn.store import sqlite
from pgcn.store.migrations import bring_up_to_date

CONNECT_SECONDS, STATEMENT_SECONDS = 10, 120
"""How long a server may take to answer at all, and to do one thing."""
PASSING = (
    *("locked", "busy", "full", "disk i/o", "no space", "timeout", "deadlock", "could not serialize", "too many"),
    *("connection", "server closed", "shutting down", "starting up"),
)
"""Words in a database's own message that say that the same may succeed later."""


_OPEN: "set[Database]" = set()


def disconnect_all() -> None:
    """Close the connections of all databases of this process; one that is used again connects again."""
    for database in list(_OPEN):
        database.close()


class Database:
    """A database that is open. Safe to use from several threads, and from several processes at once."""

    def __init__(self, url: str | None = None) -> None:
        self.url = url or os.environ.get("PGCN_STORE") or default_url()
        check_store_address(self.url)
        try:
            self.engine, self.read_only = open_engine(self.url)
            self._for_writing = self.engine.execution_options(writes=True)
            # All that is read in one go is of one moment; SQLite does so by itself.
            how = {} if self.engine.dialect.name == "sqlite" else {"isolation_level": "REPEATABLE READ"}
            self._for_reading = self.engine.execution_options(**how)
            _OPEN.add(self)
            bring_up_to_date(self._for_writing, read_only=self.read_only)
        except (ArgumentError, NoSuchModuleError, DBAPIError, OSError, ImportError, ValueError) as error:
            raise unopened(error) from error

    def close(self) -> None:
        self.engine.dispose()
        _OPEN.discard(self)

    @contextmanager
    def reading(self) -> Iterator[sa.Connection]:
        """Give a connection to read from."""
        with errors_in_words("read"), self._for_reading.connect() as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[sa.Connection]:
        """Give a connection with a transaction, which holds the lock from its start: all is done, or nothing."""
        if self.read_only:
            raise StoreError("This store is read-only: its file or folder cannot be written. Nothing was changed.")
        with errors_in_words("written"), self._for_writing.begin() as connection:
            yield connection

    def shrink(self) -> None:
        """Give the room of what was deleted back, where the database does not do so by itself."""
        if self.engine.dialect.name != "sqlite":
            return
        with errors_in_words("shrunk"), self.engine.connect() as connection:
            connection.rollback()
            raw = connection.connection.driver_connection
            if raw is not None:
                sqlite.shrink(raw)


def open_engine(url: str) -> tuple[sa.Engine, bool]:
    """Return an engine with all that makes a database fit for many who write, and whether it can only be read."""
    parsed = sa.make_url(url)
    if parsed.get_backend_name() == "sqlite":
        file = Path(parsed.database or "")
        sqlite.refuse_unopened(file)
        read_only = sqlite.is_read_only(file)
        return sqlite.sqlite_engine(parsed, read_only=read_only), read_only
    # A server that was restarted is connected to again.
    how = {"connect_args": {"connect_timeout": CONNECT_SECONDS}} if "psycopg" in parsed.drivername else {}
    engine = sa.create_engine(parsed, pool_pre_ping=True, pool_timeout=CONNECT_SECONDS, **how)
    if parsed.get_backend_name() == "postgresql":
        sa.event.listen(engine, "connect", _prepare_postgresql)
    return engine, False


def _prepare_postgresql(connection: Any, _: object) -> None:
    """Let nothing wait for ever: neither for somebody's lock nor for a server that hangs."""
    with contextlib.closing(connection.cursor()) as cursor:
        cursor.execute(f"SET lock_timeout = {int(1000 * sqlite.BUSY_SECONDS)}")
        cursor.execute(f"SET statement_timeout = {1000 * STATEMENT_SECONDS}")
    connection.commit()


@contextmanager
def errors_in_words(what: str) -> Iterator[None]:
    """Turn a database's errors into ours; those that may pass are :class:`pgcn.errors.StoreUnavailable`."""
    try:
        yield
    except (OperationalError, InterfaceError, PoolTimeout) as error:
        message = first_line(error)
        if isinstance(error, PoolTimeout) or any(word in message.lower() for word in PASSING):
            raise StoreUnavailable(f"The store cannot be {what} at the moment: {message}") from error
        raise damaged(what, message) from error
    except DBAPIError as error:
        raise damaged(what, first_line(error)) from error
    except (UnicodeDecodeError, ValueError) as error:
        if isinstance(error, StoreError):
            raise
        raise damaged(what, first_line(error)) from error  # such as JSON that is none


def unopened(error: Exception) -> StoreError:
    return StoreError(
        f"The store named by PGCN_STORE cannot be opened: {first_line(error)} Name a database by its URL, such as "
        "sqlite:////home/me/runs.db; 'pgcn store check' inspects a damaged one."
    )


def damaged(what: str, message: str) -> StoreError:
    return StoreError(f"The store cannot be {what}: {message} 'pgcn store check' says what is damaged.")


def first_line(error: BaseException) -> str:
    """Return what a database says, without what surrounds it."""
    original = getattr(error, "orig", None) or error
    line = (str(original).strip() or type(original).__name__).splitlines()[0]
    return line if line.endswith(".") else f"{line}."


def now(connection: sa.Connection) -> float:
    """Return the database's own time, in seconds: hosts that share one may have different clocks."""
    if connection.dialect.name == "postgresql":
        return float(connection.scalar(sa.text("SELECT extract(epoch FROM clock_timestamp())")))
    return time.time()


def default_url() -> str:
    return f"sqlite:///{platformdirs.user_data_path('pgcn') / 'runs.db'}"
