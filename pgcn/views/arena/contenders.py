"""The contenders one below the other: their leads over one of them, their best runs, and all as rows of a table."""

from typing import Any

from pgcn.numbers import signed
from pgcn.studies.arena.contenders import ALL
from pgcn.studies.arena.paired import TEST, p_text
from pgcn.studies.arena.published import ROWS, published
from pgcn.studies.arena.question import ArenaPlace
from pgcn.studies.arena.results import ArenaResults
from pgcn.studies.arena.tables import NOTHING, seconds_text, steady
from pgcn.views.arena.styles import GREY, cell_text, label_of, origin, style_of
from pgcn.views.pages import plotly_text


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
    return row_figure(data, f"Points more than {name}", shapes=[zero])


def row_figure(data: list[dict[str, Any]], title: str, **layout: Any) -> dict[str, Any]:
    """Return a figure with a row for every method, the first at the top, and a title of its axis."""
    return {
        "data": data,
        "layout": {
            "margin": {"l": 12, "r": 12, "t": 12, "b": 52},
            "xaxis": {"title": {"text": title}},
            "yaxis": {"automargin": True, "autorange": "reversed", "type": "category"},
            "showlegend": False,
            "hovermode": "closest",
            **layout,
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
    return row_figure(data, "Test accuracy (%)")


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
