"""The difficulty study as pictures: the three rows of the paper's figure, and the map over both handles.

Plain values for Plotly. Every mark carries its place and method, so that a click on it can be answered.
"""

import math
from collections.abc import Callable, Sequence
from typing import Any

from pgcn.studies.difficulty import METHODS, Place
from pgcn.studies.results import Results, Spread

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
    "ratio": "N_L/D', labelled nodes per dimension",
    "rate": "labelled nodes (% of all)",
}
ROWS = ("accuracy", "difference", "parameters")
TITLES = {
    "accuracy": "Test accuracy (%)",
    "difference": "Difference to GCN (points)",
    "parameters": "Parameters",
}


def x_of(place: Place, axis: str) -> float:
    return {"dims": place.dims, "ratio": place.labels_per_dimension, "rate": place.rate}[axis]


def spread_of(results: Results, row: str, place: Place, method: str) -> Spread | None:
    """Return what a row of the figure shows of a method at a place."""
    cell = results.cell(place, method)
    if cell is None:
        return None
    if row == "difference":
        return None if method == "gcn" else results.difference(place, method)
    return cell.test if row == "accuracy" else cell.parameters


def line_figure(
    results: Results,
    places: Sequence[Place],
    row: str,
    axis: str,
    *,
    chosen: Place | None = None,
    stacked: bool = False,
) -> dict[str, Any]:
    """Return one row of the paper's figure: a line for every method, with its 95 % confidence interval.

    Rows that stand side by side all have room for the first one's legend; those that are ``stacked`` need none.
    """
    shown = [spread_of(results, row, place, method) for place in places for method in results.methods]
    y_axis = heights([spread for spread in shown if spread], row)
    floor = 10 ** y_axis["range"][0] if row == "parameters" else None  # a logarithm has no place for 0 and less
    data: list[dict[str, Any]] = []
    for method in results.methods:
        marks = [(place, spread) for place in places if (spread := spread_of(results, row, place, method))]
        if marks:
            data += traces(marks, row, axis, method, floor)
    if row == "difference" and data:
        data.insert(0, zero_line([x_of(place, axis) for place in places]))
    layout = {
        "margin": {"l": 64, "r": 12, "t": 12 if stacked and row != "accuracy" else 52, "b": 48},
        "xaxis": {"title": {"text": AXES[axis]}, **ticks([x_of(place, axis) for place in places])},
        "yaxis": {"title": {"text": TITLES[row]}, **y_axis},
        "showlegend": row == "accuracy",
        "legend": {"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0, "font": {"size": 12}},
        "hovermode": "closest",
    }
    if chosen is not None and chosen in places:
        at = x_of(chosen, axis)
        layout["shapes"] = [
            {"type": "line", "x0": at, "x1": at, "yref": "paper", "y0": 0, "y1": 1,
             "line": {"color": "#8A94A0", "width": 1, "dash": "dot"}}
        ]  # fmt: skip
    return {"data": data, "layout": layout}


def traces(
    marks: Sequence[tuple[Place, Spread]], row: str, axis: str, method: str, floor: float | None
) -> list[dict[str, Any]]:
    """Return the band, which ends at the floor, and the line of one method; one experiment has no band."""
    marks = sorted(marks, key=lambda mark: x_of(mark[0], axis))
    colour, dash, symbol = STYLES[method]
    xs = [x_of(place, axis) for place, _ in marks]

    def edge(sign: int) -> list[float]:
        values = [spread.mean + sign * (spread.band or 0) for _, spread in marks]
        return values if floor is None else [max(floor, value) for value in values]

    band = {
        "type": "scatter", "mode": "lines", "x": xs, "line": {"width": 0}, "hoverinfo": "skip", "showlegend": False,
        "legendgroup": method,
    }  # fmt: skip
    # What is made to match PGCN has its parameters, and so its band.
    bands = [] if row == "parameters" and METHODS[method].after else [
        {**band, "y": edge(-1)},
        {**band, "y": edge(1), "fill": "tonexty", "fillcolor": faint(colour)},
    ]  # fmt: skip
    digits = 0 if row == "parameters" else 1
    unit = {"accuracy": " %", "difference": " points", "parameters": " parameters"}[row]
    return [
        *bands,
        {
            "type": "scatter",
            "mode": "lines+markers",
            "name": METHODS[method].label,
            "legendgroup": method,
            "x": xs,
            "y": [spread.mean for _, spread in marks],
            "line": {"color": colour, "dash": dash, "width": 2},
            # Hollow where the runs came with the program.
            "marker": {
                "symbol": [f"{symbol}-open" if spread.recorded else symbol for _, spread in marks],
                "size": 9,
                "color": colour,
                "line": {"width": 2},
            },
            "customdata": [[place.dataset, place.dims, place.rate, method] for place, _ in marks],
            "text": [
                f"{METHODS[method].label}: {spread.text(digits)}{unit}<br>D' = {place.dims:,}, {place.rate:g} % "
                f"labelled, N_L/D' = {place.labels_per_dimension:.3g}<br>mean ± sd of {spread.n} "
                f"experiment{'s' * (spread.n != 1)}, {'recorded' if spread.recorded else 'computed here'}"
                for place, spread in marks
            ],
            "hovertemplate": "%{text}<extra></extra>",
        },
    ]


def heights(spreads: Sequence[Spread], row: str) -> dict[str, Any]:
    """Return the vertical axis: all means and their sd; bands of few experiments may reach out of it."""
    low = min((spread.mean - (spread.sd or 0) for spread in spreads), default=0.0)
    high = max((spread.mean + (spread.sd or 0) for spread in spreads), default=1.0)
    if row == "parameters":
        low, high = (
            math.log10(max(1.0, value)) for value in (min(s.mean for s in spreads) if spreads else 1, high)
        )
        ends = [low - 0.15, high + 0.15]
        known = [digit * 10**power for power in range(8) for digit in (1, 2, 5)]
        known = [value for value in known if ends[0] <= math.log10(value) <= ends[1]]
        if len(known) > 6:
            known = [value for value in known if str(value)[0] == "1"]
        return {"type": "log", "range": ends, "tickvals": known, "ticktext": [f"{value:,}" for value in known]}
    if row == "difference":
        low, high = min(low, 0.0), max(high, 0.0)
    air = 0.08 * (high - low) or 1.0
    return {"range": [low - air, high + air]}


def zero_line(xs: Sequence[float]) -> dict[str, Any]:
    return {
        "type": "scatter", "mode": "lines", "x": [min(xs), max(xs)], "y": [0, 0], "hoverinfo": "skip",
        "line": {"color": "#8A94A0", "width": 1}, "showlegend": False,
    }  # fmt: skip


def ticks(xs: Sequence[float]) -> dict[str, Any]:
    """Return a logarithmic axis with a tick at every place."""
    known = sorted(set(xs))
    return {
        "type": "log",
        "tickvals": known,
        "ticktext": [f"{x:,.0f}" if x >= 10 else f"{x:.2g}" for x in known],
        "tickangle": 0,
    }


def faint(colour: str) -> str:
    red, green, blue = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return f"rgba({red}, {green}, {blue}, 0.15)"


def map_figure(results: Results, dataset: str, method: str, other: str) -> dict[str, Any]:
    """Return the map over both handles: D' to the right, label rate upwards, colour = method minus other."""
    places = [place for place in results.places if place.dataset == dataset]
    dims, rates = sorted({place.dims for place in places}), sorted({place.rate for place in places})

    def grid(value: Callable[[Place, Spread], Any]) -> list[list[Any]]:
        return [
            [
                value(place, spread)
                if (spread := results.difference(place := Place(dataset=dataset, dims=d, rate=r), method, other))
                else None
                for d in dims
            ]
            for r in rates
        ]

    points = grid(lambda place, spread: spread.mean)
    most = max((abs(value) for row in points for value in row if value is not None), default=1.0) or 1.0
    return {
        "data": [
            {
                "type": "heatmap",
                "x": [f"{d:,}" for d in dims],
                "y": [f"{r:g} %" for r in rates],
                "z": points,
                "text": grid(lambda place, spread: f"{spread.mean:+.1f}"),
                "texttemplate": "%{text}",
                "customdata": grid(lambda place, spread: [place.dataset, place.dims, place.rate, method]),
                "hovertext": grid(
                    lambda place, spread: (
                        f"{METHODS[method].label} minus {METHODS[other].label}: {spread.mean:+.1f}"
                        f"{'' if spread.sd is None else f' ± {spread.sd:.1f}'} points, {spread.n} experiments<br>"
                        f"D' = {place.dims:,}, {place.rate:g} % labelled, N_L/D' = {place.labels_per_dimension:.3g}"
                    )
                ),
                "hovertemplate": "%{hovertext}<extra></extra>",
                "zmin": -most,
                "zmax": most,
                "colorscale": [[0, "#D55E00"], [0.5, "#F2F2F2"], [1, "#0072B2"]],
                "colorbar": {"title": {"text": "points"}, "thickness": 12},
                "hoverongaps": False,
            }
        ],
        "layout": {
            "margin": {"l": 70, "r": 10, "t": 8, "b": 48},
            "xaxis": {"title": {"text": AXES["dims"]}, "type": "category"},
            "yaxis": {"title": {"text": AXES["rate"]}, "type": "category"},
        },
    }
