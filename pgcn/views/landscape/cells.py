"""The map under the paths: what the points of the grid reached, and lines of equal parameters."""

import math
from collections.abc import Sequence
from typing import Any

from pgcn.studies.landscape.paths import equal_width
from pgcn.studies.landscape.question import GCN, Point
from pgcn.studies.landscape.results import GCN_PLACE, Cell, LandscapeResults
from pgcn.views.landscape.marks import INK, RING, SQUARE, points_trace
from pgcn.views.landscape.places import cell_text

DEPTH_OF_COLOUR = 15.0
"""Points below the best at which colours end: deep, narrow networks fail by far more, and would hide the rest."""
SCALE = [[0, "#f4f8fc"], [0.5, "#b3d1e8"], [1, "#4f94c4"]]
NUMBERS = -0.39
"""Where in a cell its number stands: at its lower edge, over the paths that cross it."""
GLOW = ", ".join(["0 0 2px #ffffff"] * 4)
"""Around a number, so that lines below it leave it readable."""


def heat_map(results: LandscapeResults, measure: str) -> dict[str, Any]:
    grid = results.landscape

    def cells(value) -> list[list[Any]]:
        return [
            [value(point, results.cells[point]) if point in results.cells else None for point in row]
            for row in ([Point(depth, width) for width in grid.widths] for depth in grid.depths)
        ]

    z = cells(lambda point, cell: mean_of(cell, measure))
    known = [value for row in z for value in row if value is not None]
    most = max(known, default=100.0)
    least = max(min(known, default=0.0), most - DEPTH_OF_COLOUR)
    return {
        "type": "heatmap",
        "uid": "map",
        "x": [math.log2(width) for width in grid.widths],
        "y": list(grid.depths),
        "z": z,
        "zmin": min(least, most - 1),
        "zmax": most,
        "colorscale": SCALE,
        "colorbar": {"title": {"text": "%"}, "thickness": 10, "len": 0.9, "outlinewidth": 0, "xpad": 4},
        "xgap": 2,
        "ygap": 2,
        "customdata": cells(lambda point, cell: [point.depth, point.width]),
        "text": cells(lambda point, cell: cell_text(results, point, cell)),
        "hovertemplate": "%{text}<extra></extra>",
        "hoverongaps": False,
        "showlegend": False,
    }


def mean_of(cell: Cell, measure: str) -> float | None:
    mean = (cell.test if measure == "test" else cell.val).mean
    return None if math.isnan(mean) else mean


def numbers(results: LandscapeResults, measure: str) -> dict[str, Any]:
    """Return the mean of every point, written into its cell."""
    known = [(point, mean) for point in results.points if (mean := mean_of(results.cells[point], measure))]
    return {
        "type": "scatter",
        "uid": "numbers",
        "mode": "text",
        "x": [math.log2(point.width) for point, _ in known],
        "y": [point.depth + NUMBERS for point, _ in known],
        "text": [f"{mean:.1f}" for _, mean in known],
        "textfont": {"color": INK, "size": 13, "shadow": GLOW},
        "hoverinfo": "skip",
        "showlegend": False,
    }


def contours(
    results: LandscapeResults, widths: tuple[float, float], depths: tuple[float, float]
) -> list[dict[str, Any]]:
    """Return lines along which networks have equally many parameters, and their numbers at the upper end."""
    facts, bias = results.landscape.facts, results.landscape.growth.bias
    steps = [depths[0] + step * (depths[1] - depths[0]) / 24 for step in range(25)]
    xs: list[float | None] = []
    ys: list[float | None] = []
    names: list[tuple[float, float, str]] = []
    for parameters in (digit * 10**power for power in range(2, 9) for digit in (1, 3)):
        line = []
        for depth in steps:
            width = equal_width(parameters, depth, facts.features, facts.classes, bias=bias)
            if width > 0 and widths[0] <= math.log2(width) <= widths[1]:
                line.append((math.log2(width), depth))
        if len(line) > len(steps) // 2:
            xs += [x for x, _ in line] + [None]
            ys += [y for _, y in line] + [None]
            names.append((*line[-1], f"{parameters:,}"))
    shared = {"type": "scatter", "hoverinfo": "skip", "legendgroup": "parameters"}
    lines = {"uid": "parameters", "mode": "lines", "x": xs, "y": ys, "name": "equal parameters"}
    lines |= {"line": {"color": "#6b7683", "width": 1, "dash": "dot"}}
    texts = {
        "uid": "parameters-numbers",
        "mode": "text",
        "x": [x for x, _, _ in names],
        "y": [y for _, y, _ in names],
        "text": [text for _, _, text in names],
        "textposition": ["bottom left" if x > widths[1] - 0.7 else "bottom right" for x, _, _ in names],
        "textfont": {"color": "#3d4752", "size": 11},
        "showlegend": False,
    }
    return [shared | lines, shared | texts] if names else []


def gcn_mark(results: LandscapeResults) -> list[dict[str, Any]]:
    if results.gcn is None:
        return []
    depth, width = GCN_PLACE
    mark = (math.log2(width), depth + 0.36, cell_text(results, GCN, results.gcn), [GCN, 0])
    style = {"symbol": "square", "size": 12, "color": SQUARE, "line": {"color": RING, "width": 2}}
    return [points_trace([mark]) | {"uid": "gcn", "mode": "markers", "name": "GCN", "marker": style}]


def best_mark(results: LandscapeResults) -> list[dict[str, Any]]:
    best = results.best
    if best is None:
        return []
    text = f"best by validation<br>{cell_text(results, best, results.cells[best])}"
    mark = (math.log2(best.width), best.depth + 0.3, text, [best.depth, best.width])
    style = {"symbol": "star", "size": 16, "color": SQUARE, "line": {"color": RING, "width": 1.5}}
    return [
        points_trace([mark]) | {"uid": "best", "mode": "markers", "name": "best by validation", "marker": style}
    ]


def frame_of(results: LandscapeResults, chosen: Any) -> list[dict[str, Any]]:
    """Return a frame around the cell that is looked at: dark with a white line in it, seen on any ground."""
    if not isinstance(chosen, Point) or chosen not in results.landscape.points:
        return []
    (left, right), (bottom, top) = (
        edges(values, value)
        for values, value in (
            ([math.log2(width) for width in results.landscape.widths], math.log2(chosen.width)),
            (list(map(float, results.landscape.depths)), float(chosen.depth)),
        )
    )
    cell = {"type": "rect", "x0": left, "x1": right, "y0": bottom, "y1": top}
    return [cell | {"line": {"color": color, "width": width}} for color, width in ((RING, 5), (SQUARE, 1.5))]


def edges(values: Sequence[float], value: float) -> tuple[float, float]:
    """Return where the cell of a value begins and ends, half way to its neighbours as Plotly draws it."""
    at = values.index(value)
    before = value - values[at - 1] if at else None
    after = values[at + 1] - value if at + 1 < len(values) else None
    before, after = before or after or 1.0, after or before or 1.0
    return value - before / 2, value + after / 2
