"""The tables of the store, and what becomes of runs, events and networks in them."""

import json
import os
import socket
import time
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import psutil
import sqlalchemy as sa

from pgcn.engine.architecture import Architecture
from pgcn.events import Event, RunFinished, RunStarted

if TYPE_CHECKING:  # torch is imported only where networks are read or written, so that a page can list runs at once
    from pgcn.engine.model import GraphNet

METADATA = sa.MetaData()
RUNS = sa.Table(
    "runs",
    METADATA,
    sa.Column("id", sa.String(32), primary_key=True),
    sa.Column("created", sa.Float, nullable=False),
    sa.Column("method", sa.String(32), nullable=False),
    sa.Column("dataset", sa.String(200), nullable=False),
    sa.Column("seed", sa.Integer, nullable=False),
    sa.Column("status", sa.String(16), nullable=False),
    sa.Column("owner", sa.String(200), nullable=False),
    sa.Column("name", sa.String(200), nullable=False, default=""),
    sa.Column("note", sa.Text, nullable=False, default=""),
    sa.Column("topology", sa.JSON, nullable=False, default=list),
    sa.Column("parameters", sa.Integer, nullable=False, default=0),
    sa.Column("scores", sa.JSON),
    sa.Column("best_val_accuracy", sa.Float),
    sa.Column("seconds", sa.Float, nullable=False, default=0.0),
    sa.Column("deleted", sa.Float),
    sa.Column("batch", sa.String(32)),
)
EVENTS = sa.Table(
    "events",
    METADATA,
    sa.Column("run", sa.ForeignKey("runs.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True),
    sa.Column("body", sa.JSON, nullable=False),
)
NETWORKS = sa.Table(
    "networks",
    METADATA,
    sa.Column("run", sa.ForeignKey("runs.id", ondelete="CASCADE"), primary_key=True),
    sa.Column("topology", sa.String(400), primary_key=True),
    sa.Column("architecture", sa.JSON, nullable=False),
    sa.Column("weights", sa.LargeBinary, nullable=False),
)


@dataclass(frozen=True, kw_only=True)
class StoredRun:
    """A run as a row of a table. ``status``: running, finished, cancelled, failed or interrupted.

    ``batch`` is what runs that were started together share; ``here`` says that this very process works on it.
    """

    id: str
    created: float
    method: str
    dataset: str
    seed: int
    status: str
    name: str
    note: str
    topology: tuple[int, ...]
    parameters: int
    scores: dict[str, float] | None
    best_val_accuracy: float | None
    seconds: float
    deleted: float | None
    batch: str | None
    here: bool


def run_row(started: RunStarted, *, run: str, name: str, batch: str | None) -> dict[str, Any]:
    """Return the row of a run that begins now, in this process."""
    return {
        "id": run,
        "created": time.time(),
        "method": started.method,
        "dataset": started.dataset,
        "seed": started.config["seed"],
        "status": "running",
        "owner": this_process(),
        "name": name,
        "batch": batch,
    }


def network_row(run: str, model: "GraphNet") -> dict[str, Any]:
    """Return an accepted network as a row; its weights are safetensors, of which nothing is executed."""
    from safetensors.torch import save as save_weights

    state = {name: value.detach().cpu().contiguous() for name, value in model.state_dict().items()}
    architecture = asdict(model.architecture)
    topology = json.dumps(architecture["widths"])
    return {"run": run, "topology": topology, "architecture": architecture, "weights": save_weights(state)}


def stored_model(row, config: dict[str, Any]) -> "GraphNet":
    from safetensors.torch import load as load_weights

    from pgcn.engine.model import GraphNet

    architecture = Architecture(**{**row.architecture, "widths": tuple(row.architecture["widths"])})
    return GraphNet.from_weights(architecture, load_weights(row.weights), config)


def row_changes(events: list[Event]) -> dict[str, Any]:
    """Return what events change in the run's row."""
    changes: dict[str, Any] = {}
    for event in events:
        body = event.to_dict()
        if "topology" in body and body["event"] != "BlockProposed":
            changes |= {"topology": body["topology"], "parameters": body["parameters"]}
        if body["event"] == "BlockAccepted":
            changes["scores"] = body["after"]
            best = body["after"]["val_accuracy"]
            changes["best_val_accuracy"] = sa.case(
                (sa.or_(RUNS.c.best_val_accuracy.is_(None), RUNS.c.best_val_accuracy < best), best),
                else_=RUNS.c.best_val_accuracy,
            )
        if isinstance(event, RunFinished):
            changes |= {"status": event.status, "seconds": event.seconds}
            changes["scores"] = asdict(event.scores) if event.scores else None
            if event.scores and "best_val_accuracy" not in changes:
                best = event.scores.val_accuracy
                changes["best_val_accuracy"] = sa.func.coalesce(RUNS.c.best_val_accuracy, best)
    return changes


def this_process() -> str:
    """Return what tells this process from every other, also from a later one with the same number."""
    return f"{socket.gethostname()}/{os.getpid()}/{psutil.Process().create_time()}"


def is_alive(owner: str) -> bool:
    """Return whether a process still runs; one on another machine is taken to."""
    host, pid, created = owner.rsplit("/", 2)
    if host != socket.gethostname():
        return True
    try:
        return abs(psutil.Process(int(pid)).create_time() - float(created)) < 1
    except psutil.NoSuchProcess:
        return False


def stored_run(row) -> StoredRun:
    values = {name: value for name, value in row._mapping.items() if name != "owner"}
    values["here"] = row.status == "running" and row.owner == this_process()
    if row.status == "running" and not is_alive(row.owner):
        values["status"] = "interrupted"
    return StoredRun(**{**values, "topology": tuple(row.topology)})
