"""Test accuracy against what it costs, measured and published.

Every mark carries its place and contender, so that a page can answer a click with the runs behind it.
"""

from collections.abc import Sequence
from typing import Any

from pgcn.studies.arena.published import ROWS, published
from pgcn.studies.arena.question import ArenaPlace
from pgcn.studies.arena.results import ArenaCell, ArenaResults
from pgcn.views.arena.styles import GREY, PUBLISHED_STYLES, cell_text, style_of
from pgcn.views.pages import plotly_text

COSTS = {"parameters": "Parameters", "seconds": "Seconds of a run"}


def accuracy_figure(results: ArenaResults, place: ArenaPlace, cost: str = "parameters") -> dict[str, Any]:
    """Return mean test accuracy against parameters or seconds of a run, a logarithmic axis.

    Whiskers are standard deviations, the line is the Pareto front of what was measured. Published points are
    hollow; the paper prints no seconds.
    """
    cells = results.cells_at(place)
    data = [front_trace(results.front(place, cost), cost)] if cells else []
    data += [cell_trace(cell, cost) for cell in cells]
    if cost == "parameters":
        data += published_traces(place)
    return {
        "data": data,
        "layout": {
            "margin": {"l": 60, "r": 12, "t": 12, "b": 52},
            "xaxis": {"title": {"text": COSTS[cost]}, "type": "log"},
            "yaxis": {"title": {"text": "Test accuracy (%)"}},
            "showlegend": True,
            "legend": {"font": {"size": 12}},
            "hovermode": "closest",
        },
    }


def cell_trace(cell: ArenaCell, cost: str) -> dict[str, Any]:
    """Return the mark of a contender; its whisker never reaches 0, which a logarithmic axis does not have."""
    colour, symbol = style_of(cell.contender)
    spread, test = getattr(cell, cost), cell.test
    whisker = {"color": colour, "thickness": 1, "width": 3, "type": "data"}
    return {
        "type": "scatter",
        "mode": "markers",
        "name": plotly_text(cell.title),
        "x": [spread.mean],
        "y": [test.mean],
        "error_x": {
            **whisker,
            "array": [spread.sd or 0],
            "arrayminus": [min(spread.sd or 0, 0.9 * spread.mean)],
            "symmetric": False,
        },
        "error_y": {**whisker, "array": [test.sd or 0]},
        "marker": {"color": colour, "symbol": symbol, "size": 11},
        "customdata": [[cell.place.dataset, cell.place.split, cell.contender]],
        "text": [cell_text(cell)],
        "hovertemplate": "%{text}<extra></extra>",
    }


def front_trace(front: Sequence[ArenaCell], cost: str) -> dict[str, Any]:
    """Return the Pareto front as steps: from one mark on, nothing cheaper than the next is better."""
    return {
        "type": "scatter",
        "mode": "lines",
        "name": "Pareto front",
        "x": [getattr(cell, cost).mean for cell in front],
        "y": [cell.test.mean for cell in front],
        "line": {"color": GREY, "width": 1.5, "dash": "dot", "shape": "hv"},
        "hoverinfo": "skip",
    }


def published_traces(place: ArenaPlace) -> list[dict[str, Any]]:
    """Return a hollow mark for every row of the paper; its figures are of the public split."""
    if place.split != "public":
        return []
    traces = []
    for name, row in ROWS.items():
        printed = published(name, place.dataset)
        if printed is None:
            continue
        colour, symbol = PUBLISHED_STYLES[name]
        whisker = {"type": "data", "array": [printed.accuracy_sd or 0], "color": colour, "thickness": 1, "width": 3}
        traces.append(
            {
                "type": "scatter",
                "mode": "markers",
                "name": f"{row.title}, published",
                "x": [printed.parameters],
                "y": [printed.accuracy],
                "error_y": whisker,
                "marker": {"color": colour, "symbol": f"{symbol}-open", "size": 11, "line": {"width": 2}},
                "text": [
                    f"{row.title}, published: {printed.accuracy_text} % test<br>"
                    f"{printed.parameters_text} parameters<br>{plotly_text(row.protocol.text)}"
                ],
                "hovertemplate": "%{text}<extra></extra>",
            }
        )
    return traces
