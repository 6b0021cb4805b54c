"""A database of runs, their networks, and graphs."""

import contextlib
import time
import uuid
from collections.abc import Sequence
from typing import Any

import sqlalchemy as sa

from pgcn.errors import PgcnError, StoreError, shown
from pgcn.events import Event, RunFinished, RunStarted
from pgcn.store.database import Database, now
from pgcn.store.graphs import Graphs
from pgcn.store.leases import Leases
from pgcn.store.rows import (
    AcceptedNetwork,
    NetworkRow,
    StoredRun,
    changed_row,
    cut,
    event_rows,
    network_values,
    new_row,
    refuse_damaged,
    sealed,
    stored_event,
    stored_network,
    stored_run,
)
from pgcn.store.schema import EVENTS, NETWORKS, RUNS
from pgcn.store.values import number_of

MOST_IDS = 500
"""How many ids one query may name: databases have a limit."""
LONGEST_NAME, LONGEST_NOTE = 200, 10_000


class Store(Graphs):
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
                raise StoreError(f"Run {run[:8]} {why} in the meantime: what happens here is no longer stored.")
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
            connection.execute(RUNS.update().where(RUNS.c.id == run, RUNS.c.owner == token).values(lease=0.0))

    def save(
        self,
        run: str,
        events: Sequence[Event],
        networks: Sequence[AcceptedNetwork],
        *,
        name: str,
        batch: str,
        creator: str = "",
    ) -> None:
        """Store a run that was carried out elsewhere, whole and in one transaction; it replaces one of the same id.

        ``networks`` are all that it had accepted, the one it ended with last.
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

    def runs(
        self, *, deleted: bool = False, batch: str | None = None, methods: Sequence[str] | None = None
    ) -> list[StoredRun]:
        """Return all runs, or those of a batch or of some methods, newest first; deleted ones only if asked for."""
        query = sa.select(RUNS).order_by(RUNS.c.created.desc())
        query = query.where(RUNS.c.deleted.is_not(None) if deleted else RUNS.c.deleted.is_(None))
        if batch is not None:
            query = query.where(RUNS.c.batch == batch)
        if methods is not None:
            query = query.where(RUNS.c.method.in_(methods))
        return self._runs(query)

    def find(self, ids: Sequence[str]) -> dict[str, StoredRun]:
        """Return those of the runs with these ids that there are and that are not deleted, by id."""
        found: dict[str, StoredRun] = {}
        for first in range(0, len(ids), MOST_IDS):
            asked = RUNS.c.id.in_(ids[first : first + MOST_IDS])
            found |= {run.id: run for run in self._runs(sa.select(RUNS).where(asked, RUNS.c.deleted.is_(None)))}
        return found

    def run(self, run: str) -> StoredRun:
        """Return the run with this id, or with the only id that begins so."""
        runs = self._runs(sa.select(RUNS).where(RUNS.c.id.startswith(run, autoescape=True)).limit(2))
        if len(runs) != 1 or not run:
            what = "No run" if not runs or not run else "More than one run"
            raise StoreError(f"{what} has an id that begins with {run!r}. 'pgcn runs' lists them.")
        return runs[0]

    def _runs(self, query: sa.Select) -> list[StoredRun]:
        with self.database.reading() as connection:
            time_now = now(connection)
            return [
                stored_run(row, time_now=time_now, owner_here=self._leases.owner(row.id))
                for row in connection.execute(query)
            ]

    def events(self, run: str) -> tuple[Event, ...]:
        """Return the events of a run in order."""
        found = self.run(run).id
        query = sa.select(EVENTS).where(EVENTS.c.run == found).order_by(EVENTS.c.number)
        with self.database.reading() as connection:
            count = connection.scalar(sa.select(RUNS.c.events).where(RUNS.c.id == found))
            rows = connection.execute(query).all()
        if not isinstance(count, int) or [row.number for row in rows] != list(range(min(count, len(rows) + 1))):
            raise StoreError(f"Run {found[:8]} is damaged: {len(rows)} of its {shown(count)} events are there.")
        return tuple(stored_event(row) for row in rows)

    def openings(self, runs: Sequence[str]) -> dict[str, RunStarted]:
        """Return the event that opened each of these runs, by id, in few queries; those damaged are left out."""
        found: dict[str, RunStarted] = {}
        for first in range(0, len(runs), MOST_IDS):
            asked = (EVENTS.c.run.in_(runs[first : first + MOST_IDS]), EVENTS.c.number == 0)
            with self.database.reading() as connection:
                rows = connection.execute(sa.select(EVENTS).where(*asked)).all()
            for row in rows:
                with contextlib.suppress(PgcnError, TypeError, KeyError, AttributeError):
                    event = stored_event(row)
                    if isinstance(event, RunStarted):
                        found[row.run] = event
        return found

    def networks(self, run: str) -> dict[int, NetworkRow]:
        """Return every network that a run has accepted, by step."""
        found = self.run(run).id
        query = sa.select(NETWORKS).where(NETWORKS.c.run == found).order_by(NETWORKS.c.step)
        with self.database.reading() as connection:
            count = connection.scalar(sa.select(RUNS.c.networks).where(RUNS.c.id == found))
            rows = connection.execute(query).all()
        if len(rows) != count:
            raise StoreError(f"Run {found[:8]} is damaged: {len(rows)} of its {shown(count)} networks are there.")
        return {row.step: stored_network(row) for row in rows}

    def network(self, run: str) -> NetworkRow:
        """Return the network that a run has arrived at."""
        stored, networks = self.run(run), self.networks(run)
        if stored.step not in networks:
            raise StoreError(f"Run {stored.id[:8]} has no network: nothing had been accepted.")
        return networks[stored.step]

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
