"""Runs and batches compared: their curves or spread in one figure, a test, and where their settings differ."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from pgcn.events import Event, RunFinished
from pgcn.methods.pgcn.events import BlockAccepted, BlockJudged
from pgcn.numbers import known, reported_on
from pgcn.studies.statistics import Spread
from pgcn.studies.two_groups import Chance, Difference, difference
from pgcn.views.pages import plotly_text
from pgcn.views.run_facts import NOT_SAID, Row
from pgcn.views.run_table import NUMBERS

# Okabe and Ito's colours; dashes and symbols tell runs apart without them.
STYLES = [
    {"color": colour, "dash": dash, "symbol": symbol}
    for colour, dash, symbol in (
        ("#0072B2", "solid", "circle"),
        ("#D55E00", "dash", "square"),
        ("#009E73", "dot", "diamond"),
        ("#CC79A7", "dashdot", "triangle-up"),
        ("#E69F00", "longdash", "star"),
        ("#56B4E9", "solid", "x"),
    )
]
CURVES = {
    "validation accuracy (%)": lambda event: 100 * event.after.val_accuracy,
    "test accuracy (%)": lambda event: known(100 * event.after.test_accuracy),
    "parameters": lambda event: event.parameters,
}
ENDS = {
    "validation accuracy (%)": lambda ended: ended.scores and 100 * ended.scores.val_accuracy,
    "test accuracy (%)": lambda ended: ended.scores and known(100 * ended.scores.test_accuracy),
    "parameters": lambda ended: ended.parameters,
}
FINALS = {
    "validation accuracy (%)": NUMBERS["validation (%)"][0],
    "test accuracy (%)": NUMBERS["test (%)"][0],
    "parameters": NUMBERS["parameters"][0],
}
"""The same of a stored run, as it ended."""
LETTERS = "ABCDEF"
"""What runs and batches are called in figures: their names are too long for an axis."""


def comparison_figure(runs: Mapping[str, Sequence[Event]], what: str) -> dict[str, Any]:
    """Return one curve of ``CURVES`` for every run, by block tried; horizontal where nothing grows."""
    longest = max((sum(isinstance(event, BlockJudged) for event in events) for events in runs.values()), default=1)
    data = []
    for number, (name, events) in enumerate(runs.items()):
        style = STYLES[number % len(STYLES)]
        judged = [(i, event) for i, event in enumerate(e for e in events if isinstance(e, BlockJudged))]
        points = [(i + 1, CURVES[what](event)) for i, event in judged if isinstance(event, BlockAccepted)]
        if not judged and isinstance(events[-1], RunFinished) and ENDS[what](events[-1]) is not None:
            points = [(at, ENDS[what](events[-1])) for at in (0.5, max(longest, 1) + 0.5)]
        where = "block %{x}: " if judged else ""
        data.append(
            {
                "type": "scatter",
                "mode": "lines+markers" if judged else "lines",
                "name": plotly_text(name),
                "x": [x for x, _ in points],
                "y": [y for _, y in points],
                "line": {"color": style["color"], "dash": style["dash"]},
                "marker": {"symbol": style["symbol"], "size": 8},
                "hovertemplate": f"%{{fullData.name}}<br>{where}%{{y:,.6~g}}<extra></extra>",
            }
        )
    return {
        "data": data,
        "layout": {
            "margin": {"l": 60, "r": 10, "t": 10, "b": 50},
            "xaxis": {"title": {"text": "block tried"}},
            "yaxis": {"title": {"text": what}, **({"rangemode": "tozero"} if what == "parameters" else {})},
            "showlegend": True,
            "legend": {"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0, "font": {"size": 11}},
        },
    }


def group_figure(rows: Sequence[Row], what: str) -> dict[str, Any]:
    """Return a column for every run or batch: a mark for each of its runs, and their mean with its 95 % CI."""
    data: list[dict[str, Any]] = []
    for number, row in enumerate(rows):
        style = STYLES[number % len(STYLES)]
        values = [(run, FINALS[what](run)) for run in row.finished]
        values = [(run, value) for run, value in values if value is not None]
        spread = Spread.of([value for _, value in values]) if values else None
        apart = 0.5 / max(1, len(values) - 1)  # side by side in the order of seeds: equal values stay apart
        data.append(
            {
                "type": "scatter",
                "mode": "markers",
                "name": LETTERS[number],
                "x": [number + apart * (at - (len(values) - 1) / 2) for at in range(len(values))],
                "y": [value for _, value in values],
                "text": [f"seed {run.seed}" for run, _ in values],
                "marker": {"color": style["color"], "symbol": style["symbol"], "size": 8, "opacity": 0.6},
                "hovertemplate": "%{text}: %{y:,.6~g}<extra></extra>",
            }
        )
        if spread is not None and spread.half_ci is not None:
            data.append(
                {
                    "type": "scatter",
                    "mode": "markers",
                    "showlegend": False,
                    "x": [number],
                    "y": [spread.mean],
                    "error_y": {
                        "type": "data",
                        "array": [spread.half_ci],
                        "thickness": 2,
                        "width": 9,
                        "color": style["color"],
                    },
                    "marker": {
                        "symbol": "line-ew-open",
                        "size": 30,
                        "color": style["color"],
                        "line": {"width": 2.5},
                    },
                    "hovertemplate": f"mean {spread.text(1)}, 95 % CI ± {spread.half_ci:,.1f}<extra></extra>",
                }
            )
    letters = LETTERS[: len(rows)]
    return {
        "data": data,
        "layout": {
            "margin": {"l": 60, "r": 10, "t": 10, "b": 30},
            "xaxis": {
                "tickvals": list(range(len(rows))),
                "ticktext": list(letters),
                "range": [-0.6, len(rows) - 0.4],
            },
            "yaxis": {"title": {"text": what}},
            "showlegend": False,
            "hovermode": "closest",
        },
    }


def group_differences(rows: Sequence[Row]) -> list[Difference | None]:
    """Return how far each of several groups is from the first, in points of accuracy; None on another data set.

    Test accuracy, or validation accuracy where one of them has no test nodes.
    """
    what, data = accuracy_of(rows), graph_of(rows[0])
    first, *others = [by_chance(row, what) for row in rows]
    return [
        difference(values, first) if values and first and graph_of(row) == data else None
        for row, values in zip(rows[1:], others, strict=True)
    ]


def graph_of(row: Row) -> dict[str, str]:
    """Return which graph a group was trained on, whatever its split and projection."""
    others = ("method", "preset", "reproducible", "split", "D'")
    return {name: value for name, value in row.facts.basic.items() if name not in others}


def accuracy_of(rows: Sequence[Row]) -> str:
    """Return which accuracy groups are compared by."""
    return reported_on(run.scores["test_accuracy"] for row in rows for run in row.finished if run.scores)


def by_chance(row: Row, what: str) -> dict[Chance, list[float]]:
    """Return the accuracies of a group in %, by the split and the seeds of split and run."""
    found: dict[Chance, list[float]] = {}
    for run in row.finished:
        chance = (row.facts.of("split"), row.split_seeds[run.id], run.seed)
        found.setdefault(chance, []).append(FINALS[f"{what} accuracy (%)"](run))
    return found


def settings_table(configs: Sequence[Mapping[str, str]]) -> list[tuple[str, list[tuple[str, bool]]]]:
    """Return for every setting its value in every run, and whether it differs from what most runs have.

    Where none is more frequent than the others, the first run's counts. A run whose method does not have a setting
    does not differ in it.
    """
    rows = []
    for name in dict.fromkeys(name for config in configs for name in config):
        values = [config.get(name, NOT_SAID) for config in configs]
        said = [value for value in values if value != NOT_SAID]
        usual = Counter(said).most_common(1)[0][0] if said else NOT_SAID  # of equally frequent ones the first
        rows.append((name, [(value, value not in (usual, NOT_SAID)) for value in values]))
    return rows
