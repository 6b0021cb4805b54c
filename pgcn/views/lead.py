"""The lead of PGCN: a table with shaded cells, a heat map over D' and label rate, and what it is made of.

One colour scale for all of them: blue where PGCN leads, orange where it trails, the same shade for as many points.
"""

from collections.abc import Callable, Sequence
from html import escape
from typing import Any

from pgcn.numbers import counted, signed
from pgcn.studies.difficulty import CONTENDERS, Place
from pgcn.studies.difficulty.origins import Origins
from pgcn.studies.difficulty.results import Cell, Results
from pgcn.studies.statistics import Spread
from pgcn.views.difficulty import AXES, STYLES, click_of, place_text

AHEAD, BEHIND = "#0072B2", "#D55E00"
LABEL = 8.0
"""Points of accuracy that the label of a bar is high."""


def largest_lead(results: Results, other: str) -> float:
    """Return the points at which colours are strongest: the largest lead or lag anywhere."""
    leads = [results.difference(place, "pgcn-ce", other) for place in results.places]
    return max((abs(lead.mean) for lead in leads if lead is not None), default=1.0) or 1.0


def lead_table(results: Results, places: Sequence[Place], other: str, axis: str = "dims", *, caption: str) -> str:
    """Return a table as HTML: a row for every place, PGCN beside the other method, their difference shaded.

    A difference whose interval includes zero is not shaded. Where there is no result, the row says so.
    """
    most = largest_lead(results, other)
    first = "Labelled" if axis == "rate" else "D'"
    titles = (first, CONTENDERS[other].label, "PGCN (CE)", "Difference")
    head = "".join(f"<th scope='col'>{escape(title)}</th>" for title in titles)
    rows = "".join(table_row(results, place, other, axis, most) for place in places)
    return (
        f"<table class='lead'><caption>{escape(caption)}</caption><thead><tr>{head}</tr></thead>"
        f"<tbody>{rows}</tbody></table>"
    )


def table_row(results: Results, place: Place, other: str, axis: str, most: float) -> str:
    ratio = f"{place.labels_per_dimension:.3g} labels per feature"
    where = f"{f'{place.rate:g} %' if axis == 'rate' else f'{place.dims:,}'}<small>{ratio}</small>"
    cells = [network_cell(results.cell(place, name)) for name in (other, "pgcn-ce")]
    return f"<tr><th scope='row'>{where}</th>{''.join(cells)}{lead_cell(results, place, other, most)}</tr>"


def network_cell(cell: Cell | None) -> str:
    """Return the accuracy and the size of a method at a place."""
    if cell is None:
        return "<td class='none'>–<small>no results yet</small></td>"
    source = "" if cell.recorded else "<small>computed here</small>"
    parameters = f"{cell.parameters.mean:,.0f} parameters"
    return f"<td>{cell.test.text()} %<small>{parameters}</small>{source}</td>"


def lead_cell(results: Results, place: Place, other: str, most: float) -> str:
    lead = results.difference(place, "pgcn-ce", other)
    if lead is None:
        return "<td class='none'>–</td>"
    kind = "" if not lead.is_clear else "ahead" if lead.mean > 0 else "behind"
    shade = f" style='--shade: {shade_of(lead, most):.0f}%'" if kind else ""
    about = lead.interval() or "one experiment"
    return f"<td class='{kind or 'level'}'{shade}><b>{signed(lead.mean)}</b><small>{about}</small></td>"


def shade_of(lead: Spread, most: float) -> float:
    """Return how strong a colour is, in %: never so strong that text on it is hard to read."""
    return 8 + 47 * min(1.0, abs(lead.mean) / most)


def waterfall_figure(origins: Origins) -> dict[str, Any]:
    """Return the way from GCN's accuracy to PGCN's, step by step; dots are experiments, hatched is not clear."""
    means = [sum(level) / len(level) for level in origins.levels]
    names = ["GCN", *(f"+ {name}" for name in origins.steps), "PGCN"]
    bars = [(0.0, means[0], STYLES["gcn"][0], "", f"{means[0]:.1f}", f"GCN: {means[0]:.1f} %")]
    for start, (name, step) in zip(means, origins.steps.items(), strict=False):
        colour = AHEAD if step.mean >= 0 else BEHIND
        about = f"{name}: {step.text(sign='+')} points<br>{interval_words(step)}"
        bars.append((start, step.mean, colour, "" if step.is_clear else "/", signed(step.mean), about))
    bars.append((0.0, means[-1], STYLES["pgcn-ce"][0], "", f"{means[-1]:.1f}", f"PGCN (CE): {means[-1]:.1f} %"))
    # The dots of a step are those of the network that it leads to; PGCN's own stand at the end.
    dots = [(name, value) for name, level in zip(names, origins.levels[:-1], strict=False) for value in level]
    dots += [(names[-1], value) for value in origins.levels[-1]]
    return {
        "data": [
            {
                "type": "bar",
                "x": names,
                "base": [start for start, *_ in bars],
                "y": [height for _, height, *_ in bars],
                "width": 0.62,
                "marker": {
                    "color": [colour for _, _, colour, *_ in bars],
                    "opacity": 0.75,
                    "pattern": {"shape": [shape for _, _, _, shape, *_ in bars], "solidity": 0.5},
                },
                "text": [text for *_, text, _ in bars],
                "textposition": "none",
                "hovertext": [about for *_, about in bars],
                "hovertemplate": "%{hovertext}<extra></extra>",
                "showlegend": False,
            },
            {
                "type": "scatter",
                "mode": "markers",
                "x": [name for name, _ in dots],
                "y": [value for _, value in dots],
                "marker": {
                    "size": 7,
                    "color": "rgba(255,255,255,0.85)",
                    "line": {"color": "#1B2733", "width": 1.2},
                },
                "hovertemplate": "%{y:.1f} %<extra>one experiment</extra>",
                "showlegend": False,
            },
        ],
        "layout": {
            "margin": {"l": 56, "r": 12, "t": 28, "b": 36},
            "xaxis": {"type": "category", "tickangle": 0},
            "yaxis": {"title": {"text": "Test accuracy (%)"}, "rangemode": "tozero"},
            "annotations": [
                {
                    "x": name,
                    "y": label_height(name, max(start, start + height), dots),
                    "text": f"<b>{text}</b>",
                    "showarrow": False,
                    "yanchor": "bottom",
                    "yshift": 5,
                }
                for name, (start, height, _, _, text, _) in zip(names, bars, strict=True)
            ],
        },
    }


def label_height(name: str, top: float, dots: Sequence[tuple[str, float]]) -> float:
    """Return where the label of a bar stands: on the bar, or on the dots that are as high as it would be."""
    for height in sorted(value for at, value in dots if at == name):
        if top < height < top + LABEL:
            top = height
    return top


def interval_words(spread: Spread) -> str:
    if spread.half_ci is None:
        return "one experiment"
    doubt = "" if spread.is_clear else ", no clear difference"
    return f"95 % CI {spread.interval()}{doubt}"


def heatmap_figure(results: Results, dataset: str, other: str) -> dict[str, Any]:
    """Return a heat map: D' to the right, label rate upwards, colour = PGCN minus other.

    Its colours mean the same on every data set.
    """
    method = "pgcn-ce"
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
    most = largest_lead(results, other)
    return {
        "data": [
            {
                "type": "heatmap",
                "x": [f"{d:,}" for d in dims],
                "y": [f"{r:g} %" for r in rates],
                "z": points,
                "text": grid(lambda place, spread: signed(spread.mean)),
                "texttemplate": "%{text}",
                "customdata": grid(lambda place, spread: click_of(place, method)),
                "hovertext": grid(
                    lambda place, spread: (
                        f"{CONTENDERS[method].label} minus {CONTENDERS[other].label}: {spread.text(sign='+')} "
                        f"points, {counted(spread.n, 'experiment')}<br>{place_text(place)}"
                    )
                ),
                "hovertemplate": "%{hovertext}<extra></extra>",
                "zmin": -most,
                "zmax": most,
                "colorscale": [[0, BEHIND], [0.5, "#F2F2F2"], [1, AHEAD]],
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
