"""One run in training: its losses, or the decisions of its growth."""

from collections.abc import Sequence
from typing import Any

from pgcn.events import EpochsTrained, Event
from pgcn.methods.pgcn.events import BlockAccepted, BlockJudged
from pgcn.numbers import known
from pgcn.views.event_log import frames_of
from pgcn.views.replay import thinned

LOSSES = {"loss": ("training loss", "#0072B2", "solid"), "val_loss": ("validation loss", "#D55E00", "dash")}


def training_figure(events: Sequence[Event]) -> dict[str, Any]:
    """Return the losses of a network of fixed topology over epochs."""
    trained = thinned([event for event in events if isinstance(event, EpochsTrained)])
    data = []
    for name, (title, colour, dash) in LOSSES.items():
        points = [(event.epoch, known(getattr(event, name))) for event in trained]
        if all(value is None for _, value in points):
            continue
        data.append(
            {
                "type": "scatter",
                "mode": "lines",
                "name": title,
                "x": [epoch for epoch, _ in points],
                "y": [value for _, value in points],
                "line": {"color": colour, "width": 2, "dash": dash},
                "hovertemplate": "epoch %{x}: %{y:.3f}<extra></extra>",
            }
        )
    return figure(data, "Epoch", "Loss")


def growth_figure(events: Sequence[Event]) -> dict[str, Any]:
    """Return the validation accuracy of every block that was tried: accepted ones filled, rejected ones crossed."""
    judged = [event for event in events if isinstance(event, BlockJudged)]
    data = []
    for title, wanted, symbol, colour in (
        ("accepted", True, "circle", "#0072B2"),
        ("rejected", False, "x", "#D55E00"),
    ):
        points = [(n, e) for n, e in enumerate(judged, 1) if isinstance(e, BlockAccepted) == wanted]
        data.append(
            {
                "type": "scatter",
                "mode": "markers",
                "name": title,
                "x": [number for number, _ in points],
                "y": [100 * event.after.val_accuracy for _, event in points],
                "text": [f"layer {event.layer}, block {event.block}" for _, event in points],
                "marker": {"symbol": symbol, "color": colour, "size": 10},
                "hovertemplate": "%{text}: %{y:.1f} %<extra></extra>",
            }
        )
    return figure(data if judged else [], "Block", "Validation accuracy (%)")


def figure(data: list[dict[str, Any]], across: str, up: str) -> dict[str, Any]:
    return {
        "data": data,
        "layout": {
            "margin": {"l": 48, "r": 10, "t": 10, "b": 46},
            "xaxis": {"title": {"text": across}, "rangemode": "tozero", "showticklabels": bool(data)},
            "yaxis": {"title": {"text": up}},
            "legend": {"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0},
            "showlegend": True,
            "hovermode": "closest",
        },
    }


def growth_lines(events: Sequence[Event], most: int = 4) -> list[str]:
    """Return the last decisions of growth as rows of the event log, the newest first."""
    if not events:
        return []
    decided = [frame.short for frame in frames_of(events) if frame.kind in ("accepted", "rejected", "layer")]
    return decided[: -most - 1 : -1]
