"""``pgcn embed``."""

import argparse
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from pgcn.cli.progress import transfer_progress
from pgcn.cli.views import percent
from pgcn.data import load_graph
from pgcn.embeddings.embed import Embedding, EmbeddingConfig, embed
from pgcn.embeddings.metrics import NEIGHBOURS
from pgcn.embeddings.reduce import TITLES
from pgcn.embeddings.stability import measure_moves, middle
from pgcn.embeddings.steps import Step, chosen_steps
from pgcn.errors import ConfigError, GraphError
from pgcn.events import RunEvent
from pgcn.store import Store

PARTS = np.array(["", "labelled", "validation", "test"])
WRITERS = {".parquet": "to_parquet", ".csv": "to_csv"}


def embed_command(arguments: argparse.Namespace) -> None:
    """Make the 2-D embeddings of a stored run, print how well classes separate, write them to files."""
    out = arguments.out and checked_file(Path(arguments.out), "--out", tuple(WRITERS))
    html = arguments.html and checked_file(Path(arguments.html), "--html", (".html", ".htm"))
    config = EmbeddingConfig(
        method=arguments.method, nodes=node_count(arguments.nodes), perplexity=arguments.perplexity,
        seed=arguments.seed, gcn=arguments.gcn,
    )  # fmt: skip
    console = Console()

    def load(recipe: dict[str, Any], _):
        with transfer_progress(Console(stderr=True)) as progress:
            return load_graph(**recipe, data_dir=arguments.data_dir, progress=progress)

    work = embed(Store(), arguments.run, config, load=load)
    steps = chosen_steps(work.plan.steps, arguments.step)
    if arguments.step != "all":  # a map grows out of those before it, so those are made too
        work = embed(Store(), arguments.run, config, load=load, until=steps[-1].number)
    carry_out(work, console)
    show_numbers(work, console)
    if out:
        write_table(work, steps, out)
        console.print(f"Wrote {out}.", highlight=False)
    if html:
        from pgcn.views.maps import map_film, maps_page
        from pgcn.views.pages import write_page

        film = map_film(work.plan, work.nodes, by_plan(work), method=config.method, autoplay=True)
        write_page(maps_page(film), html)
        console.print(f"Wrote {html}.", highlight=False)
    if arguments.evidence:
        show_evidence(work, console)


def checked_file(path: Path, option: str, endings: tuple[str, ...]) -> Path:
    if path.suffix not in endings:
        raise ConfigError(f"{option} takes a file that ends in {' or '.join(endings)}, got {path.name!r}.")
    if not path.absolute().parent.is_dir():
        raise ConfigError(f"{option} {path}: the folder is not there. Make it first.")
    return path


def node_count(text: str) -> int | str:
    return int(text) if text.isdecimal() else text


def carry_out(work: Embedding, console: Console) -> None:
    """Show a bar while maps are made."""
    if work.config.method == "umap":
        console.print("UMAP compiles itself at its first use in a process: about half a minute.", highlight=False)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.completed:.0f} of {task.total} maps"),
    )
    with Progress(*columns, TimeElapsedColumn(), console=console, transient=True) as progress:
        bar = progress.add_task("", total=len(work.plan.pictures))
        for said in work:
            progress.update(bar, **shown(said))


def shown(said: RunEvent) -> dict[str, Any]:
    event = said.event
    share = getattr(event, "share", 1.0)
    return {"description": event.title, "completed": event.picture + share, "total": event.pictures}


def by_plan(work: Embedding) -> list:
    """Return the maps in the order of the whole plan, None for those not asked for."""
    made = iter(work.pictures)
    last = work.until or len(work.plan.steps)
    return [None if picture.step and picture.step.number > last else next(made) for picture in work.plan.pictures]


def show_numbers(work: Embedding, console: Console) -> None:
    """Print how well classes separate, step by step."""
    from pgcn.views.maps import run_words, sample_words

    console.print(f"{run_words(work.plan)}: {sample_words(work.nodes, work.config.method)}", highlight=False)
    table = Table(box=None, header_style="bold")
    for column in (
        "step",
        "network",
        "silhouette",
        f"{NEIGHBOURS}-NN",
        "in the map:",
        "silhouette",
        f"{NEIGHBOURS}-NN",
        "s",
    ):
        table.add_column(column, justify="left" if column in ("network", "in the map:") else "right")
    for planned, kept in zip(work.plan.pictures, by_plan(work), strict=True):
        if kept is None:
            continue
        number = str(planned.step.number) if planned.step else ""
        if "missing" in kept.facts:
            table.add_row(number, kept.facts["missing"])
            continue
        rows = [kept.facts["features"], kept.facts["map"]]
        figures = [
            ["-" if v is None else f"{v:.3f}" for v in (r["silhouette"],)]
            + [percent(r["knn"]) if r["knn"] is not None else "-"]
            for r in rows
        ]
        title = planned.title + ("" if planned.step is None or planned.step.stands else " (rejected later)")
        table.add_row(number, title, *figures[0], "", *figures[1], f"{kept.facts['seconds']:.1f}")
    console.print(table)
    total = sum(kept.facts["seconds"] for kept in work.pictures)
    console.print(
        f"Made in {total:.1f} s in all. Silhouette and leave-one-out accuracy of {NEIGHBOURS} nearest neighbours, "
        "by true classes; features of a network are logits.",
        highlight=False,
    )


def show_evidence(work: Embedding, console: Console) -> None:
    """Print how far nodes move, against maps made alone."""
    measuring = measure_moves(work)
    with Progress(*Progress.get_default_columns()[:2], console=console, transient=True) as progress:
        bar = progress.add_task("maps made alone, to compare with", total=None)
        try:
            while True:
                done, total = next(measuring)
                progress.update(bar, completed=done, total=total)
        except StopIteration as end:
            moves = end.value
    if not moves:
        raise ConfigError("There is one step only: nothing moves. Choose a run with two accepted blocks or more.")
    table = Table("steps", "kept", "alone", "ratio", "alone, turned", "ratio", box=None, header_style="bold")
    for move in moves:
        table.add_row(
            f"{move.first} → {move.second}", f"{move.kept:.3f}",
            f"{move.alone:.3f}", f"{move.kept / move.alone:.2f}",
            f"{move.turned:.3f}", f"{move.kept / move.turned:.2f}",
        )  # fmt: skip
    console.print(table)
    kept, alone, turned = (middle(moves, name) for name in ("kept", "alone", "turned"))
    console.print(
        f"{TITLES[work.config.method]}: between successive maps a node moves {kept:.3f} of a map's radius (median "
        f"over nodes, then over {len(moves)} pairs of steps); between maps made alone {alone:.3f}, ratio "
        f"{kept / alone:.3f}; after the best turn and mirroring {turned:.3f}, ratio {kept / turned:.3f}. "
        "At most 0.250 is wanted.",
        highlight=False,
    )


def write_table(work: Embedding, steps: list[Step], path: Path) -> None:
    """Write a row for every node of every step, and of the GCN where that was asked for (step 0)."""
    import pandas as pd

    wanted, nodes = {step.number for step in steps}, work.nodes.arrays
    names = np.array([*work.nodes.facts["classes"], ""])  # -1, a class not known, is the last
    tables, missing = [], []
    for planned, kept in zip(work.plan.pictures, by_plan(work), strict=True):
        if kept is None or planned.kind == "input" or (planned.step and planned.step.number not in wanted):
            continue
        if "missing" in kept.facts:
            missing.append(kept.facts["missing"])
            continue
        columns = {
            "step": planned.step.number if planned.step else 0,
            "network": planned.title,
            "node": nodes["nodes"],
            "x": kept.arrays["map"][:, 0],
            "y": kept.arrays["map"][:, 1],
            "label": nodes["y"],
            "class": names[nodes["y"]],
            "predicted": kept.arrays["predicted"],
            "predicted_class": names[kept.arrays["predicted"]],
            "confidence": kept.arrays["confidence"],
            "split": PARTS[nodes["part"]],
            "degree": nodes["degree"],
        }
        tables.append(pd.DataFrame(columns))
    if not tables:
        raise GraphError(f"There is no map to write. {missing[0]}")
    table = pd.concat(tables, ignore_index=True)
    try:
        getattr(table, WRITERS[path.suffix])(path, index=False)
    except OSError as error:
        raise ConfigError(f"{path} cannot be written: {error}.") from error
