"""The landscape as a Plotly chart: a heat map of accuracy over width and depth, and the paths of growth over it.

Every mark carries the place it stands for, so that a page can answer a click. Widths are drawn on a logarithmic
scale; a grown topology lies where equal layers have as many parameters (:mod:`pgcn.studies.landscape.paths`). The
colours lie on the cells, which are the same on a light and on a dark page, and are in no palette that is themed.
"""

import math
from typing import Any

from pgcn.studies.landscape.results import GCN_PLACE, LandscapeResults
from pgcn.views.landscape.cells import best_mark, contours, frame_of, gcn_mark, heat_map, numbers
from pgcn.views.landscape.marks import INK
from pgcn.views.landscape.paths import accepted_steps, chosen_path, ends, rejected_steps

MEASURES = {"val": "validation accuracy", "test": "test accuracy"}
LEGEND = {"font": {"size": 13, "color": INK}, "bgcolor": "#e9f1f8"}
"""As light as the cells, also on a dark page: so its lines are seen as they are on them."""


def landscape_figure(
    results: LandscapeResults, measure: str = "val", *, rejected: bool = True, chosen: Any = None
) -> dict[str, Any]:
    """Return the map; ``chosen`` is a place, or a place and a seed, and is drawn with more weight.

    Width to the right, depth upwards, colour = mean accuracy; contours of equal parameters.
    """
    grid, grown = results.landscape, results.grown
    runs = [one for one in grown.outcomes if one.steps] if grown else []
    spots = [results.coordinates(step.topology, step.parameters) for one in runs for step in one.steps]
    depths = [*grid.depths, *(depth for depth, _ in spots), *([1] if results.gcn else [])]
    widths = [*grid.widths, *(width for _, width in spots), *([GCN_PLACE[1]] if results.gcn else [])]
    low, high = math.log2(max(1e-3, min(widths))) - 0.5, math.log2(max(widths)) + 0.5
    bottom, top = min(depths) - 0.5, max(depths) + 0.5
    data = [heat_map(results, measure), *contours(results, (low, high), (bottom, top))]
    if rejected:
        data += [rejected_steps(results, runs)]
    data += [accepted_steps(results, runs), *chosen_path(results, runs, chosen), ends(results, runs)]
    data += [numbers(results, measure), *gcn_mark(results), *best_mark(results)]
    layout = {
        "margin": {"l": 56, "r": 8, "t": 48, "b": 52},
        "xaxis": {
            "title": {"text": "neurons of each hidden layer"},
            "tickvals": [math.log2(width) for width in grid.widths],
            "ticktext": [str(width) for width in grid.widths],
            "range": [low, high],
            "showgrid": False,
        },
        "yaxis": {
            "title": {"text": "hidden layers"},
            "tickvals": list(range(math.ceil(bottom), math.floor(top) + 1)),
            "range": [bottom, top],
            "showgrid": False,
        },
        "showlegend": True,
        "legend": {"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0} | LEGEND,
        "hovermode": "closest",
        "shapes": frame_of(results, chosen),
    }
    return {"data": [trace for trace in data if trace], "layout": layout}
