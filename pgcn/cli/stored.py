"""``pgcn runs``, ``pgcn resume`` and ``pgcn export``."""

import argparse
import json
import time
from dataclasses import asdict
from pathlib import Path

from rich.console import Console
from rich.table import Table

from pgcn.cli.runs import show
from pgcn.cli.views import percent
from pgcn.errors import ConfigError
from pgcn.events import Event
from pgcn.execution.recorder import resume_stored
from pgcn.store import Store
from pgcn.views.exports import events_as_csv, events_as_jsonl


def list_runs(arguments: argparse.Namespace) -> None:
    """Print the stored runs, the newest first."""
    runs = Store().runs()
    if arguments.json:
        for run in runs:
            print(json.dumps(asdict(run)))
        return
    console = Console()
    if not runs:
        console.print("No run is stored yet. Store one with: pgcn grow --store")
        return
    table = Table(box=None, header_style="bold")
    for column in (
        "run",
        "when",
        "method",
        "data set",
        "seed",
        "status",
        "topology",
        "parameters",
        "validation",
        "test",
    ):
        table.add_column(column)
    for run in runs:
        scores = run.scores or {}
        table.add_row(
            run.id[:8],
            time.strftime("%Y-%m-%d %H:%M", time.localtime(run.created)),
            run.method,
            run.dataset,
            str(run.seed),
            run.status,
            " → ".join(map(str, run.topology)) or "-",
            f"{run.parameters:,}",
            percent(scores["val_accuracy"]) if scores else "-",
            percent(scores["test_accuracy"]) if scores else "-",
        )
    console.print(table)


def resume_command(arguments: argparse.Namespace) -> None:
    """Resume a run and show it."""
    run, graph = resume_stored(Store(), arguments.run, data_dir=arguments.data_dir)
    show(arguments, run.runs, graph)


def export_command(arguments: argparse.Namespace) -> None:
    """Write a run's events and network to files."""
    if not (arguments.events or arguments.html or arguments.model):
        raise ConfigError("Nothing to export: name a file with --events, --html or --model.")
    store, console = Store(), Console()
    if arguments.events:
        write_events(store.events(arguments.run), Path(arguments.events))
        console.print(f"Wrote {arguments.events}.", highlight=False)
    if arguments.html:
        from pgcn.views.film import write_film

        write_film(store.events(arguments.run), Path(arguments.html))
        console.print(f"Wrote {arguments.html}.", highlight=False)
    if arguments.model:
        store.model(arguments.run).save(arguments.model)
        console.print(f"Wrote {arguments.model}.", highlight=False)


def write_events(events: tuple[Event, ...], path: Path) -> None:
    """Write events as JSON Lines, or as a table with a column for every number, by the file's ending."""
    writers = {".jsonl": events_as_jsonl, ".csv": events_as_csv}
    if path.suffix not in writers:
        raise ConfigError(f"--events takes a file that ends in .jsonl or .csv, got {path.name!r}.")
    try:
        path.write_text(writers[path.suffix](events), encoding="utf-8", newline="")
    except OSError as error:
        raise ConfigError(f"{path} cannot be written: {error.strerror}.") from error
