"""The arena's figures on a page: axes that can be read at any width, and what they show in a sentence."""

import math
import statistics
from collections.abc import Sequence
from typing import Any

from pgcn.data.catalogue import dataset_title
from pgcn.numbers import signed
from pgcn.studies.arena.contenders import ALL
from pgcn.studies.arena.question import ArenaPlace
from pgcn.studies.arena.results import ArenaResults
from pgcn.views.arena.accuracy import accuracy_figure
from pgcn.views.pages import plotly_text

MOST_TICKS = 7
FAR, SPREADS = 6.0, 6.0
"""A mark is far below the others where it is so many points below their median, and so many times their spread."""


def scatter(results: ArenaResults, place: ArenaPlace, cost: str) -> dict[str, Any]:
    """Return accuracy against a cost without a legend, which the table beside it is."""
    figure = accuracy_figure(results, place, cost)
    marks = [trace for trace in figure["data"] if trace["mode"] == "markers"]
    layout = figure["layout"] | {"showlegend": False, "margin": {"l": 48, "r": 10, "t": 10, "b": 46}}
    for trace in marks:  # a whisker of no length would be a dash across its mark
        for axis in ("error_x", "error_y"):
            if axis in trace:
                trace[axis] = {**trace[axis], "visible": bool(trace[axis]["array"][0])}
    if marks:
        layout["xaxis"] = {**layout["xaxis"], **cost_axis([trace["x"][0] for trace in marks])}
        low, high = accuracy_range(marks)
        layout["yaxis"] = {**layout["yaxis"], "range": [low, high]}
        out = sorted((trace for trace in marks if trace["y"][0] < low), key=lambda trace: trace["x"][0])
        layout["annotations"] = [below(trace, number, layout["xaxis"]["range"]) for number, trace in enumerate(out)]
        for trace in out:
            trace["error_y"] = {**trace["error_y"], "visible": False}
    else:
        where = {"x": 0.5, "y": 0.5, "xref": "paper", "yref": "paper", "showarrow": False}
        layout["annotations"] = [{**where, "text": "No run has ended here yet."}]
        layout["xaxis"] = {**layout["xaxis"], "showticklabels": False}
    return {"data": figure["data"], "layout": layout}


def cost_axis(costs: Sequence[float]) -> dict[str, Any]:
    """Return the range and the ticks of a logarithmic axis: so few that they never overlap."""
    low, high = math.log10(min(costs)), math.log10(max(costs))
    room = max(0.15, 0.07 * (high - low))
    low, high = low - room, high + room
    powers = range(math.floor(low), math.ceil(high) + 1)
    ticks: list[float] = []
    for steps in ((1, 2, 5), (1, 3), (1,)):
        ticks = [
            step * 10.0**power for power in powers for step in steps if low <= math.log10(step) + power <= high
        ]
        if len(ticks) <= MOST_TICKS:
            break
    return {"range": [low, high], "tickvals": ticks, "ticktext": [short(tick) for tick in ticks]}


def short(number: float) -> str:
    """Return for example '20k', of three digits at most."""
    for size, letter in ((1e6, "M"), (1e3, "k")):
        if number >= size:
            return f"{number / size:.3g}{letter}"
    return f"{number:.3g}"


def far_below(values: Sequence[float]) -> float:
    """Return the value below which a mark would squeeze all others: by their median and its median deviation."""
    if len(values) < 4:
        return -math.inf
    middle = statistics.median(values)
    spread = statistics.median(abs(value - middle) for value in values)
    return middle - max(FAR, SPREADS * spread)


def accuracy_range(marks: Sequence[dict[str, Any]]) -> tuple[float, float]:
    """Return the range of accuracies without those far below; a whisker longer than that range is cut off."""
    fence = far_below([trace["y"][0] for trace in marks])
    shown = [trace for trace in marks if trace["y"][0] >= fence]
    means = [trace["y"][0] for trace in shown]
    most = max(0.5, max(means) - min(means))
    low = min(mean - min(trace["error_y"]["array"][0], most) for mean, trace in zip(means, shown, strict=True))
    high = max(mean + min(trace["error_y"]["array"][0], most) for mean, trace in zip(means, shown, strict=True))
    room = max(0.3, 0.06 * (high - low))
    return low - room, high + room


def in_view(figure: dict[str, Any]) -> dict[str, Any]:
    """Return a figure of rows whose axis leaves out those far to the left; a note says where each is."""
    rows = figure["data"]
    fence = far_below([min(trace["x"]) for trace in rows])
    out = [trace for trace in rows if min(trace["x"]) < fence]
    if not out:
        return figure
    shown = [trace for trace in rows if trace not in out]
    left, right = min(min(trace["x"]) for trace in shown), max(max(trace["x"]) for trace in shown)
    reach = [error["array"][0] for trace in shown if (error := trace.get("error_x"))]
    room = max([0.06 * (right - left), *(min(one, right - left) for one in reach)])
    notes = [
        {
            "x": 0,
            "xref": "paper",
            "xanchor": "left",
            "y": trace["y"][0],
            "showarrow": False,
            "text": f"← {signed(trace['x'][0])}",
            "font": {"color": trace["marker"]["color"]},
        }
        for trace in out
    ]
    axis = {**figure["layout"]["xaxis"], "range": [left - room, right + room]}
    return {"data": rows, "layout": {**figure["layout"], "xaxis": axis, "annotations": notes}}


def below(trace: dict[str, Any], number: int, across: Sequence[float]) -> dict[str, Any]:
    """Return a note on a mark that lies below the figure; the ``number``-th, one above the other."""
    x = math.log10(trace["x"][0])
    share = (x - across[0]) / (across[1] - across[0])
    contender = ALL.get(trace["customdata"][0][2]) if "customdata" in trace else None
    return {
        "x": x,
        "xanchor": "right" if share > 0.7 else "left" if share < 0.3 else "center",
        "y": 0,
        "yref": "paper",
        "yanchor": "bottom",
        "yshift": 16 * (number % 3),
        "showarrow": False,
        "text": f"{plotly_text(contender.title) if contender else trace['name']} {trace['y'][0]:.1f} ↓",
        "font": {"size": 12, "color": trace["marker"]["color"]},
    }


def headline(results: ArenaResults, place: ArenaPlace) -> str:
    """Say who leads, and which smaller network comes close to it."""
    cells = results.cells_at(place)
    if not cells:
        if place.dataset in results.untested:
            return f"{dataset_title(place.dataset)} has no test nodes: choose a random split under More"
        return f"Nothing has been measured on {dataset_title(place.dataset)} yet"
    best = max(cells, key=lambda cell: cell.test.mean)
    words = f"{best.title} leads on {dataset_title(place.dataset)}: {best.test.text()} %"
    close = [cell for cell in results.front(place) if cell is not best and best.test.mean - cell.test.mean <= 2]
    if not close:
        return words
    small = close[0]
    return (
        f"{words}, {short(best.parameters.mean)} parameters. {small.title} is "
        f"{best.test.mean - small.test.mean:.1f} points behind with {short(small.parameters.mean)}"
    )
