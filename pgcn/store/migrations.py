"""How a database comes to have our tables.

The version of the tables is in the database. One of an earlier version is brought up to date when it is opened, in
one transaction and by one process at a time; one of a later version, or of another program, is refused.
"""

import contextlib
import json
from collections.abc import Iterator

import sqlalchemy as sa

from pgcn.errors import StoreError
from pgcn.store.checksums import (
    embedding_checksum,
    event_checksum,
    graph_checksum,
    network_checksum,
    row_checksum,
)
from pgcn.store.schema import APPLICATION, EMBEDDINGS, EVENTS, GRAPHS, METADATA, NETWORKS, RUNS, SCHEMA, VERSION

FIRST_VERSION = {
    "runs": {"id", "created", "method", "dataset", "seed", "status", "owner", "name", "note", "topology"},
    "events": {"run", "number", "body"},
    "networks": {"run", "topology", "architecture", "weights"},
}
"""The tables of version 1, and columns that tell them from another program's."""


def bring_up_to_date(engine: sa.Engine, *, read_only: bool = False) -> None:
    """Make the tables, or change those of an earlier version, if need be."""
    with engine.connect() as connection:
        version = found_version(connection)
    if version == VERSION:
        return
    if read_only:
        raise StoreError(
            "This store is read-only and of an earlier version of pgcn. Open it once where it can be written."
        )
    with engine.begin() as connection:  # the lock of a transaction that writes: one process at a time
        if connection.dialect.name == "postgresql":
            connection.execute(sa.select(sa.func.pg_advisory_xact_lock(APPLICATION)))
        version = found_version(connection)
        if version == VERSION:
            return
        if version is None:
            refuse_foreign(connection)
        METADATA.create_all(connection)
        if version == 1:
            move_from_version_1(connection)
        elif version == 2:
            add_checksums(connection)
        if version in (2, 3):
            add_parents(connection)
        seal_copies(connection)
        connection.execute(SCHEMA.insert().values(version=VERSION))
        if connection.dialect.name == "sqlite":
            connection.exec_driver_sql(f"PRAGMA application_id = {APPLICATION}")


def found_version(connection: sa.Connection) -> int | None:
    """Return the version of the tables in a database, None where there are none of ours; refuse a later one."""
    inspector = sa.inspect(connection)
    if inspector.has_table(SCHEMA.name):
        version = connection.scalar(sa.select(sa.func.max(SCHEMA.c.version)))
        if version is None or version > VERSION:
            raise StoreError(
                f"The store was written by a later version of pgcn: its tables are of version {version}, this pgcn "
                f"knows {VERSION}. Install the later version, or name another database with PGCN_STORE."
            )
        return version
    for table, columns in FIRST_VERSION.items():
        there = inspector.get_columns(table) if inspector.has_table(table) else []
        if not columns <= {column["name"] for column in there}:
            return None
    return 1


def refuse_foreign(connection: sa.Connection) -> None:
    """Refuse an SQLite file of another program. Other databases may be shared: our tables have own names."""
    if connection.dialect.name != "sqlite":
        return
    mark = connection.exec_driver_sql("PRAGMA application_id").scalar()
    others = sa.inspect(connection).get_table_names()
    if others or mark not in (0, APPLICATION):
        found = f"it has the tables {', '.join(others[:5])}" if others else f"its application id is {mark}"
        raise StoreError(f"This is a database of another program: {found}. Name another file with PGCN_STORE.")


def add_checksums(connection: sa.Connection) -> None:
    """Give the tables of version 2 the columns that they had not."""
    for table in (GRAPHS, EMBEDDINGS):
        there = {column["name"] for column in sa.inspect(connection).get_columns(table.name)}
        if "checksum" not in there:
            kind = "VARCHAR(32) NOT NULL DEFAULT ''"
            connection.exec_driver_sql(f"ALTER TABLE {table.name} ADD COLUMN checksum {kind}")


def add_parents(connection: sa.Connection) -> None:
    """Give the runs of version 3 the columns that say which run each grew on from: none did."""
    there = {column["name"] for column in sa.inspect(connection).get_columns(RUNS.name)}
    for name, kind in (("parent", "VARCHAR(32)"), ("parent_step", "INTEGER")):
        if name not in there:
            connection.exec_driver_sql(f"ALTER TABLE {RUNS.name} ADD COLUMN {name} {kind}")


def seal_copies(connection: sa.Connection) -> None:
    """Give graphs and embeddings that have none their checksums; what cannot be read gets none."""
    for table, key, compute, parts in (
        (GRAPHS, GRAPHS.c.content, graph_checksum, ("content", "name", "facts", "data")),
        (EMBEDDINGS, EMBEDDINGS.c.key, embedding_checksum, ("key", "facts", "arrays")),
    ):
        for found in connection.scalars(sa.select(key).where(table.c.checksum == "")).all():
            row = connection.execute(sa.select(table).where(key == found)).one_or_none()
            with contextlib.suppress(TypeError, ValueError):
                values = [getattr(row, name) for name in parts] if row is not None else ()
                connection.execute(table.update().where(key == found).values(checksum=compute(*values)))


def move_from_version_1(connection: sa.Connection) -> None:
    """Move everything from the tables of version 1, in which networks stood under their topology."""
    old = sa.MetaData()
    there = sa.inspect(connection).get_table_names()
    old.reflect(connection, only=[name for name in (*FIRST_VERSION, "maps") if name in there])
    runs, events, networks = (old.tables[name] for name in FIRST_VERSION)
    copy(connection, runs, RUNS)
    copy(connection, events, EVENTS)
    for run in connection.scalars(sa.select(runs.c.id)).all():
        in_order = dict.fromkeys(accepted_topologies(connection, run))
        steps = {topology: step for step, topology in enumerate(in_order, start=1)}
        for network in connection.execute(sa.select(networks).where(networks.c.run == run)).all():
            step = steps.setdefault(network.topology, len(steps) + 1)
            values = {"run": run, "step": step, "description": as_json(network.architecture)}
            values["checksum"] = network_checksum(step, values["description"], network.weights)
            connection.execute(NETWORKS.insert().values(**values, weights=network.weights))
        standing = connection.scalar(sa.select(RUNS.c.topology).where(RUNS.c.id == run))
        arrived = steps.get(json.dumps(standing))
        connection.execute(RUNS.update().where(RUNS.c.id == run).values(step=arrived))
        seal(connection, run, steps)
    if "maps" in old.tables:
        copy(connection, old.tables["maps"], EMBEDDINGS)
    old.drop_all(connection)


def seal(connection: sa.Connection, run: str, steps: dict[str, int]) -> None:
    """Give a run and its events their checksums; ``steps`` are those of its topologies."""
    for event in connection.execute(sa.select(EVENTS).where(EVENTS.c.run == run)).all():
        same = (EVENTS.c.run == run, EVENTS.c.number == event.number)
        accepted = event.body["event"] in ("BlockAccepted", "LayerRejected", "RunFinished")
        step = steps.get(json.dumps(event.body["topology"])) if accepted else None
        found = event_checksum(event.number, event.body, step)
        connection.execute(EVENTS.update().where(*same).values(step=step, checksum=found))
    counts = {
        name: connection.scalar(sa.select(sa.func.count()).select_from(table).where(table.c.run == run))
        for name, table in (("events", EVENTS), ("networks", NETWORKS))
    }
    connection.execute(RUNS.update().where(RUNS.c.id == run).values(**counts))
    row = connection.execute(sa.select(RUNS).where(RUNS.c.id == run)).one()
    connection.execute(RUNS.update().where(RUNS.c.id == run).values(checksum=row_checksum(row._mapping)))


def copy(connection: sa.Connection, source: sa.Table, target: sa.Table) -> None:
    """Copy the columns that both tables have."""
    names = [column.name for column in source.c if column.name in target.c]
    connection.execute(target.insert().from_select(names, sa.select(*(source.c[name] for name in names))))


def accepted_topologies(connection: sa.Connection, run: str) -> Iterator[str]:
    """Yield the topologies of a run's accepted networks in order, in JSON, as version 1 wrote them."""
    query = sa.select(EVENTS.c.body).where(EVENTS.c.run == run).order_by(EVENTS.c.number)
    for body in connection.scalars(query):
        if body["event"] == "BlockAccepted" or (body["event"] == "RunFinished" and body["topology"]):
            yield json.dumps(body["topology"])


def as_json(value):
    """Return a JSON value that a reflected column may give as text."""
    return json.loads(value) if isinstance(value, str) else value
