"""The difficulty study as a Plotly chart: accuracy, difference or parameters along D', N_L/D' or the label rate.

Every mark carries its place and method, so that a page can answer a click.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pgcn.numbers import counted
from pgcn.studies.difficulty import CONTENDERS, Place
from pgcn.studies.difficulty.contenders import REFERENCE
from pgcn.studies.difficulty.results import Results
from pgcn.studies.statistics import Spread

# Okabe and Ito's colours; dashes and symbols tell methods apart without them.
STYLES = {
    "pgcn-ce": ("#0072B2", "solid", "circle"),
    "pgcn-mse": ("#009E73", "dash", "diamond"),
    "gcn": ("#CC79A7", "dot", "square"),
    "matched-gcn": ("#D55E00", "dashdot", "triangle-up"),
    "same-topology": ("#E69F00", "longdash", "x"),
}
AXES = {
    "dims": "D', projected dimensions",
    "ratio": "N_L/D', labels per feature",
    "rate": "labelled nodes (% of all)",
}
ROWS = ("accuracy", "difference", "parameters")
ROW_TITLES = {"accuracy": "Test accuracy (%)", "difference": "Difference (points)", "parameters": "Parameters"}
UNITS = {"accuracy": " %", "difference": " points", "parameters": " parameters"}
CLOSEST = 0.07
"""Of the horizontal axis: closer ticks would touch on a phone."""
FEW = 3
"""With so many experiments or fewer they are drawn one by one: an interval would promise more than they know."""


@dataclass(frozen=True, kw_only=True)
class Mark:
    """What a method reached at a place: every experiment, and their mean."""

    place: Place
    experiments: tuple[int, ...]
    values: tuple[float, ...]
    spread: Spread


def x_of(place: Place, axis: str) -> float:
    return {"dims": place.dims, "ratio": place.labels_per_dimension, "rate": place.rate}[axis]


def mark_of(results: Results, row: str, place: Place, method: str, other: str = REFERENCE) -> Mark | None:
    """Return what a row shows of a method at a place; in the row of differences these are method minus other."""
    if row == "difference":
        shared = results.shared(place, method, other) if method != other else None
        if shared is None:
            return None
        values = tuple(one - two for one, two in zip(*shared.accuracies, strict=True))
        spread = Spread.of(values, recorded=shared.recorded)
        return Mark(place=place, experiments=shared.experiments, values=values, spread=spread)
    cell = results.cell(place, method)
    if cell is None:
        return None
    experiments = tuple(outcome.experiment for outcome in cell.outcomes)
    if row == "accuracy":
        values, spread = tuple(100 * outcome.test_accuracy for outcome in cell.outcomes), cell.test
    else:
        values, spread = tuple(float(outcome.parameters) for outcome in cell.outcomes), cell.parameters
    return Mark(place=place, experiments=experiments, values=values, spread=spread)


def line_figure(
    results: Results,
    places: Sequence[Place],
    row: str,
    axis: str,
    *,
    other: str = REFERENCE,
    chosen: Place | None = None,
) -> dict[str, Any]:
    """Return a line for every method: PGCN and what it is compared with, the others by a click on the legend."""
    first = [name for name in ("pgcn-ce", REFERENCE, other) if name in results.methods]
    methods = [*dict.fromkeys(first or results.methods), *results.methods]
    places = sorted(places, key=lambda place: x_of(place, axis))
    data: list[dict[str, Any]] = []
    for method in dict.fromkeys(methods):
        marks = [mark for place in places if (mark := mark_of(results, row, place, method, other))]
        if marks:
            visible = True if method in first or not first else "legendonly"
            data += traces(marks, row, axis, method, visible)
    xs = [x_of(place, axis) for place in places]
    if row == "difference" and data:
        data.insert(0, zero_line(xs))
    title = ROW_TITLES[row] if row != "difference" else f"Test accuracy minus {CONTENDERS[other].label}'s (points)"
    layout = {
        "margin": {"l": 64, "r": 16, "t": 40, "b": 48},
        "xaxis": {"title": {"text": AXES[axis]}, **ticks(xs)},
        "yaxis": {"title": {"text": title}, **(parameter_ticks(data) if row == "parameters" else {})},
        "showlegend": True,
        "legend": {"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0, "font": {"size": 13}},
        "hovermode": "closest",
    }
    if chosen is not None and chosen in places:
        at = x_of(chosen, axis)
        line = {"color": "#8A94A0", "width": 1, "dash": "dot"}
        layout["shapes"] = [{"type": "line", "x0": at, "x1": at, "yref": "paper", "y0": 0, "y1": 1, "line": line}]
    return {"data": data, "layout": layout}


def traces(marks: Sequence[Mark], row: str, axis: str, method: str, visible: bool | str) -> list[dict[str, Any]]:
    """Return the line of one method, behind it every experiment or, where there are many, the interval."""
    colour, dash, symbol = STYLES[method]
    xs = [x_of(mark.place, axis) for mark in marks]
    shared = {"type": "scatter", "legendgroup": method, "visible": visible}
    matched = row == "parameters" and CONTENDERS[method].after  # has PGCN's parameters, and so its spread
    if matched:
        behind = []
    elif any(mark.spread.n <= FEW for mark in marks):
        behind = [experiment_points(marks, row, axis, method) | shared]
    else:
        behind = [band | shared for band in interval_band(marks, xs, method)]
    line = {
        "uid": method,
        "mode": "lines+markers",
        "name": CONTENDERS[method].label,
        "x": xs,
        "y": [mark.spread.mean for mark in marks],
        "line": {"color": colour, "dash": dash, "width": 2.5},
        # Hollow where the runs came with the program.
        "marker": {
            "symbol": [f"{symbol}-open" if mark.spread.recorded else symbol for mark in marks],
            "size": 11,
            "color": colour,
            "line": {"width": 2},
        },
        "customdata": [click_of(mark.place, method) for mark in marks],
        "text": [mean_text(mark, row, method) for mark in marks],
        "hovertemplate": "%{text}<extra></extra>",
    }
    return [*behind, shared | line]


def click_of(place: Place, method: str) -> list[Any]:
    return [place.dataset, place.dims, place.rate, method]


def experiment_points(marks: Sequence[Mark], row: str, axis: str, method: str) -> dict[str, Any]:
    """Return a point for every experiment."""
    points = [
        (mark, experiment, value)
        for mark in marks
        for experiment, value in zip(mark.experiments, mark.values, strict=True)
    ]
    return {
        "uid": f"{method}-experiments",
        "mode": "markers",
        "showlegend": False,
        "x": [x_of(mark.place, axis) for mark, _, _ in points],
        "y": [value for _, _, value in points],
        "marker": {"symbol": "circle", "size": 6, "color": STYLES[method][0], "opacity": 0.55},
        "customdata": [click_of(mark.place, method) for mark, _, _ in points],
        "text": [
            f"{CONTENDERS[method].label}, experiment {experiment}: {number_text(value, row)}<br>"
            f"{place_text(mark.place)}"
            for mark, experiment, value in points
        ],
        "hovertemplate": "%{text}<extra></extra>",
    }


def interval_band(marks: Sequence[Mark], xs: Sequence[float], method: str) -> list[dict[str, Any]]:
    """Return the edges of the 95 % confidence interval of the mean, the room between them filled."""
    outline = {"mode": "lines", "x": list(xs), "line": {"width": 0}, "hoverinfo": "skip", "showlegend": False}
    lower, upper = (
        outline
        | {"uid": f"{method}-{name}", "y": [mark.spread.mean + sign * mark.spread.half_ci for mark in marks]}
        for name, sign in (("low", -1), ("high", 1))
    )
    return [lower, upper | {"fill": "tonexty", "fillcolor": faint(STYLES[method][0])}]


def mean_text(mark: Mark, row: str, method: str) -> str:
    spread = mark.spread
    digits = 0 if row == "parameters" else 1
    source = "recorded" if spread.recorded else "computed here"
    return (
        f"{CONTENDERS[method].label}: {spread.text(digits)}{UNITS[row]}<br>{place_text(mark.place)}<br>"
        f"mean{' ± sd' * (spread.n > 1)} of {counted(spread.n, 'experiment')}, {source}"
    )


def number_text(value: float, row: str) -> str:
    return f"{value:,.{0 if row == 'parameters' else 1}f}{UNITS[row]}"


def place_text(place: Place) -> str:
    return f"D' = {place.dims:,}, {place.rate:g} % labelled, {place.labels_per_dimension:.3g} labels per feature"


def parameter_ticks(data: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return a logarithmic axis with round numbers on it."""
    values = [value for trace in data for value in trace["y"] if value > 0] or [1.0]
    low, high = math.log10(min(values)) - 0.15, math.log10(max(values)) + 0.15
    known = [digit * 10**power for power in range(8) for digit in (1, 2, 5)]
    known = [value for value in known if low <= math.log10(value) <= high]
    if len(known) > 6:
        known = [value for value in known if str(value)[0] == "1"]
    return {"type": "log", "range": [low, high], "tickvals": known, "ticktext": [f"{value:,}" for value in known]}


def zero_line(xs: Sequence[float]) -> dict[str, Any]:
    line = {"type": "scatter", "mode": "lines", "x": [min(xs), max(xs)], "y": [0, 0]}
    return line | {"line": {"color": "#8A94A0", "width": 1}, "hoverinfo": "skip", "showlegend": False}


def ticks(xs: Sequence[float]) -> dict[str, Any]:
    """Return a logarithmic axis with a tick at every place, as far as they do not touch."""
    known: list[float] = []
    room = CLOSEST * math.log(max(xs) / min(xs)) if xs else 0.0
    for x in sorted(set(xs)):
        if not known or math.log(x / known[-1]) >= room:
            known.append(x)
    return {
        "type": "log",
        "tickvals": known,
        "ticktext": [f"{x:,.0f}" if x >= 10 else f"{x:.2g}" for x in known],
        "tickangle": 0,
    }


def faint(colour: str) -> str:
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return f"rgba({red}, {green}, {blue}, 0.15)"
