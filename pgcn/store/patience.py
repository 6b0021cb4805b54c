"""A store that is away for a moment is waited for: locked, its disk full, its server restarted."""

import time
from collections.abc import Callable
from typing import TypeVar

from pgcn.errors import StoreUnavailable

PATIENCE = 30.0
"""Seconds for which a read or write is tried again."""

Result = TypeVar("Result")


def patiently(act: Callable[[], Result]) -> Result:
    """Read or write, again and again while the store is not available; raise after :data:`PATIENCE` seconds."""
    deadline, pause = time.monotonic() + PATIENCE, 0.1
    while True:
        try:
            return act()
        except StoreUnavailable:
            if time.monotonic() + pause > deadline:
                raise
            time.sleep(pause)
            pause = min(2 * pause, 2.0)
