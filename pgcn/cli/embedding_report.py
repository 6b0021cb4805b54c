"""What ``pgcn embed`` prints and writes: how well classes separate, how far nodes move, a table of all nodes."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.progress import Progress

from pgcn.cli.terminal import open_table
from pgcn.embeddings.embed import Embedding
from pgcn.embeddings.metrics import NEIGHBOURS
from pgcn.embeddings.plan import PlannedFrame
from pgcn.embeddings.reduce import TITLES
from pgcn.embeddings.stability import Moves, measure_moves, middle
from pgcn.errors import ConfigError, GraphError
from pgcn.generators import WithResult
from pgcn.methods.steps import Step
from pgcn.numbers import percent
from pgcn.store.embeddings import Cached
from pgcn.tables import csv_cell
from pgcn.views.embedding import run_words, sample_words

SPLITS = np.array(["", "labelled", "validation", "test"])
WRITERS = {".parquet": "to_parquet", ".csv": "to_csv"}
TARGET = 0.25
"""How far nodes may move between steps, relative to independent embeddings."""


def in_plan_order(work: Embedding) -> list[Cached | None]:
    """Return the embeddings in the order of the whole plan, None for steps that were not asked for."""
    computed = iter(work.frames)
    last = work.until or len(work.plan.steps)
    return [None if planned.step and planned.step.number > last else next(computed) for planned in work.plan.frames]


def planned_and_computed(work: Embedding) -> Iterator[tuple[PlannedFrame, Cached]]:
    """Yield what was planned with its embedding, without the steps that were not asked for."""
    for planned, computed in zip(work.plan.frames, in_plan_order(work), strict=True):
        if computed is not None:
            yield planned, computed


def show_separation(work: Embedding, console: Console) -> None:
    """Print how well classes separate, step by step."""
    console.print(f"{run_words(work.plan)}: {sample_words(work.nodes, work.config.method)}")
    measures = ("silhouette", f"{NEIGHBOURS}-NN")
    table = open_table(
        "step",
        "network",
        *measures,
        f"in {work.config.dimensions}-D:",
        *measures,
        "s",
        right=("step", *measures, "s"),
    )
    for planned, computed in planned_and_computed(work):
        facts, step = computed.facts, planned.step
        number = str(step.number) if step else ""
        if "missing" in facts:
            table.add_row(number, facts["missing"])
            continue
        title = planned.title if step is None or step.stands else f"{planned.title} (rejected later)"
        features, embedding = separation_cells(facts["features"]), separation_cells(facts["map"])
        table.add_row(number, title, *features, "", *embedding, f"{facts['seconds']:.1f}")
    console.print(table)
    total = sum(computed.facts["seconds"] for computed in work.frames)
    console.print(
        f"Computed in {total:.1f} s. Silhouette and leave-one-out accuracy of {NEIGHBOURS} nearest neighbours, "
        "by true classes; features of a network are logits."
    )


def separation_cells(measured: dict[str, float | None]) -> tuple[str, str]:
    silhouette = measured["silhouette"]
    return "-" if silhouette is None else f"{silhouette:.3f}", percent(measured["knn"])


def show_movement(work: Embedding, console: Console) -> None:
    """Print how far nodes move between the steps, against embeddings that are computed independently."""
    moves = measured_moves(work, console)
    if not moves:
        raise ConfigError("There is one step only: nothing moves. Choose a run with two accepted blocks or more.")
    table = open_table("steps", "successive", "independent", "ratio", "independent, aligned", "ratio")
    for move in moves:
        table.add_row(
            f"{move.first} → {move.second}",
            f"{move.successive:.3f}",
            f"{move.alone:.3f}",
            f"{move.successive / move.alone:.2f}",
            f"{move.turned:.3f}",
            f"{move.successive / move.turned:.2f}",
        )
    console.print(table)
    successive, independent, aligned = (middle(moves, name) for name in ("successive", "alone", "turned"))
    console.print(
        f"{TITLES[work.config.method]}: between successive embeddings a node moves {successive:.3f} of an "
        f"embedding's radius (median over nodes, then over {len(moves)} pairs of steps); between independent "
        f"embeddings {independent:.3f}, ratio {successive / independent:.3f}; after the best rotation and "
        f"reflection {aligned:.3f}, ratio {successive / aligned:.3f}. Target: a ratio of at most {TARGET:.3f}."
    )


def measured_moves(work: Embedding, console: Console) -> list[Moves]:
    """Show a bar while independent embeddings are computed to compare with."""
    measuring = WithResult(measure_moves(work))
    with Progress(*Progress.get_default_columns()[:2], console=console, transient=True) as progress:
        bar = progress.add_task("independent embeddings, to compare with", total=None)
        for done, total in measuring:
            progress.update(bar, completed=done, total=total)
    return measuring.result


def write_table(work: Embedding, steps: Sequence[Step], path: Path) -> None:
    """Write a row for every node of every step, and of the GCN where that was asked for (step 0)."""
    import pandas as pd

    wanted, nodes = {step.number for step in steps}, work.nodes.arrays
    as_text = csv_cell if path.suffix == ".csv" else str
    classes = np.array([*map(as_text, work.nodes.facts["classes"]), ""])  # -1, an unknown class, is the last
    tables, missing = [], []
    for planned, computed in planned_and_computed(work):
        if planned.kind == "input" or (planned.step and planned.step.number not in wanted):
            continue
        if "missing" in computed.facts:
            missing.append(computed.facts["missing"])
            continue
        columns = {
            "step": planned.step.number if planned.step else 0,
            "network": planned.title,
            "node": nodes["nodes"],
            **dict(zip("xyz", computed.arrays["map"].T, strict=False)),
            "label": nodes["y"],
            "class": classes[nodes["y"]],
            "predicted": computed.arrays["predicted"],
            "predicted_class": classes[computed.arrays["predicted"]],
            "confidence": computed.arrays["confidence"],
            "split": SPLITS[nodes["part"]],
            "degree": nodes["degree"],
        }
        tables.append(pd.DataFrame(columns))
    if not tables:
        raise GraphError(f"There is no embedding to write. {missing[0]}")
    try:
        getattr(pd.concat(tables, ignore_index=True), WRITERS[path.suffix])(path, index=False)
    except OSError as error:
        raise ConfigError(f"{path} cannot be written: {error}.") from error
