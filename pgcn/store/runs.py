"""What is asked of the runs in a store: lists of them, one by its id, its family, its events and its networks."""

import contextlib
from collections.abc import Sequence

import sqlalchemy as sa

from pgcn.errors import PgcnError, StoreError, shown
from pgcn.events import Event, RunStarted
from pgcn.store.database import Database, now
from pgcn.store.leases import Leases
from pgcn.store.rows import NetworkRow, StoredRun, stored_event, stored_network, stored_run
from pgcn.store.schema import EVENTS, NETWORKS, RUNS

MOST_IDS = 500
"""How many ids one query may name: databases have a limit."""


class StoredRuns:
    """The part of a store that reads runs."""

    database: Database
    _leases: Leases

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

    def family(self, run: str) -> list[StoredRun]:
        """Return a run with all that it descends from and all that descends from that, the oldest first."""
        first = self.run(run)
        seen = {first.id}
        while first.parent and first.parent not in seen and (found := self.find([first.parent])):
            first = found[first.parent]
            seen.add(first.id)
        family, generation = {first.id: first}, [first.id]
        while generation:
            query = sa.select(RUNS).where(RUNS.c.parent.in_(generation[:MOST_IDS]), RUNS.c.deleted.is_(None))
            children = [child for child in self._runs(query) if child.id not in family]
            family |= {child.id: child for child in children}
            generation = [*generation[MOST_IDS:], *(child.id for child in children)]
        return sorted(family.values(), key=lambda one: one.created)

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
