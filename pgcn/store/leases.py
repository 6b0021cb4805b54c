"""Who works on a run: whoever holds its lease.

An owner is a token that nobody else has. It is written into the run's row with a lease, a time of the database's
own clock up to which the owner is taken to be alive, and renewed in the background. A run whose lease has run out
is interrupted and may be resumed by anybody, who becomes its owner; what the old owner still writes is refused. So
it matters neither on which host nor under which number a process runs.
"""

import logging
import os
import threading
import uuid

from pgcn.errors import ConfigError, StoreError
from pgcn.store.database import Database, now
from pgcn.store.schema import RUNS

LOG = logging.getLogger(__name__)


def lease_seconds() -> float:
    """Return how long a run is taken to be alive without a sign of its owner."""
    text = os.environ.get("PGCN_LEASE", "10")
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0.2 <= seconds <= 86400:
        raise ConfigError(f"PGCN_LEASE must be a number of seconds from 0.2 to 86,400, got {text!r}.")
    return seconds


class Leases:
    """The runs that are worked on through one store, and a thread that renews their leases while there are any."""

    def __init__(self, database: Database) -> None:
        self._database, self.seconds = database, lease_seconds()
        self._owners: dict[str, str] = {}
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._changed = threading.Event()

    def owner(self, run: str) -> str | None:
        """Return the token under which this store works on a run."""
        with self._lock:
            return self._owners.get(run)

    def take(self, run: str) -> str:
        """Return a token for a run, to be written into its row, and keep its lease alive from now on."""
        token = uuid.uuid4().hex
        with self._lock:
            self._owners[run] = token
            if self._thread is None:
                self._changed.clear()
                self._thread = threading.Thread(target=self._renew, daemon=True, name="store-leases")
                self._thread.start()
        return token

    def release(self, run: str) -> None:
        """Keep a run's lease no longer alive."""
        with self._lock:
            self._owners.pop(run, None)

    def close(self) -> None:
        """Release all; what was not finished is interrupted when its lease has run out."""
        with self._lock:
            self._owners.clear()
            thread = self._thread
        self._changed.set()
        if thread is not None and thread is not threading.current_thread():
            thread.join(timeout=5)

    def _renew(self) -> None:
        while True:
            self._changed.wait(self.seconds / 4)
            with self._lock:
                owners = dict(self._owners)
                if not owners:
                    self._thread = None
                    return
            try:
                with self._database.writing() as connection:
                    until = now(connection) + self.seconds
                    for run, token in owners.items():
                        own = (RUNS.c.id == run, RUNS.c.owner == token, RUNS.c.status == "running")
                        connection.execute(RUNS.update().where(*own).values(lease=until))
            except StoreError as error:  # tried again soon; whoever writes an event says what is wrong
                LOG.warning("leases could not be renewed: %s", error)
