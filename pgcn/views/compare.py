"""Runs side by side: their curves over each other, and where their settings differ. Plain values."""

from collections.abc import Mapping, Sequence
from typing import Any

from pgcn.events import BlockAccepted, BlockJudged, Event, RunFinished

# Okabe and Ito's colours; dashes and symbols tell runs apart without them.
STYLES = [
    {"color": colour, "dash": dash, "symbol": symbol}
    for colour, dash, symbol in (
        ("#0072B2", "solid", "circle"),
        ("#D55E00", "dash", "square"),
        ("#009E73", "dot", "diamond"),
        ("#CC79A7", "dashdot", "triangle-up"),
        ("#E69F00", "longdash", "star"),
        ("#56B4E9", "solid", "x"),
    )
]
CURVES = {
    "validation accuracy (%)": lambda event: 100 * event.after.val_accuracy,
    "test accuracy (%)": lambda event: 100 * event.after.test_accuracy,
    "parameters": lambda event: event.parameters,
}
ENDS = {
    "validation accuracy (%)": lambda ended: ended.scores and 100 * ended.scores.val_accuracy,
    "test accuracy (%)": lambda ended: ended.scores and 100 * ended.scores.test_accuracy,
    "parameters": lambda ended: ended.parameters,
}


def comparison_figure(runs: Mapping[str, Sequence[Event]], what: str) -> dict[str, Any]:
    """Return one curve of ``CURVES`` for every run, by block tried; what does not grow is a level line."""
    longest = max((sum(isinstance(event, BlockJudged) for event in events) for events in runs.values()), default=1)
    data = []
    for number, (name, events) in enumerate(runs.items()):
        style = STYLES[number % len(STYLES)]
        judged = [(i, event) for i, event in enumerate(e for e in events if isinstance(e, BlockJudged))]
        kept = [(i + 1, CURVES[what](event)) for i, event in judged if isinstance(event, BlockAccepted)]
        if not judged and isinstance(events[-1], RunFinished) and ENDS[what](events[-1]) is not None:
            kept = [(at, ENDS[what](events[-1])) for at in (0.5, max(longest, 1) + 0.5)]
        data.append(
            {
                "type": "scatter",
                "mode": "lines+markers" if judged else "lines",
                "name": name,
                "x": [x for x, _ in kept],
                "y": [y for _, y in kept],
                "line": {"color": style["color"], "dash": style["dash"]},
                "marker": {"symbol": style["symbol"], "size": 8},
                "hovertemplate": f"{name}<br>block %{{x}}: %{{y:,.6~g}}<extra></extra>",
            }
        )
    return {
        "data": data,
        "layout": {
            "margin": {"l": 60, "r": 10, "t": 10, "b": 50},
            "xaxis": {"title": {"text": "block tried"}},
            "yaxis": {"title": {"text": what}, **({"rangemode": "tozero"} if what == "parameters" else {})},
            "showlegend": True,
            "legend": {"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0, "font": {"size": 11}},
        },
    }


def settings_table(configs: Mapping[str, Mapping[str, Any]]) -> tuple[list[dict[str, str]], set[str]]:
    """Return a row for every setting with its value in every run, and the names of those that differ."""
    names = list(dict.fromkeys(name for config in configs.values() for name in config))
    rows, different = [], set()
    for name in names:
        values = {run: as_text(config.get(name, "-")) for run, config in configs.items()}
        rows.append({"setting": name, **values})
        if len(set(values.values())) > 1:
            different.add(name)
    return rows, different


def as_text(value: Any) -> str:
    return "none" if value is None else str(value)
