"""Figures of predictions as plain values: reliability, and the neighbourhood that carried one."""

import math
from typing import Any

from pgcn.numbers import signed
from pgcn.predictions.calibration import Reliability
from pgcn.views.pages import plotly_text

FOR, AGAINST, NEUTRAL = "#0072B2", "#D55E00", "#8a94a0"
LONGEST = 24
"""Characters of a label in a figure."""


def reliability_figure(found: Reliability) -> dict[str, Any]:
    """Return how often predictions were right over how sure they were; on the dashed line both are the same.

    The area of a mark says how many nodes it stands for.
    """
    rows = [
        (sure, right, count)
        for sure, right, count in zip(found.confidence, found.accuracy, found.count, strict=True)
        if count
    ]
    most = max(count for *_, count in rows)
    percent = [[100 * float(value) for value in column] for column in list(zip(*rows, strict=True))[:2]]
    return {
        "data": [
            {
                "type": "scatter",
                "mode": "lines",
                "x": [0, 100],
                "y": [0, 100],
                "line": {"dash": "dash", "color": NEUTRAL},
                "hoverinfo": "skip",
            },
            {
                "type": "scatter",
                "mode": "lines+markers",
                "x": percent[0],
                "y": percent[1],
                "text": [f"{int(count):,} nodes" for *_, count in rows],
                "marker": {"color": FOR, "size": [5 + 13 * math.sqrt(count / most) for *_, count in rows]},
                "hovertemplate": "confidence %{x:.0f} %, accuracy %{y:.0f} %, %{text}<extra></extra>",
            },
        ],
        "layout": {
            "showlegend": False,
            "margin": {"l": 56, "r": 12, "t": 12, "b": 48},
            "xaxis": {"title": {"text": "Confidence (%)"}, "range": [0, 102]},
            "yaxis": {"title": {"text": "Accuracy (%)"}, "range": [0, 102]},
        },
    }


def neighbourhood_figure(facts: dict[str, Any]) -> dict[str, Any]:
    """Return a node and its neighbourhood: wide edges mattered most, blue ones spoke for the class."""
    places = layout(facts["nodes"])
    most = max((abs(edge["change"]) for edge in facts["edges"]), default=0.0) or 1.0
    lines = [
        {
            "type": "scatter",
            "mode": "lines",
            "x": [places[one][0] for one in edge["numbers"]],
            "y": [places[one][1] for one in edge["numbers"]],
            "line": {"color": colour(edge["change"], most), "width": 1 + 6 * abs(edge["change"]) / most},
            "hoverinfo": "skip",
        }
        for edge in facts["edges"]
    ]
    nodes = facts["nodes"]
    largest = max((abs(node["share"]) for node in nodes), default=0.0)
    dots = {
        "type": "scatter",
        "mode": "markers+text",
        "x": [places[node["number"]][0] for node in nodes],
        "y": [places[node["number"]][1] for node in nodes],
        "text": [plotly_text(node["node"][:LONGEST]) if node["hops"] < 2 else "" for node in nodes],
        "textposition": "top center",
        "hovertext": [
            f"{plotly_text(node['node'])}: {plotly_text(node['class'])}, share {signed(node['share'], 3)}"
            for node in nodes
        ],
        "hovertemplate": "%{hovertext}<extra></extra>",
        "marker": {
            "size": [22 if node["hops"] == 0 else 14 for node in nodes],
            "color": [colour(node["share"], largest) for node in nodes],
        },
    }
    axis = {"visible": False, "range": [-2.6, 2.6]}
    margin = {"l": 8, "r": 8, "t": 8, "b": 8}
    return {
        "data": [*lines, dots],
        "layout": {"showlegend": False, "margin": margin, "xaxis": axis, "yaxis": dict(axis)},
    }


def colour(value: float, most: float) -> str:
    """Return what a value speaks for; less than a hundredth of the largest speaks for nothing."""
    return NEUTRAL if abs(value) <= most / 100 else FOR if value > 0 else AGAINST


def layout(nodes: list[dict[str, Any]]) -> dict[int, tuple[float, float]]:
    """Return a place for each node: the explained one in the middle, the others on a ring for each hop."""
    places = {}
    for hops in (0, 1, 2):
        ring = [node["number"] for node in nodes if node["hops"] == hops]
        for number, node in enumerate(ring):
            angle = 2 * math.pi * (number + 0.5 * (hops == 2)) / len(ring)
            places[node] = (hops * 1.1 * math.cos(angle), hops * 1.1 * math.sin(angle))
    return places
