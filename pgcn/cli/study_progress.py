"""A study while it runs: a bar, the time left, a line for every run that ends."""

import argparse
import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

from pgcn import reproducible
from pgcn.events import RunFinished
from pgcn.execution.pool import cluster, processes
from pgcn.numbers import counted, percent
from pgcn.store import Store
from pgcn.studies import timing
from pgcn.studies.arena.outcomes import reported_accuracies
from pgcn.studies.study import Study, StudyRun, StudyTask
from pgcn.studies.timing import Takes, in_words

Expected = Callable[[Sequence[StudyTask]], Mapping[str, Takes | None]]
"""The seconds that each task may take by what is stored now, by id; None where that is not known."""
MOMENT = 1.0
"""Seconds between two estimates of the time left: each looks at all that is stored."""


def run_missing(
    studies: Sequence[Study], store: Store, arguments: argparse.Namespace, console: Console, expected: Expected
) -> None:
    """Run what is not stored yet."""
    if arguments.cluster:
        pool = partial(cluster, arguments.cluster)
    else:
        pool = partial(processes, arguments.workers, reproducibly=reproducible.is_on())
    run = StudyRun(studies, store, pool, data_dir=arguments.data_dir)
    stored = len(run.tasks) - len(run.missing)
    if stored:
        are = "is" if len(run.tasks) == 1 else "are"
        console.print(f"{stored} of {counted(len(run.tasks), 'run')} {are} stored already.")
    if run.missing:
        show_study_run(run, store, arguments, console, expected)


def show_study_run(
    run: StudyRun, store: Store, arguments: argparse.Namespace, console: Console, expected: Expected
) -> None:
    """Show a bar, the time left and every run that ends; interrupted with Ctrl-C, finished runs stay stored."""
    ended: set[str] = set()
    left, looked = "", 0.0

    def time_left() -> str:
        takes = expected(run.tasks)
        left = [takes[task.id] for task in run.missing if task.id not in ended]
        total = timing.time_left(left, run.size or arguments.workers)
        return "" if total is None else in_words(total)

    # How many workers a cluster has is known only once it is connected.
    first = "" if arguments.cluster else time_left()
    console.print(f"{counted(len(run.missing), 'run')} to do{first and f': {first}'}.")
    known = {name: takes.usual for name, takes in expected(run.tasks).items() if takes}
    usual = statistics.median(known.values()) if known else 1.0
    weights = {task.id: known.get(task.id, usual) for task in run.missing}
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.fields[left]}"),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=console, transient=True) as progress:
        bar = progress.add_task("runs", total=sum(weights.values()), left="")
        try:
            for run_event in run:
                if run_event is None:
                    continue
                task = run.tasks[run_event.run]
                ended.add(task.id)
                if time.monotonic() - looked > MOMENT:
                    left, looked = time_left(), time.monotonic()
                description = f"{len(ended)} of {counted(len(run.missing), 'run')}"
                progress.update(bar, description=description, left=left and f"{left} left")
                progress.advance(bar, weights[task.id])
                console.print(f"  {task.source.name}: {task.name}: {reached(store, task.id, run_event.event)}")
        except KeyboardInterrupt:
            run.cancel()
            console.print("Finished runs are stored; the same command resumes with the rest.")
            raise
        finally:
            run.close()


def reached(store: Store, run: str, ended: RunFinished) -> str:
    """Return the test accuracy that stands for a run: of a search the mean of the networks it retrained."""
    if ended.scores is None:
        return "failed"
    anew = reported_accuracies(store.events(run)) if ended.ending == "searched" else ()
    return percent(statistics.fmean(anew) if anew else ended.scores.test_accuracy)
