"""What becomes of runs and networks in the tables."""

import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import sqlalchemy as sa

from pgcn.errors import StoreError, shown
from pgcn.events import Event, RunFinished, RunStarted, Scores, event_from_dict, jsonable
from pgcn.store.checksums import event_checksum, matches, network_checksum, row_checksum
from pgcn.store.schema import EVENTS, NETWORKS
from pgcn.store.values import number_of, text_of, time_of

HIDDEN = ("owner", "lease", "events", "networks", "checksum")
"""Columns of a run's row that are the store's own."""


@dataclass(frozen=True, kw_only=True)
class StoredRun:
    """A run as a row of a table. ``status``: running, finished, cancelled, failed, interrupted or damaged.

    ``step`` is the number of the network that it has arrived at, None before there is one. ``batch`` is what runs
    that were started together share; ``creator`` is who started it, "" where that is not known (the command line);
    ``here`` says that this very process works on it. ``parent`` and ``parent_step`` are of a branch: the run and
    the step that it grew on from.
    """

    id: str
    created: float
    method: str
    dataset: str
    seed: int
    status: str
    name: str
    note: str
    step: int | None
    topology: tuple[int, ...]
    parameters: int
    scores: dict[str, float] | None
    best_val_accuracy: float | None
    seconds: float
    deleted: float | None
    batch: str | None
    creator: str
    here: bool
    parent: str | None
    parent_step: int | None


@dataclass(frozen=True, kw_only=True)
class NetworkRow:
    """A network of a run: its step, what its method needs to build it, and its weights as safetensors."""

    step: int
    description: dict[str, Any]
    weights: bytes


@dataclass(frozen=True, kw_only=True)
class AcceptedNetwork(NetworkRow):
    """A network that a run has accepted, with what the run's own row says of it."""

    topology: tuple[int, ...]
    parameters: int
    scores: Scores | None


def new_row(
    started: RunStarted, *, run: str, name: str = "", batch: str | None = None, creator: str = ""
) -> dict[str, Any]:
    """Return the row of a run that begins now."""
    return {
        "id": run,
        "created": time.time(),
        "method": started.method,
        "dataset": started.dataset,
        "seed": started.config["seed"],
        "status": "running",
        "owner": "",
        "lease": 0.0,
        "name": name,
        "note": "",
        "step": None,
        "topology": [],
        "parameters": 0,
        "scores": None,
        "best_val_accuracy": None,
        "seconds": 0.0,
        "deleted": None,
        "batch": batch,
        "parent": started.parent["run"] if started.parent else None,
        "parent_step": started.parent["step"] if started.parent else None,
        "creator": creator,
        "events": 1,
        "networks": 0,
    }


def changed_row(row: Mapping[str, Any], events: Sequence[Event], network: AcceptedNetwork | None) -> dict[str, Any]:
    """Return a run's row after events, and after the network that the run has arrived at with them."""
    row = {**row, "events": row["events"] + len(events)}
    if network is not None:
        row["networks"] = max(row["networks"], network.step)
        row |= {"step": network.step, "topology": list(network.topology), "parameters": network.parameters}
        if network.scores:
            best = row["best_val_accuracy"]
            reached = network.scores.val_accuracy
            row["scores"] = jsonable(asdict(network.scores))
            row["best_val_accuracy"] = reached if best is None else max(best, reached)
    ended = [event for event in events if isinstance(event, RunFinished)]
    if ended:
        scores = ended[-1].scores
        row |= {"status": ended[-1].status, "seconds": ended[-1].seconds}
        row |= {"topology": list(ended[-1].topology), "parameters": ended[-1].parameters}
        row["scores"] = jsonable(asdict(scores)) if scores else None
    return row


def sealed(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return a run's row with its checksum."""
    return {**row, "checksum": row_checksum(row)}


def event_rows(run: str, number: int, events: Sequence[Event], step: int | None) -> list[dict[str, Any]]:
    """Return the rows of events, the first the ``number``-th; the last of them led to the network of ``step``."""
    rows = []
    for place, event in enumerate(events):
        body, arrived = event.to_dict(), step if place == len(events) - 1 else None
        found = event_checksum(number + place, body, arrived)
        rows.append({"run": run, "number": number + place, "body": body, "step": arrived, "checksum": found})
    return rows


def network_values(run: str, network: NetworkRow) -> dict[str, Any]:
    """Return the row of a network."""
    found = network_checksum(network.step, network.description, network.weights)
    values = {"run": run, "step": network.step, "description": network.description}
    return {**values, "weights": network.weights, "checksum": found}


def stored_event(row: sa.Row) -> Event:
    """Return an event; refuse one that is not what was written."""
    if not matches(row.checksum, event_checksum, row.number, row.body, row.step):
        raise StoreError(f"Run {row.run[:8]} is damaged: its event {shown(row.number)} is not what was stored.")
    return event_from_dict(row.body)


def stored_network(row: sa.Row) -> NetworkRow:
    """Return a network; refuse one that is not what was written."""
    if not matches(row.checksum, network_checksum, row.step, row.description, row.weights):
        raise StoreError(
            f"Run {row.run[:8]} is damaged: the network of step {shown(row.step)} is not what was stored."
        )
    return NetworkRow(step=row.step, description=row.description, weights=row.weights)


def is_sealed(row: Mapping[Any, Any]) -> bool:
    """Return whether a run's row is what was written."""
    return matches(row["checksum"], row_checksum, row)


def stored_run(row: sa.Row, *, time_now: float, owner_here: str | None) -> StoredRun:
    """Return a run as it is now: interrupted if its lease has run out, damaged if it is not what was written."""
    values = {name: value for name, value in row._mapping.items() if name not in HIDDEN}
    values |= {"name": text_of(row.name), "note": text_of(row.note), "deleted": deletion_time(row.deleted)}
    if not is_sealed(row._mapping):
        return StoredRun(**{**values, **plain_values(row._mapping), "status": "damaged"})
    running = row.status == "running"
    values["here"] = running and owner_here is not None and row.owner == owner_here
    if running and number_of(row.lease) < time_now and not values["here"]:
        values["status"] = "interrupted"
    if row.scores:  # JSON has no NaN
        values["scores"] = {name: math.nan if value is None else value for name, value in row.scores.items()}
    return StoredRun(**{**values, "topology": tuple(row.topology)})


def plain_values(row: Mapping[Any, Any]) -> dict[str, Any]:
    """Return what a list shows of a run whose row is damaged: who made it, what and when, as far as that is so."""
    about = {name: text_of(row[name]) for name in ("id", "method", "dataset", "creator")}
    numbers = {"seed": 0, "step": None, "parameters": 0, "best_val_accuracy": None, "seconds": 0.0}
    shown = {"created": time_of(row["created"]) or 0.0, "batch": text_of(row["batch"]) or None, "here": False}
    shown |= {"parent": None, "parent_step": None}
    return {**about, **numbers, **shown, "topology": (), "scores": None}


def deletion_time(value: Any) -> float | None:
    """Return when a run was deleted: at some time, if not None."""
    return None if value is None else time_of(value) or 0.0


def refuse_damaged(row: sa.Row) -> None:
    """Refuse to change a run's row that is not what was written: to write it anew would hide that."""
    if not is_sealed(row._mapping):
        raise StoreError(f"Run {row.id[:8]} is damaged. 'pgcn store repair' keeps what is sound of it.")


def cut(connection: sa.Connection, run: str, kept: int) -> int:
    """Forget a run's events from ``kept`` on, and the networks they led to; return how many networks are left."""
    connection.execute(EVENTS.delete().where(EVENTS.c.run == run, EVENTS.c.number >= kept))
    steps = connection.scalar(sa.select(sa.func.max(EVENTS.c.step)).where(EVENTS.c.run == run)) or 0
    connection.execute(NETWORKS.delete().where(NETWORKS.c.run == run, NETWORKS.c.step > steps))
    return connection.scalar(sa.select(sa.func.count()).select_from(NETWORKS).where(NETWORKS.c.run == run)) or 0
