"""The arena as Plotly figures and rows of a table.

A contender has the same colour and symbol everywhere. Every mark carries its place and contender, so that a page
can answer a click with the runs behind it.
"""

from collections.abc import Sequence
from typing import Any

from pgcn.numbers import signed
from pgcn.studies.arena.contenders import ALL
from pgcn.studies.arena.paired import TEST, p_text
from pgcn.studies.arena.published import ROWS, published
from pgcn.studies.arena.question import ArenaPlace
from pgcn.studies.arena.results import ArenaCell, ArenaResults
from pgcn.studies.arena.tables import NOTHING, seconds_text, steady
from pgcn.views.pages import plotly_text

PGCN_SYMBOLS = {"reproduction": "circle", "paper": "square", "reference": "diamond", "tuned": "star"}
# Okabe and Ito's colours, then others that show on light and dark; symbols tell apart without them.
STYLES = {
    "gcn": ("#CC79A7", "square"),
    "ngcn-wsum": ("#E69F00", "triangle-up"),
    "ngcn-fc": ("#E69F00", "triangle-down"),
    "gat": ("#D55E00", "diamond"),
    "graphnas": ("#56B4E9", "star-diamond"),
    "autognn": ("#AA4499", "hexagon"),
    "autognn-shared": ("#AA4499", "hexagram"),
    **{f"pgcn-{preset}-ce": ("#0072B2", symbol) for preset, symbol in PGCN_SYMBOLS.items()},
    **{f"pgcn-{preset}-mse": ("#009E73", symbol) for preset, symbol in PGCN_SYMBOLS.items()},
    "sgc": ("#8A94A0", "x"),
    "appnp": ("#7A6FD0", "pentagon"),
    "mlp": ("#999933", "cross"),
    "random": ("#44AA99", "diamond-tall"),
    "random-autognn": ("#44AA99", "diamond-wide"),
}
OTHER = ("#5B6570", "circle")
GREY = "#8A94A0"
COSTS = {"parameters": "Parameters", "seconds": "Seconds of a run"}
PUBLISHED_STYLES = {row: next((STYLES[one.name] for one in ALL.values() if one.row == row), OTHER) for row in ROWS}
"""A row of the paper looks like the first contender that answers to it."""


def style_of(contender: str) -> tuple[str, str]:
    """Return the colour and the symbol of a contender."""
    return STYLES.get(contender, OTHER)


def label_of(cell: ArenaCell) -> str:
    """Return what a contender is called on an axis: without the budget of a search, which is too long there."""
    return plotly_text(ALL[cell.contender].title if cell.contender in ALL else cell.title)


def origin(cell: ArenaCell) -> str:
    return "recorded" if cell.recorded else "computed here"


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


def cell_text(cell: ArenaCell) -> str:
    """Return what a mark says when one points at it."""
    return (
        f"{plotly_text(cell.title)}: {cell.test.text()} % test<br>{steady(cell.parameters, 0)} parameters, "
        f"{seconds_text(cell.seconds)} s a run<br>mean ± sd of {cell.over_text}, {origin(cell)}"
    )


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


def paired_figure(results: ArenaResults, place: ArenaPlace, other: str) -> dict[str, Any]:
    """Return every contender minus ``other`` over shared splits and seeds, with 95 % confidence intervals."""
    data: list[dict[str, Any]] = []
    for cell in results.cells_at(place):
        paired = None if cell.contender == other else results.paired(place, cell.contender, other)
        if paired is None:
            continue
        colour, symbol = style_of(cell.contender)
        lead = paired.difference
        interval = "" if lead.half_ci is None else f", 95 % CI ± {lead.half_ci:.1f}"
        data.append(
            {
                "type": "scatter",
                "mode": "markers",
                "name": plotly_text(cell.title),
                "x": [lead.mean],
                "y": [label_of(cell)],
                "error_x": {
                    "type": "data",
                    "array": [lead.half_ci or 0],
                    "color": colour,
                    "thickness": 2,
                    "width": 4,
                },
                "marker": {"color": colour, "symbol": symbol, "size": 11},
                "customdata": [[place.dataset, place.split, cell.contender]],
                "text": [
                    f"{plotly_text(cell.title)}: {signed(lead.mean)} points{interval}<br>{paired.wins} won, "
                    f"{paired.ties} tied, {paired.losses} lost; {TEST} p = {p_text(paired.p)}<br>{lead.n} pairs, "
                    f"{'recorded' if paired.recorded else 'computed here'}"
                ],
                "hovertemplate": "%{text}<extra></extra>",
            }
        )
    reference = results.cell(place, other)
    name = plotly_text(reference.title) if reference else plotly_text(other)
    zero = {
        "type": "line",
        "x0": 0,
        "x1": 0,
        "yref": "paper",
        "y0": 0,
        "y1": 1,
        "line": {"color": GREY, "width": 1},
    }
    return {
        "data": data,
        "layout": {
            "margin": {"l": 12, "r": 12, "t": 12, "b": 52},
            "xaxis": {"title": {"text": f"Points more than {name}"}},
            "yaxis": {"automargin": True, "autorange": "reversed", "type": "category"},
            "shapes": [zero],
            "showlegend": False,
            "hovermode": "closest",
        },
    }


def best_of_figure(results: ArenaResults, place: ArenaPlace, n: int | None = None) -> dict[str, Any]:
    """Return for every contender its mean and what the best of n runs by validation gives, by default of all.

    Where a contender has fewer runs than n, all of them are taken. A search is not there: it chooses among
    many networks by itself.
    """
    data: list[dict[str, Any]] = []
    cells = [cell for cell in results.cells_at(place) if not cell.networks]
    for number, cell in enumerate(cells):
        best = cell.best_of(min(n or len(cell.outcomes), len(cell.outcomes)))
        colour, symbol = style_of(cell.contender)
        title = plotly_text(cell.title)
        gain = best.mean - cell.test.mean
        data.append(
            {
                "type": "scatter",
                "mode": "lines+markers",
                "name": title,
                "x": [cell.test.mean, best.mean],
                "y": [label_of(cell)] * 2,
                "line": {"color": colour, "width": 2},
                "marker": {
                    "color": colour,
                    "symbol": [symbol, f"{symbol}-open"],
                    "size": 11,
                    "line": {"width": 2, "color": colour},
                },
                "customdata": [[place.dataset, place.split, cell.contender]] * 2,
                "text": [
                    cell_text(cell),
                    f"{title}: {best.mean:.1f} % test expected of the best of {best.n} by validation<br>"
                    f"{signed(gain)} points to the mean, {origin(cell)}",
                ],
                "hovertemplate": "%{text}<extra></extra>",
                "legendrank": number,
            }
        )
    return {
        "data": data,
        "layout": {
            "margin": {"l": 12, "r": 12, "t": 12, "b": 52},
            "xaxis": {"title": {"text": "Test accuracy (%)"}},
            "yaxis": {"automargin": True, "autorange": "reversed", "type": "category"},
            "showlegend": False,
            "hovermode": "closest",
        },
    }


def result_rows(results: ArenaResults, place: ArenaPlace) -> list[dict[str, str]]:
    """Return a row for every contender at a place, with what the paper prints for it."""
    rows = []
    for cell in results.cells_at(place):
        contender = ALL.get(cell.contender)
        row = contender.row if contender and place.split == "public" else None
        printed = published(row, place.dataset)
        found, count = cell.usual
        n = len(cell.outcomes)
        rows.append(
            {
                "method": cell.title,
                "published": printed.accuracy_text if printed else NOTHING,
                "protocol": ROWS[row].protocol.text if row and printed else NOTHING,
                "mean ± sd": cell.test.text(),
                "95 % CI": NOTHING if cell.half_ci is None else f"± {cell.half_ci:.1f}",
                "best by validation": cell.best_text,
                "n": str(cell.test.n),
                "parameters": steady(cell.parameters, 0),
                "published parameters": printed.parameters_text if printed else NOTHING,
                "training (s)": seconds_text(cell.training_seconds),
                "search (s)": seconds_text(cell.search_seconds),
                "architecture": f"{found} ({count} of {n})",
                "computed": "recorded" if cell.recorded else "here",
            }
        )
    return rows
