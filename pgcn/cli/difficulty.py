"""``pgcn difficulty``."""

import argparse
import json
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from pgcn import reproducible
from pgcn.config import assignments
from pgcn.errors import ConfigError, PgcnError
from pgcn.methods.pgcn import GrowthConfig
from pgcn.store import Store
from pgcn.studies.difficulty import (
    DEFAULT_METHODS,
    METHODS,
    Study,
    read_numbers,
    studies_of,
    study_growth,
)
from pgcn.studies.estimate import in_words, seconds_by_task, seconds_left
from pgcn.studies.results import (
    Outcome,
    Results,
    cell_row,
    divergences,
    findings,
    origins,
    outcomes_as_csv,
    stored_outcomes,
)

WIDTH = 140
"""Columns of the table where it goes to a file."""


def difficulty_command(arguments: argparse.Namespace) -> None:
    studies = studies_asked_for(arguments)
    check_files(arguments)
    store, console = Store(), Console(stderr=True)
    carry_out(studies, store, arguments, console)
    outcomes = [outcome for study in studies for outcome in stored_outcomes(study, store)]
    show(outcomes, studies, arguments)
    if arguments.check:
        check_trend(Results(outcomes), studies, console)


def studies_asked_for(arguments: argparse.Namespace) -> list[Study]:
    """Return a study for every data set named."""
    names = arguments.methods.split(",") if arguments.methods else DEFAULT_METHODS
    methods = tuple(METHODS) if arguments.methods == "all" else tuple(name.strip() for name in names)
    changes = assignments(GrowthConfig, arguments.settings)
    for own in ("seed", "loss"):
        if own in changes:
            raise ConfigError(
                f"{own} is not set with --set here: the study sets it for every experiment and method."
            )
    preset = {} if arguments.preset is None else {"preset": arguments.preset}
    asked = {
        "experiments": arguments.experiments,
        "methods": methods,
        "growth": study_growth(**preset, **changes),
        "reproducible": reproducible.is_on(),
    }
    if arguments.dims:
        asked["dims"] = read_numbers(arguments.dims, int, "--dims")
    if arguments.rates:
        asked["rates"] = read_numbers(arguments.rates, float, "--rates")
    return studies_of(arguments.dataset or ["cora"], **asked)


def check_files(arguments: argparse.Namespace) -> None:
    """Refuse files that could not be written before any work is done."""
    for name in ("csv", "html"):
        file = getattr(arguments, name)
        if file and file != "-" and not Path(file).absolute().parent.is_dir():
            raise ConfigError(f"--{name} {file}: the folder is not there. Make it first.")


def carry_out(studies: Sequence[Study], store: Store, arguments: argparse.Namespace, console: Console) -> None:
    """Do what is missing, with a bar and the time left."""
    from pgcn.execution.pool import cluster, processes
    from pgcn.studies.running import StudyRun

    if arguments.workers < 1:
        raise ConfigError(f"--workers must be at least 1, got {arguments.workers}.")
    crew = (
        partial(cluster, arguments.cluster)
        if arguments.cluster
        else partial(processes, arguments.workers, reproducibly=reproducible.is_on())
    )
    run = StudyRun(studies, store, crew, data_dir=arguments.data_dir)
    kept = len(run.tasks) - len(run.missing)
    if kept:
        console.print(f"{kept} of {len(run.tasks)} runs are kept already.", highlight=False)
    if not run.missing:
        return
    before = [outcome for study in studies for outcome in stored_outcomes(study, store)]
    workers = arguments.workers
    if arguments.cluster:
        console.print(f"{len(run.missing)} runs to do.", highlight=False)  # how many workers it has is seen later
    else:
        console.print(
            f"{len(run.missing)} runs to do: {in_words(seconds_left(run.tasks, before, workers))}.", highlight=False
        )
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.fields[left]}"),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=console, transient=True) as progress:
        expected = seconds_by_task(run.tasks, before)
        bar = progress.add_task("runs", total=sum(expected[task.id] for task in run.missing), left="")
        done = 0
        try:
            for said in run:
                if said is None:
                    continue
                done += 1
                task = run.tasks[said.run]
                ended = [outcome for study in studies for outcome in stored_outcomes(study, store)]
                left = in_words(seconds_left(run.tasks, ended, run.size or workers))
                progress.update(bar, description=f"{done} of {len(run.missing)} runs", left=f"{left} left")
                progress.advance(bar, expected[task.id])
                reached = f"{100 * said.event.scores.test_accuracy:.1f} %" if said.event.scores else "failed"
                console.print(f"  {task.place.dataset}: {task.name}: {reached}", highlight=False)
        except KeyboardInterrupt:
            run.cancel()
            console.print("What has ended is kept; the same command goes on with the rest.", highlight=False)
            raise
        finally:
            run.close()


def show(outcomes: Sequence[Outcome], studies: Sequence[Study], arguments: argparse.Namespace) -> None:
    """Print the table, or the runs as JSON or CSV; write what was asked for."""
    results = Results(outcomes)
    if arguments.html:
        from pgcn.views.pages import write_page
        from pgcn.views.report import report_page

        write_page(report_page(results, studies), Path(arguments.html))
        Console(stderr=True).print(f"Wrote the report to {arguments.html}.", highlight=False, soft_wrap=True)
    if arguments.csv and arguments.csv != "-":
        Path(arguments.csv).write_text(outcomes_as_csv(outcomes), encoding="utf-8")
        Console(stderr=True).print(f"Wrote the runs to {arguments.csv}.", highlight=False, soft_wrap=True)
    if arguments.json:
        for outcome in outcomes:
            print(json.dumps(vars(outcome)))
    elif arguments.csv == "-":
        sys.stdout.write(outcomes_as_csv(outcomes))
    else:
        show_table(results, studies)


def show_table(results: Results, studies: Sequence[Study]) -> None:
    """Print a row for every place and method, then what the numbers show in words."""
    console = Console()
    if not console.is_terminal:
        console = Console(width=WIDTH)
    for study in studies:
        table = Table(
            title=f"{study.dataset}: test accuracy of the networks that validation chose, mean ± sd, 95 % CI",
            title_justify="left", box=None, header_style="bold",
        )  # fmt: skip
        own = Results(outcome for outcome in results.outcomes if outcome.dataset == study.dataset)
        rows = [cell_row(own, cell) for cell in own.in_order()]
        shown = [name for name in rows[0] if name != "topologies"]
        for name in shown:
            table.add_column(name, justify="left" if name == "method" else "right")
        for row in rows:
            table.add_row(*(row[name] for name in shown))
        console.print(table)
        console.print()
    for sentence in filter(None, (origins(results, place) for place in results.places)):
        console.print(sentence, highlight=False)
    for other in [name for name in results.methods if name not in ("pgcn-ce", "pgcn-mse")]:
        for sentence in findings(results, "pgcn-ce", other):
            console.print(sentence, highlight=False)
    for sentence in divergences(results):
        console.print(sentence, highlight=False)


def check_trend(results: Results, studies: Sequence[Study], console: Console) -> None:
    """Raise unless PGCN leads GCN where D' is smallest, and by less at every step towards larger D'."""
    for study in studies:
        for rate in study.rates:
            places = [place for place in study.places if place.rate == rate]
            leads = [results.difference(place, "pgcn-ce") for place in places]
            if None in leads or len(leads) < 2:
                raise PgcnError("--check needs the methods pgcn-ce and gcn at two dimensions at least.")
            means = [lead.mean for lead in leads]
            shown = ", ".join(f"{mean:+z.1f} at {place.dims}" for mean, place in zip(means, places, strict=True))
            if means[0] <= 0 or means != sorted(means, reverse=True):
                raise PgcnError(f"{study.dataset}, {rate:g} %: the lead does not shrink with D' ({shown} points).")
            console.print(
                f"{study.dataset}, {rate:g} %: the lead shrinks with D' ({shown} points).", highlight=False
            )
