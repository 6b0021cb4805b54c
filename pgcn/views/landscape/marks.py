"""What the marks of a landscape share: their colours, and that each carries the place it stands for."""

from collections.abc import Sequence
from typing import Any

INK, ACCEPTED, REJECTED, RING, SQUARE = "#1c2733", "#7a2e00", "#b3261e", "#101820", "#ffffff"


def points_trace(marks: Sequence[tuple[float, float, str, Any] | None]) -> dict[str, Any]:
    """Return what all marks of a trace have; None is a gap in its line."""
    columns = list(zip(*(mark or (None, None, "", None) for mark in marks), strict=True)) or [[]] * 4
    x, y, text, customdata = map(list, columns)
    return {
        "type": "scatter",
        "x": x,
        "y": y,
        "text": text,
        "customdata": customdata,
        "hovertemplate": "%{text}<extra></extra>",
    }
