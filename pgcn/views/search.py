"""A search as plain values: what was tried, the best so far, what its controller prefers. No torch.

Everything is a function of the events, cut off after any architecture: a page scrubs through a search with it.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pgcn.events import Event, RunFinished, RunStarted, opening
from pgcn.methods.pgcn.events import BlockAccepted, BlockJudged
from pgcn.methods.search import PAPER_ARCHITECTURES
from pgcn.methods.search.events import ArchitectureJudged, ArchitectureProposed, FinalTrained
from pgcn.methods.search.space import SPACES, Space
from pgcn.views.arena.page import cost_axis
from pgcn.views.arena.styles import GREY
from pgcn.views.pages import plotly_text

TRIALS = [[0.0, "#9ECAE1"], [0.5, "#4A98C9"], [1.0, "#D55E00"]]
"""From the first architecture to the last; all of it shows on light and dark."""


@dataclass(frozen=True, kw_only=True)
class Search:
    """A search up to some architecture."""

    started: RunStarted
    judged: tuple[ArchitectureJudged, ...]
    proposed: ArchitectureProposed | None
    finals: tuple[FinalTrained, ...]
    finished: RunFinished | None
    tried: int
    """Architectures that were judged in all, also those after the cut."""

    @property
    def budget(self) -> int:
        return self.judged[-1].budget if self.judged else int(self.started.config.get("architectures", 0))

    @property
    def best(self) -> ArchitectureJudged | None:
        return next((event for event in reversed(self.judged) if event.best), None)

    @property
    def space(self) -> Space:
        return SPACES[self.started.config.get("space", self.started.method)]


def is_search(events: Sequence[Event]) -> bool:
    return bool(events) and opening(events).method in (*SPACES, "random")


def search_of(events: Sequence[Event], upto: int | None = None) -> Search:
    """Return what the events of a run say of its search; ``upto`` cuts it off after so many architectures."""
    judged = [event for event in events if isinstance(event, ArchitectureJudged)]
    shown = judged if upto is None else judged[:upto]
    whole = len(shown) == len(judged)
    proposed = [event for event in events if isinstance(event, ArchitectureProposed)]
    ended = [event for event in events if isinstance(event, RunFinished)]
    under_way = whole and proposed and len(proposed) > len(judged) and not ended
    return Search(
        started=opening(events),
        judged=tuple(shown),
        proposed=proposed[-1] if under_way else None,
        finals=tuple(event for event in events if isinstance(event, FinalTrained)) if whole else (),
        finished=ended[-1] if ended and whole else None,
        tried=len(judged),
    )


def budget_words(search: Search) -> str:
    """Return for example '12 of 30 architectures; the papers try 1,000'."""
    return f"{len(search.judged):,} of {search.budget:,} architectures; the papers try {PAPER_ARCHITECTURES:,}"


def tried_figure(search: Search) -> dict[str, Any]:
    """Return validation accuracy against parameters, a mark for every architecture, in order of trial by colour.

    Those that were the best so far are ringed. An architecture that diverged has no accuracy and is not drawn.
    """
    known = [event for event in search.judged if not event.diverged and math.isfinite(event.val_accuracy)]
    best = [event for event in known if event.best]
    layout: dict[str, Any] = {
        "margin": {"l": 48, "r": 10, "t": 10, "b": 46},
        "xaxis": {"title": {"text": "Parameters"}, "type": "log"},
        "yaxis": {"title": {"text": "Validation accuracy (%)"}},
        "showlegend": False,
        "hovermode": "closest",
    }
    if known:
        layout["xaxis"] |= cost_axis([event.parameters for event in known])
    return {
        "data": [
            {
                "type": "scatter",
                "mode": "markers",
                "ids": [str(event.number) for event in known],
                "x": [event.parameters for event in known],
                "y": [100 * event.val_accuracy for event in known],
                "text": [about(event) for event in known],
                "customdata": [[event.number] for event in known],
                "hovertemplate": "%{text}<extra></extra>",
                "marker": {
                    "size": 10,
                    "color": [event.number for event in known],
                    "colorscale": TRIALS,
                    "cmin": 1,
                    "cmax": max(2, search.budget),
                    "symbol": ["circle-open" if event.repeated else "circle" for event in known],
                    "colorbar": {"title": {"text": "trial"}, "thickness": 10, "len": 0.9, "outlinewidth": 0},
                },
            },
            {
                "type": "scatter",
                "mode": "markers",
                "x": [event.parameters for event in best],
                "y": [100 * event.val_accuracy for event in best],
                "hoverinfo": "skip",
                "marker": {
                    "size": [22 if event is best[-1] else 16 for event in best],
                    "symbol": "circle-open",
                    "color": GREY,
                    "line": {"width": [3 if event is best[-1] else 1.2 for event in best]},
                },
            },
        ],
        "layout": layout,
    }


def about(event: ArchitectureJudged) -> str:
    """Return what a mark says when one points at it."""
    how = ", tried before" if event.repeated else ""
    return (
        f"Trial {event.number}{how}: {100 * event.val_accuracy:.1f} % validation<br>{plotly_text(event.text)}<br>"
        f"{event.parameters:,} parameters, {event.seconds:.1f} s"
    )


@dataclass(frozen=True, kw_only=True)
class Curve:
    """The best validation accuracy so far (%) after each of some trials, with the seconds of training up to it."""

    seconds: tuple[float, ...]
    best: tuple[float, ...]
    trials: int


def curve_of(events: Sequence[Event], upto: int | None = None) -> Curve:
    """Return the best so far of a search, or of PGCN's growth, where a trial is a block that must be accepted."""
    reached: list[tuple[float, float]] = []
    if is_search(events):
        reached = [(event.seconds, 100 * event.val_accuracy) for event in search_of(events, upto).judged]
    else:
        for event in events:
            if isinstance(event, BlockJudged):
                accepted = isinstance(event, BlockAccepted)
                reached.append((event.seconds, 100 * event.after.val_accuracy if accepted else -math.inf))
    total, best = 0.0, -math.inf
    seconds, bests = [], []
    for spent, accuracy in reached:
        total += spent
        best = max(best, accuracy if math.isfinite(accuracy) else -math.inf)
        if math.isfinite(best):
            seconds.append(total)
            bests.append(best)
    return Curve(seconds=tuple(seconds), best=tuple(bests), trials=len(reached))


def clock_figure(curves: Mapping[str, tuple[Curve, str, str]], axis: str) -> dict[str, Any]:
    """Return the best so far of several runs over seconds of training or over trials.

    ``curves`` holds, by title, a curve with its colour and the dash of its line; of PGCN a block is a
    trial.
    """
    data, spent = [], []
    for title, (curve, colour, dash) in curves.items():
        if not curve.best:
            continue
        x = list(curve.seconds) if axis == "seconds" else list(range(1, len(curve.best) + 1))
        spent += x
        data.append(
            {
                "type": "scatter",
                "mode": "lines" if len(x) > 1 else "markers",
                "name": plotly_text(title),
                "x": x,
                "y": list(curve.best),
                "line": {"color": colour, "width": 2.5, "dash": dash, "shape": "hv"},
                "hovertemplate": f"{plotly_text(title)}: %{{y:.1f}} %<extra></extra>",
            }
        )
    words = "Seconds of training" if axis == "seconds" else "Architectures tried (blocks, of PGCN)"
    scale: dict[str, Any] = {"title": {"text": words}}
    if axis == "seconds" and spent and min(spent) > 0:
        scale |= {"type": "log", **cost_axis(spent)}
    return {
        "data": data,
        "layout": {
            "margin": {"l": 48, "r": 10, "t": 10, "b": 46},
            "xaxis": scale,
            "yaxis": {"title": {"text": "Best validation so far (%)"}},
            "legend": {"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0},
            "showlegend": True,
            "hovermode": "closest",
        },
    }
