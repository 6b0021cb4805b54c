"""A database of runs, their networks, and graphs."""

import time
import uuid
from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa

from pgcn.errors import StoreError
from pgcn.events import Event, RunFinished, RunStarted
from pgcn.store.database import Database, now
from pgcn.store.graphs import Graphs
from pgcn.store.leases import Leases
from pgcn.store.rows import (
    AcceptedNetwork,
    changed_row,
    cut,
    event_rows,
    network_values,
    new_row,
    refuse_damaged,
    sealed,
)
from pgcn.store.runs import MOST_IDS, StoredRuns
from pgcn.store.schema import EVENTS, NETWORKS, RUNS
from pgcn.store.values import number_of

LONGEST_NAME, LONGEST_NOTE = 200, 10_000


class Store(StoredRuns, Graphs):
    """A database of runs. Safe to use from several processes and hosts at once."""

    def __init__(self, url: str | None = None) -> None:
        self.database = Database(url)
        self._leases = Leases(self.database)

    @property
    def url(self) -> str:
        return self.database.url

    def close(self) -> None:
        self._leases.close()
        self.database.close()

    def open_run(
        self,
        started: RunStarted,
        *,
        run: str | None = None,
        name: str = "",
        batch: str | None = None,
        creator: str = "",
    ) -> str:
        """Store that a run began; return its id, which may be chosen beforehand (:func:`new_id`)."""
        run = run or new_id()
        row = new_row(started, run=run, name=name, batch=batch, creator=creator)
        token = self._leases.take(run)
        try:
            with self.database.writing() as connection:
                row |= {"owner": token, "lease": now(connection) + self._leases.seconds}
                connection.execute(RUNS.insert().values(**sealed(row)))
                connection.execute(EVENTS.insert(), event_rows(run, 0, [started], None))
        except StoreError:
            self._leases.release(run)
            raise
        return run

    def append(
        self, run: str, number: int, events: Sequence[Event], network: AcceptedNetwork | None = None
    ) -> None:
        """Store events, the first the ``number``-th of the run, and the network they led to, in one transaction.

        Only the owner of a run may: whoever opened or resumed it last.
        """
        with self.database.writing() as connection:
            row = connection.execute(sa.select(RUNS).where(RUNS.c.id == run).with_for_update()).one_or_none()
            if row is None or row.owner != self._leases.owner(run):
                why = "was deleted" if row is None else "was resumed elsewhere"
                raise StoreError(f"Run {run[:8]} {why} in the meantime: its further events are not stored.")
            refuse_damaged(row)
            changed = changed_row(dict(row._mapping), events, network)
            changed["lease"] = now(connection) + self._leases.seconds
            connection.execute(EVENTS.insert(), event_rows(run, number, events, network.step if network else None))
            if network is not None:
                same = (NETWORKS.c.run == run, NETWORKS.c.step == network.step)
                if connection.scalar(sa.select(sa.func.count()).select_from(NETWORKS).where(*same)) == 0:
                    connection.execute(NETWORKS.insert().values(**network_values(run, network)))
            connection.execute(RUNS.update().where(RUNS.c.id == run).values(**sealed(changed)))
        if any(isinstance(event, RunFinished) for event in events):
            self._leases.release(run)

    def abandon(self, run: str) -> None:
        """Work on a run no longer: it is interrupted, and can be resumed at once."""
        token = self._leases.owner(run)
        self._leases.release(run)
        with self.database.writing() as connection:
            connection.execute(
                RUNS.update().where(RUNS.c.id == run, RUNS.c.owner == token).values(lease=0.0, owner="")
            )

    def save(
        self,
        run: str,
        events: Sequence[Event],
        networks: Sequence[AcceptedNetwork],
        *,
        name: str,
        batch: str | None,
        creator: str = "",
    ) -> None:
        """Store a run that was carried out elsewhere, whole and in one transaction; it replaces one of the same id.

        ``networks`` are all that it had accepted, the last one last. A run that has not ended is interrupted.
        """
        started, *rest = events
        if not isinstance(started, RunStarted):
            raise StoreError(f"Run {run[:8]} does not begin with RunStarted; it cannot be stored.")
        row = new_row(started, run=run, name=name, batch=batch, creator=creator)
        for network in networks:
            row = changed_row(row, (), network)
        row = changed_row(row, rest, None)
        by_step = {network.step: network_values(run, network) for network in networks}
        with self.database.writing() as connection:
            connection.execute(RUNS.delete().where(RUNS.c.id == run))
            connection.execute(RUNS.insert().values(**sealed(row)))
            connection.execute(EVENTS.insert(), event_rows(run, 0, events, row["step"]))
            if by_step:
                connection.execute(NETWORKS.insert(), list(by_step.values()))

    def reopen(self, run: str, kept: int) -> None:
        """Resume a run: this store owns it, and the events from ``kept`` on are forgotten.

        Of several who try at the same time one succeeds.
        """
        taken = f"Somebody else has resumed run {run[:8]} in the meantime."
        if self._leases.owner(run) is not None:
            raise StoreError(taken)
        with self.database.writing() as connection:
            row = connection.execute(sa.select(RUNS).where(RUNS.c.id == run).with_for_update()).one_or_none()
            if row is None or (row.status == "running" and number_of(row.lease) >= now(connection)):
                raise StoreError(taken)
            refuse_damaged(row)
            token = self._leases.take(run)
            steps = cut(connection, run, kept)
            values = {**row._mapping, "status": "running", "owner": token, "events": kept, "networks": steps}
            values["lease"] = now(connection) + self._leases.seconds
            connection.execute(RUNS.update().where(RUNS.c.id == run).values(**sealed(values)))

    def change(self, run: str, **values: str) -> None:
        """Change a run's name or note."""
        for name, longest in (("name", LONGEST_NAME), ("note", LONGEST_NOTE)):
            text = values.get(name, "")
            if len(text) > longest or "\0" in text:
                raise StoreError(
                    f"A run's {name} may have up to {longest:,} characters, none of them NUL; got {len(text):,}."
                )
        self._update(run, **{name: values[name] for name in values if name in ("name", "note")})

    def delete(self, run: str) -> None:
        """Hide a run; :meth:`restore` brings it back, :meth:`purge` does away with it."""
        self._update(run, deleted=time.time())

    def restore(self, run: str) -> None:
        self._update(run, deleted=None)

    def purge(self, only: Sequence[str] | None = None) -> int:
        """Delete hidden runs for good, all or those named, with their embeddings; return how many there were."""
        hidden = RUNS.delete().where(RUNS.c.deleted.is_not(None))
        with self.database.writing() as connection:
            if only is None:
                count = connection.execute(hidden).rowcount
            else:
                parts = [only[first : first + MOST_IDS] for first in range(0, len(only), MOST_IDS)]
                count = sum(connection.execute(hidden.where(RUNS.c.id.in_(part))).rowcount for part in parts)
        self.database.shrink()
        return count

    def _update(self, run: str, **values: Any) -> None:
        found = self.run(run).id
        with self.database.writing() as connection:
            connection.execute(RUNS.update().where(RUNS.c.id == found).values(**values))


def new_id() -> str:
    """Return an id for a run or a batch that nobody can guess."""
    return uuid.uuid4().hex
