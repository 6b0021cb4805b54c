"""A database of runs."""

import os
import time
import uuid
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import platformdirs
import sqlalchemy as sa
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError

from pgcn.errors import StoreError
from pgcn.events import BlockAccepted, Event, RunStarted, event_from_dict
from pgcn.store.rows import (
    EVENTS,
    METADATA,
    NETWORKS,
    RUNS,
    StoredRun,
    network_row,
    row_changes,
    run_row,
    stored_model,
    stored_run,
    this_process,
)

if TYPE_CHECKING:  # torch is imported only where networks are read or written, so that a page can list runs at once
    from pgcn.engine.model import GraphNet
    from pgcn.methods.run import RunRecord

MOST_IDS = 500
"""How many ids one query may name: databases have a limit."""


class Store:
    """A database of runs. Safe to use from several processes at once."""

    def __init__(self, url: str | None = None) -> None:
        self.url = url or os.environ.get("PGCN_STORE") or default_url()
        try:
            self._engine = sa.create_engine(self.url)
            if self._engine.dialect.name == "sqlite":
                if self._engine.url.database:
                    Path(self._engine.url.database).parent.mkdir(parents=True, exist_ok=True)
                sa.event.listen(self._engine, "connect", _prepare_sqlite)
            METADATA.create_all(self._engine)
            self._add_missing_columns()
        except (ArgumentError, NoSuchModuleError, DBAPIError, OSError, ImportError) as error:
            raise StoreError(
                f"The store named by PGCN_STORE cannot be opened: {str(error).splitlines()[0]} "
                "Name a database by its URL, such as sqlite:////home/me/runs.db."
            ) from error

    @property
    def engine(self) -> sa.Engine:
        """The connection to the database, for those who keep tables of their own beside the runs."""
        return self._engine

    def close(self) -> None:
        self._engine.dispose()

    def _add_missing_columns(self) -> None:
        """Bring a database of an earlier version up to date."""
        there = {column["name"] for column in sa.inspect(self._engine).get_columns("runs")}
        with self._engine.begin() as connection:
            for column in RUNS.c:
                if column.name not in there:
                    kind = column.type.compile(self._engine.dialect)
                    connection.execute(sa.text(f"ALTER TABLE runs ADD COLUMN {column.name} {kind}"))

    def open_run(
        self, started: RunStarted, *, run: str | None = None, name: str = "", batch: str | None = None
    ) -> str:
        """Write down that a run began; return its id, which may be chosen beforehand (:func:`new_id`)."""
        run = run or new_id()
        row = run_row(started, run=run, name=name, batch=batch)
        with self._engine.begin() as connection:
            connection.execute(RUNS.insert().values(**row))
            connection.execute(EVENTS.insert().values(run=run, number=0, body=started.to_dict()))
        return run

    def append(self, run: str, number: int, events: list[Event], model: "GraphNet | None" = None) -> None:
        """Write down events, the first the ``number``-th of the run, and an accepted network, in one step."""
        bodies = [{"run": run, "number": number + i, "body": event.to_dict()} for i, event in enumerate(events)]
        with self._engine.begin() as connection:
            connection.execute(EVENTS.insert(), bodies)
            if model is not None:
                row = network_row(run, model)
                same = (NETWORKS.c[name] == row[name] for name in ("run", "topology"))
                connection.execute(NETWORKS.delete().where(*same))
                connection.execute(NETWORKS.insert().values(**row))
            if changes := row_changes(events):
                connection.execute(RUNS.update().where(RUNS.c.id == run).values(**changes))

    def keep(
        self, run: str, events: Sequence[Event], networks: Sequence[dict[str, Any]], *, name: str, batch: str
    ) -> None:
        """Write down a run that was carried out elsewhere, whole and in one step; it replaces one of the same id.

        ``networks`` are rows as :func:`network_row` makes them.
        """
        started, ended = events[0], events[-1]
        reached = [event.after.val_accuracy for event in events if isinstance(event, BlockAccepted)]
        reached += [ended.scores.val_accuracy] if ended.scores else []
        row = run_row(started, run=run, name=name, batch=batch) | row_changes([ended])
        row["best_val_accuracy"] = max(reached, default=None)
        bodies = [{"run": run, "number": number, "body": event.to_dict()} for number, event in enumerate(events)]
        with self._engine.begin() as connection:
            connection.execute(RUNS.delete().where(RUNS.c.id == run))
            connection.execute(RUNS.insert().values(**row))
            connection.execute(EVENTS.insert(), bodies)
            if networks:
                connection.execute(NETWORKS.insert(), list(networks))

    def reopen(self, run: str, kept: int) -> None:
        """Take a run up again: this process owns it, and the events from ``kept`` on are forgotten.

        Of several who try at the same time one succeeds.
        """
        row = self._row(run)
        as_seen = (RUNS.c.id == run, RUNS.c.owner == row.owner, RUNS.c.status == row.status)
        is_free = stored_run(row).status != "running"
        take = RUNS.update().where(*as_seen).values(status="running", owner=this_process())
        with self._engine.begin() as connection:
            if not (is_free and connection.execute(take).rowcount):
                raise StoreError(f"Somebody else has taken up run {run[:8]} in the meantime.")
            connection.execute(EVENTS.delete().where(EVENTS.c.run == run, EVENTS.c.number >= kept))

    def runs(self, *, deleted: bool = False, batch: str | None = None) -> list[StoredRun]:
        """Return all runs, or those of a batch, the newest first; those deleted only if asked for."""
        query = sa.select(RUNS).order_by(RUNS.c.created.desc())
        query = query.where(RUNS.c.deleted.is_not(None) if deleted else RUNS.c.deleted.is_(None))
        if batch is not None:
            query = query.where(RUNS.c.batch == batch)
        with self._engine.connect() as connection:
            return [stored_run(row) for row in connection.execute(query)]

    def find(self, ids: Sequence[str]) -> dict[str, StoredRun]:
        """Return those of the runs with these ids that there are and that are not deleted, by id."""
        found = {}
        with self._engine.connect() as connection:
            for first in range(0, len(ids), MOST_IDS):
                asked = RUNS.c.id.in_(ids[first : first + MOST_IDS])
                rows = connection.execute(sa.select(RUNS).where(asked, RUNS.c.deleted.is_(None)))
                found |= {row.id: stored_run(row) for row in rows}
        return found

    def run(self, run: str) -> StoredRun:
        """Return the run with this id, or with the only id that begins so."""
        return stored_run(self._row(run))

    def _row(self, run: str):
        with self._engine.connect() as connection:
            rows = connection.execute(sa.select(RUNS).where(RUNS.c.id.startswith(run, autoescape=True))).fetchmany(
                2
            )
        if len(rows) != 1 or not run:
            what = "No run" if not rows or not run else "More than one run"
            raise StoreError(f"{what} has an id that begins with {run!r}. 'pgcn runs' lists them.")
        return rows[0]

    def events(self, run: str) -> tuple[Event, ...]:
        """Return the events of a run in order."""
        query = sa.select(EVENTS.c.body).where(EVENTS.c.run == self._row(run).id).order_by(EVENTS.c.number)
        with self._engine.connect() as connection:
            return tuple(event_from_dict(body) for body in connection.scalars(query))

    def models(self, run: str) -> "dict[tuple[int, ...], GraphNet]":
        """Return every accepted network of a run, by topology."""
        row = self._row(run)
        query = sa.select(NETWORKS).where(NETWORKS.c.run == row.id)
        config = self.events(run)[0].config
        with self._engine.connect() as connection:
            networks = [stored_model(network, config) for network in connection.execute(query)]
        return {model.architecture.widths: model for model in networks}

    def model(self, run: str) -> "GraphNet":
        """Return the network a run has arrived at."""
        stored, models = self.run(run), self.models(run)
        if stored.topology not in models:
            raise StoreError(f"Run {stored.id[:8]} has no network: nothing had been accepted.")
        return models[stored.topology]

    def record(self, run: str) -> "RunRecord":
        """Return what is needed to resume a run."""
        from pgcn.methods.run import RunRecord

        weights = {topology: model.state_dict() for topology, model in self.models(run).items()}
        return RunRecord(events=self.events(run), weights=weights)

    def change(self, run: str, **values: str) -> None:
        """Change a run's name or note."""
        self._update(run, **{name: values[name] for name in values if name in ("name", "note")})

    def delete(self, run: str) -> None:
        """Hide a run; :meth:`restore` brings it back, :meth:`purge` does away with it."""
        self._update(run, deleted=time.time())

    def restore(self, run: str) -> None:
        self._update(run, deleted=None)

    def purge(self) -> int:
        """Do away with all deleted runs; return how many there were."""
        with self._engine.begin() as connection:
            return connection.execute(RUNS.delete().where(RUNS.c.deleted.is_not(None))).rowcount

    def _update(self, run: str, **values: Any) -> None:
        with self._engine.begin() as connection:
            connection.execute(RUNS.update().where(RUNS.c.id == self._row(run).id).values(**values))


def new_id() -> str:
    """Return an id for a run or a batch that nobody can guess."""
    return uuid.uuid4().hex


def default_url() -> str:
    return f"sqlite:///{platformdirs.user_data_path('pgcn') / 'runs.db'}"


def _prepare_sqlite(connection, _) -> None:
    # WAL lets readers read while a run is written; without the pragma SQLite ignores foreign keys.
    for pragma in ("journal_mode=WAL", "synchronous=NORMAL", "busy_timeout=10000", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {pragma}")
