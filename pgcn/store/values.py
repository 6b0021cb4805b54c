"""What a column holds may be damaged: then it is a mark that equals nothing, and no other row suffers for it."""

from collections.abc import Callable
from typing import Any

import sqlalchemy as sa

UNREADABLE = "\ufffd"
"""Stands in a text for bytes that are none."""
LAST_TIME = 253_402_214_400.0
"""The end of the year 9999 in seconds: what is later is no time."""


class Damaged:
    """A value that cannot be read."""


DAMAGED = Damaged()


class _Guarded(sa.TypeDecorator):
    """A type whose values are :data:`DAMAGED` where they cannot be read; the query's others are as they are."""

    def result_processor(self, dialect: sa.Dialect, coltype: object) -> Callable[[Any], Any]:
        process = super().result_processor(dialect, coltype)

        def read(value: Any) -> Any:
            try:
                return value if process is None else process(value)
            except (ValueError, TypeError, RecursionError):
                return DAMAGED

        return read


class StoredJSON(_Guarded):
    impl = sa.JSON
    cache_ok = True


class StoredBytes(_Guarded):
    impl = sa.LargeBinary
    cache_ok = True

    def result_processor(self, dialect: sa.Dialect, coltype: object) -> Callable[[Any], Any]:
        process = super().result_processor(dialect, coltype)
        # Of a number SQLAlchemy would make so many bytes.
        return lambda value: DAMAGED if isinstance(value, int | float | str) else process(value)


def readable_text(data: bytes) -> str:
    """Return a text of SQLite's; one whose bytes were damaged is not what was stored, but does not stop a query."""
    return data.decode(errors="replace")


def text_of(value: Any) -> str:
    """Return a text, "" for what is none."""
    return value if isinstance(value, str) else ""


def number_of(value: Any) -> float:
    """Return a number, 0 for what is none."""
    return float(value) if isinstance(value, int | float) else 0.0


def time_of(value: Any) -> float | None:
    """Return a time in seconds, None for what is none."""
    return float(value) if isinstance(value, int | float) and 0 <= value <= LAST_TIME else None
