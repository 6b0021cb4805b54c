"""The difficulty study when it has ended: a table and sentences, JSON, CSV, a report, the check of its trend."""

import argparse
from collections.abc import Sequence

from rich.console import Console

from pgcn.cli.outcomes import write_outcomes
from pgcn.cli.terminal import print_rows, wide_terminal
from pgcn.errors import PgcnError
from pgcn.numbers import signed
from pgcn.studies.difficulty import Study
from pgcn.studies.difficulty.contenders import REFERENCE
from pgcn.studies.difficulty.origins import origins_sentence
from pgcn.studies.difficulty.results import (
    Outcome,
    Results,
    cell_row,
    outcomes_as_csv,
)
from pgcn.studies.difficulty.words import divergences, findings, headline

FILE_WIDTH = 140
"""Columns of the table where it is not printed to a terminal."""


def show_outcomes(outcomes: Sequence[Outcome], studies: Sequence[Study], arguments: argparse.Namespace) -> None:
    """Print the table, or the runs as JSON or CSV; write the files asked for."""
    from pgcn.views.report import report_page

    results = Results(outcomes)
    files = {"as_csv": lambda: outcomes_as_csv(outcomes), "page": lambda: report_page(results, studies)}
    if not write_outcomes(arguments, map(vars, outcomes), **files):
        show_table(results, studies)


def show_table(results: Results, studies: Sequence[Study]) -> None:
    """Print a row for every D', label rate and method, then what the numbers show in sentences."""
    console = wide_terminal(FILE_WIDTH)
    for study in studies:
        title = f"{study.dataset}: test accuracy of the networks that validation chose, mean ± sd, 95 % CI"
        of_study = Results(outcome for outcome in results.outcomes if outcome.dataset == study.dataset)
        rows = [cell_row(of_study, cell) for cell in of_study.in_order()]
        for row in rows:
            del row["topologies"]
        print_rows(console, rows, left="method", title=title)
    for sentence in [*headlines(results, studies), *sentences(results)]:
        console.print(sentence)


def headlines(results: Results, studies: Sequence[Study]) -> list[str]:
    """Return what every data set and label rate shows in one sentence each."""
    found = []
    for study in studies:
        for rate in study.rates:
            line = [place for place in study.places if place.rate == rate]
            finding = headline(results, line, REFERENCE, "dims", study.facts.features)
            if finding:
                found.append(f"{study.dataset}, {rate:g} % labelled: {finding[0].lower()}{finding[1:]}.")
    return found


def sentences(results: Results) -> list[str]:
    """Return where the numbers come from, how PGCN compares with every other method, and which runs diverged."""
    sources = [source for place in results.places if (source := origins_sentence(results, place))]
    others = [name for name in results.methods if name not in ("pgcn-ce", "pgcn-mse")]
    compared = [sentence for other in others for sentence in findings(results, "pgcn-ce", other)]
    return [*sources, *compared, *divergences(results)]


def check_trend(results: Results, studies: Sequence[Study], console: Console) -> None:
    """Raise unless PGCN leads GCN where D' is smallest, and by less at every step towards larger D'."""
    for study in studies:
        for rate in study.rates:
            places = [place for place in study.places if place.rate == rate]
            leads = [results.difference(place, "pgcn-ce") for place in places]
            if None in leads or len(leads) < 2:
                raise PgcnError("--check needs the methods pgcn-ce and gcn at two dimensions at least.")
            means = [lead.mean for lead in leads]
            shown = ", ".join(f"{signed(mean)} at {place.dims}" for mean, place in zip(means, places, strict=True))
            if means[0] <= 0 or means != sorted(means, reverse=True):
                raise PgcnError(f"{study.dataset}, {rate:g} %: the lead does not shrink with D' ({shown} points).")
            console.print(f"{study.dataset}, {rate:g} %: the lead shrinks with D' ({shown} points).")
