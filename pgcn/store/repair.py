"""A damaged store is repaired: damaged runs are cut back to what is sound, and all others stay as they are."""

import time
from collections.abc import Iterator, Mapping
from typing import Any

import sqlalchemy as sa

from pgcn.events import Event, RunFinished, RunStarted
from pgcn.numbers import counted
from pgcn.store.check import (
    KEYS,
    ROW,
    Problem,
    check,
    damaged_embeddings,
    intact_events,
    intact_networks,
    rows_without_key,
)
from pgcn.store.database import Database
from pgcn.store.rows import cut, deletion_time, new_row, sealed
from pgcn.store.schema import EMBEDDINGS, EVENTS, METADATA, NETWORKS, RUNS
from pgcn.store.values import text_of, time_of


def repair(database: Database) -> Iterator[Problem]:
    """Cut every damaged run back to what is sound; remove one of which nothing is. Yield what was done."""
    with database.writing() as connection:
        METADATA.create_all(connection)
        removed = {table.name: remove_lost(connection, table) for table in KEYS}
        copies = damaged_embeddings(connection)
        for key in copies:
            connection.execute(EMBEDDINGS.delete().where(EMBEDDINGS.c.key == key))
    if copies:
        yield Problem(run=None, text=f"Removed {counted(len(copies), 'embedding')}: made again when asked for.")
    for name, count in removed.items():
        if count:
            yield Problem(run=None, text=f"Removed {counted(count, 'row')} of {name} not to be found by a key.")
    found = list(check(database))
    yield from (problem for problem in found if problem.run is None)  # graphs, which cannot be made again from here
    for run in dict.fromkeys(problem.run for problem in found if problem.run is not None):  # "" is an id too
        with database.writing() as connection:
            done = mend_run(connection, run)
        yield Problem(run=run, text=done)


def remove_lost(connection: sa.Connection, table: sa.Table) -> int:
    """Remove the rows of a table that cannot be found by their key; return how many there were."""
    lost = rows_without_key(connection, table)
    for number in lost:
        connection.execute(table.delete().where(ROW.in_([number])))
    return len(lost)


def mend_run(connection: sa.Connection, run: str) -> str:
    """Keep what is sound of a run, also where its own row is gone; say what was done."""
    row = connection.execute(sa.select(RUNS).where(RUNS.c.id == run)).one_or_none()
    events, _ = intact_events(connection, run)
    if not events:
        for table in (EVENTS, NETWORKS, EMBEDDINGS):
            connection.execute(table.delete().where(table.c.run == run))
        connection.execute(RUNS.delete().where(RUNS.c.id == run))
        return "Removed: nothing of it could be read."
    steps, _ = intact_networks(connection, run)
    lost = NETWORKS.c.step.not_in(steps) if steps else sa.true()
    connection.execute(NETWORKS.delete().where(NETWORKS.c.run == run, lost))
    connection.execute(EVENTS.delete().where(EVENTS.c.run == run, EVENTS.c.number < 0))
    cut(connection, run, len(events))
    steps, _ = intact_networks(connection, run)
    values = rebuilt_row(run, {} if row is None else row._mapping, events, steps, connection)
    if row is None:
        connection.execute(RUNS.insert().values(**values))
    else:
        connection.execute(RUNS.update().where(RUNS.c.id == run).values(**values))
    whole = isinstance(events[-1], RunFinished)
    return f"Kept {len(events)} events{'' if whole else '; it can be resumed from there'}."


def rebuilt_row(
    run: str, row: Mapping[Any, Any], events: list[Event], steps: set[int], connection: sa.Connection
) -> dict[str, Any]:
    """Return a run's row made again from its events and networks, and from what its row says of other things."""
    started, ended = events[0], events[-1]
    assert isinstance(started, RunStarted)
    about = {name: text_of(row.get(name)) for name in ("name", "creator")}
    values = new_row(started, run=run, batch=text_of(row.get("batch")) or None, **about)
    values |= {"created": time_of(row.get("created")) or time.time(), "note": text_of(row.get("note"))}
    values["deleted"] = deletion_time(row.get("deleted"))
    led_to = sa.select(EVENTS.c.step).where(EVENTS.c.run == run, EVENTS.c.step.is_not(None))
    arrived = connection.scalar(led_to.order_by(EVENTS.c.number.desc()).limit(1))
    step = arrived if arrived in steps else max(steps, default=None)
    if step is not None:
        here = (NETWORKS.c.run == run, NETWORKS.c.step == step)
        description = connection.scalar(sa.select(NETWORKS.c.description).where(*here)) or {}
        values |= {"step": step, "topology": list(description.get("widths", ()))}
    values |= {"events": len(events), "networks": len(steps)}
    if isinstance(ended, RunFinished):
        scores = ended.to_dict()["scores"]
        values |= {"status": ended.status, "topology": list(ended.topology), "parameters": ended.parameters}
        values |= {"scores": scores, "seconds": ended.seconds}
        values["best_val_accuracy"] = scores and scores["val_accuracy"]
    return sealed(values)
