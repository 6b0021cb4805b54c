"""Is a store sound? What is damaged is named; nothing is changed."""

from collections.abc import Iterator
from dataclasses import dataclass

import sqlalchemy as sa

from pgcn.errors import PgcnError, shown
from pgcn.events import Event, RunStarted
from pgcn.numbers import counted
from pgcn.store.database import Database
from pgcn.store.embeddings import is_sound_embedding
from pgcn.store.graphs import is_sound_graph
from pgcn.store.rows import is_sealed, stored_event, stored_network
from pgcn.store.schema import EMBEDDINGS, EVENTS, GRAPHS, METADATA, NETWORKS, RUNS
from pgcn.store.values import UNREADABLE, text_of

KEYS = {
    RUNS: (RUNS.c.id,),
    EVENTS: (EVENTS.c.run, EVENTS.c.number),
    NETWORKS: (NETWORKS.c.run, NETWORKS.c.step),
    EMBEDDINGS: (EMBEDDINGS.c.key,),
    GRAPHS: (GRAPHS.c.content,),
}
"""What the rows of each table are found by."""
ROW: sa.ColumnElement[int] = sa.literal_column("rowid")
"""What SQLite finds a row by that cannot be found by its key."""


@dataclass(frozen=True, kw_only=True)
class Problem:
    """Something damaged: the run it belongs to, None for the database itself, and what is wrong, in words."""

    run: str | None
    text: str


def check(database: Database) -> Iterator[Problem]:
    """Yield everything in a store that is not what was written."""
    with database.reading() as connection:
        there = sa.inspect(connection).get_table_names()
        missing = [name for name in METADATA.tables if name not in there]
        yield from (Problem(run=None, text=f"The table {name} is missing.") for name in missing)
        if missing:
            return
        for table in KEYS:
            if lost := rows_without_key(connection, table):
                yield Problem(
                    run=None, text=f"{counted(len(lost), 'row')} of {table.name} without a key that can be read."
                )
        known = {row.id: row for row in connection.execute(sa.select(RUNS)) if is_text(row.id)}
        for run in orphans(connection):
            yield Problem(run=run, text="Its row in the table of runs is missing.")
        yield from (Problem(run=None, text=text) for text in copy_problems(connection))
        for run, row in known.items():
            yield from (Problem(run=run, text=text) for text in run_problems(connection, row))


def copy_problems(connection: sa.Connection) -> Iterator[str]:
    """Yield which graphs and embeddings are not what was stored."""
    for content, name in connection.execute(sa.select(GRAPHS.c.content, GRAPHS.c.name)).all():
        row = connection.execute(sa.select(GRAPHS).where(GRAPHS.c.content == content)).one_or_none()
        if row is not None and not is_sound_graph(row):
            yield f"The graph {text_of(name)[:100]} is not what was stored. To add it again replaces it."
    if lost := damaged_embeddings(connection):
        yield f"{counted(len(lost), 'embedding')} not as stored: made again when asked for."


def damaged_embeddings(connection: sa.Connection) -> list[str]:
    """Return the keys of embeddings that are not what was stored."""
    keys = connection.scalars(sa.select(EMBEDDINGS.c.key)).all()
    rows = (connection.execute(sa.select(EMBEDDINGS).where(EMBEDDINGS.c.key == key)).one_or_none() for key in keys)
    return [row.key for row in rows if row is not None and not is_sound_embedding(row)]


def rows_without_key(connection: sa.Connection, table: sa.Table) -> list[int]:
    """Return the numbers of the rows that cannot be found by their key; only SQLite can have such."""
    if connection.dialect.name != "sqlite":
        return []
    columns = KEYS[table]

    def proper(value: object, column: sa.Column) -> bool:
        return type(value) is int if isinstance(column.type, sa.Integer) else is_text(value)

    return [
        number
        for number, *keys in connection.execute(sa.select(ROW, *columns).select_from(table))
        if not all(proper(key, column) for key, column in zip(keys, columns, strict=True))
    ]


def is_text(value: object) -> bool:
    return isinstance(value, str) and UNREADABLE not in value


def orphans(connection: sa.Connection) -> list[str]:
    """Return the runs of which there are events or networks, but no row."""
    there = sa.select(RUNS.c.id)
    found = sa.union(*(sa.select(table.c.run).where(table.c.run.not_in(there)) for table in (EVENTS, NETWORKS)))
    return sorted(run for run in connection.scalars(found) if is_text(run))


def run_problems(connection: sa.Connection, row: sa.Row) -> Iterator[str]:
    """Yield what is wrong with a run."""
    sealed = is_sealed(row._mapping)
    if not sealed:
        yield "Its row in the table of runs is not what was stored."
    events, problem = intact_events(connection, row.id)
    if problem:
        yield problem
    if not events:
        yield "None of its events can be read."
    elif sealed and len(events) != row.events:
        yield f"{len(events)} of its {row.events} events are there."
    steps, damaged = intact_networks(connection, row.id)
    yield from damaged
    if not sealed:
        return
    if len(steps) + len(damaged) != row.networks:
        yield f"{len(steps) + len(damaged)} of its {row.networks} networks are there."
    if row.step is not None and row.step not in steps and not damaged:
        yield f"The network of step {row.step}, which it has arrived at, is missing."


def intact_events(connection: sa.Connection, run: str) -> tuple[list[Event], str | None]:
    """Return the events of a run up to the first that is missing or damaged, and what is wrong with that one."""
    events: list[Event] = []
    own = sa.select(EVENTS).where(EVENTS.c.run == run, EVENTS.c.number >= 0)
    for row in connection.execute(own.order_by(EVENTS.c.number)):
        try:
            if row.number != len(events):
                return events, f"Its event {len(events)} is missing."
            events.append(stored_event(row))
        except (PgcnError, TypeError, KeyError, AttributeError):
            return events, f"Its event {shown(row.number)} is not what was stored."
    if events and not isinstance(events[0], RunStarted):
        return [], "It does not begin with RunStarted."
    return events, None


def intact_networks(connection: sa.Connection, run: str) -> tuple[set[int], list[str]]:
    """Return the steps whose networks are sound, and a sentence for each that is not."""
    sound, damaged = set(), []
    for row in connection.execute(sa.select(NETWORKS).where(NETWORKS.c.run == run)):
        try:
            sound.add(stored_network(row).step)
        except PgcnError:
            damaged.append(f"The network of step {shown(row.step)} is not what was stored.")
    return sound, damaged
