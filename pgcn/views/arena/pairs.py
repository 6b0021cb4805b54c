"""Two contenders of the arena, pair by pair, and the nodes on which two of their networks disagree."""

from typing import Any

from pgcn.numbers import signed
from pgcn.studies.arena.disagreements import Disagreements
from pgcn.studies.arena.paired import DIGITS, Paired
from pgcn.views.arena.styles import GREY, style_of
from pgcn.views.pages import plotly_text

WON, TIED, LOST = "triangle-up", "circle-open", "triangle-down"


def pairs_figure(paired: Paired, one: str, other: str, chosen: int) -> dict[str, Any]:
    """Return the difference of every pair with the mean and its 95 % confidence interval; ``chosen`` is ringed.

    ``one`` and ``other`` are contenders. A mark carries the position of its pair.
    """
    mine, theirs = style_of(one)[0], style_of(other)[0]
    differences = [round(pair.difference, DIGITS) for pair in paired.pairs]
    places = [plotly_text(place_of(paired, number)) for number in range(len(paired.pairs))]
    colours = [mine if value > 0 else theirs if value < 0 else GREY for value in differences]
    stems = {
        "type": "bar",
        "x": places,
        "y": differences,
        "width": 0.08,
        "marker": {"color": colours},
        "hoverinfo": "skip",
    }
    marks = {
        "type": "scatter",
        "mode": "markers",
        "x": places,
        "y": differences,
        "marker": {
            "color": colours,
            "size": 12,
            "symbol": [WON if value > 0 else LOST if value < 0 else TIED for value in differences],
            "line": {"width": [3 if number == chosen else 0 for number in range(len(places))], "color": GREY},
        },
        "customdata": [[number] for number in range(len(places))],
        "text": [f"{place}: {signed(value)} points" for place, value in zip(places, differences, strict=True)],
        "hovertemplate": "%{text}<extra></extra>",
    }
    shapes = [level(paired.difference.mean, dash="solid"), level(0.0, dash="dot")]
    if paired.interval is not None:
        low, high = paired.interval
        band = {"type": "rect", "xref": "paper", "x0": 0, "x1": 1, "y0": low, "y1": high, "layer": "below"}
        shapes.append({**band, "fillcolor": GREY, "opacity": 0.22, "line": {"width": 0}})
    return {
        "data": [stems, marks],
        "layout": {
            "margin": {"l": 48, "r": 10, "t": 10, "b": 46},
            "xaxis": {"title": {"text": "seed" if same_split(paired) else "split · seed"}, "type": "category"},
            "yaxis": {"title": {"text": "Difference (points)"}},
            "shapes": shapes,
            "showlegend": False,
            "hovermode": "closest",
        },
    }


def level(value: float, *, dash: str) -> dict[str, Any]:
    line = {"color": GREY, "width": 1.5, "dash": dash}
    return {"type": "line", "xref": "paper", "x0": 0, "x1": 1, "y0": value, "y1": value, "line": line}


def same_split(paired: Paired) -> bool:
    return len({pair.split_seed for pair in paired.pairs}) == 1


def place_of(paired: Paired, number: int) -> str:
    """Return what tells a pair from the others."""
    pair = paired.pairs[number]
    return str(pair.seed) if same_split(paired) else f"{pair.split_seed} · {pair.seed}"


def disagreement_figure(found: Disagreements, one: str, other: str, titles: tuple[str, str]) -> dict[str, Any]:
    """Return what two networks make of the nodes as one bar; ``titles`` are those of the two contenders."""
    first, second = map(plotly_text, titles)
    parts = [
        ("both right", found.both_right, GREY, 0.45, ""),
        (f"only {first}", len(found.only_one), style_of(one)[0], 1.0, "/"),
        (f"only {second}", len(found.only_other), style_of(other)[0], 1.0, "\\"),
        ("both wrong", found.both_wrong, GREY, 0.8, "x"),
    ]
    return {
        "data": [
            {
                "type": "bar",
                "orientation": "h",
                "name": f"{name}: {count:,}",
                "x": [count],
                "y": [""],
                "marker": {"color": colour, "opacity": opacity, "pattern": {"shape": shape, "solidity": 0.25}},
                "hovertemplate": f"{name}: {count:,} of {found.total:,}<extra></extra>",
            }
            for name, count, colour, opacity, shape in parts
        ],
        "layout": {
            "barmode": "stack",
            "margin": {"l": 10, "r": 10, "t": 8, "b": 62},
            "xaxis": {"range": [0, found.total], "showticklabels": False, "showgrid": False},
            "yaxis": {"showticklabels": False},
            "legend": {"orientation": "h", "y": -0.1, "yanchor": "top", "x": 0, "traceorder": "normal"},
            "showlegend": True,
        },
    }
