"""Many runs at a glance: where they end in accuracy and size, and which topologies they find. Plain values."""

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from pgcn.studies.baseline import Baseline

if TYPE_CHECKING:
    from pgcn.store import StoredRun

# Okabe and Ito's colours, which colour-blind people can tell apart; depth also shows by the symbol.
COLOURS = ("#0072B2", "#009E73", "#D55E00", "#E69F00", "#56B4E9", "#8A94A0")
SYMBOLS = ("circle", "square", "diamond", "triangle-up", "star", "hexagon")
GCN = "#CC79A7"


def ended_well(runs: "Sequence[StoredRun]") -> "list[StoredRun]":
    return [run for run in runs if run.status == "finished" and run.scores]


def scatter_figure(runs: "Sequence[StoredRun]", baseline: Baseline | None) -> dict[str, Any]:
    """Return test accuracy against parameters, a mark for every run."""
    ended = ended_well(runs)
    data: list[dict[str, Any]] = []
    for depth in sorted({len(run.topology) for run in ended}):
        these = [run for run in ended if len(run.topology) == depth]
        style = min(depth, len(COLOURS)) - 1
        data.append(
            {
                "type": "scatter",
                "mode": "markers",
                "name": f"{depth} hidden layer{'s' * (depth != 1)}",
                "x": [run.parameters for run in these],
                "y": [100 * run.scores["test_accuracy"] for run in these],
                "text": [
                    f"seed {run.seed}<br>{topology_text(run)}<br>"
                    f"validation {100 * run.scores['val_accuracy']:.1f} %"
                    for run in these
                ],
                "hovertemplate": "%{text}<br>test %{y:.1f} %<br>%{x:,} parameters<extra></extra>",
                "marker": {"size": 11, "color": COLOURS[style], "symbol": SYMBOLS[style], "opacity": 0.85},
            }
        )
    growing = [run for run in runs if run.status == "running" and run.scores]
    if growing:
        data.append(
            {
                "type": "scatter",
                "mode": "markers",
                "name": "still growing",
                "x": [run.parameters for run in growing],
                "y": [100 * run.scores["test_accuracy"] for run in growing],
                "text": [f"seed {run.seed}<br>{topology_text(run)} so far" for run in growing],
                "hovertemplate": "%{text}<extra></extra>",
                "marker": {"size": 10, "symbol": "circle-open", "color": "#8A94A0"},
            }
        )
    if baseline is not None:
        data.append(
            {
                "type": "scatter",
                "mode": "markers",
                "name": f"GCN-16, mean ± sd of {baseline.seeds} seeds",
                "x": [baseline.parameters],
                "y": [100 * baseline.test],
                "error_y": {"type": "data", "array": [100 * baseline.test_sd], "color": GCN},
                "marker": {"size": 14, "symbol": "cross", "color": GCN},
                "hovertemplate": "GCN-16: test %{y:.1f} %<br>%{x:,} parameters<extra></extra>",
            }
        )
    return {
        "data": data,
        "layout": {
            "margin": {"l": 60, "r": 10, "t": 10, "b": 50},
            "xaxis": {"title": {"text": "parameters"}, "rangemode": "tozero"},
            "yaxis": {"title": {"text": "test accuracy (%)"}},
            "legend": {"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0},
            "showlegend": True,
        },
    }


def topology_figure(runs: "Sequence[StoredRun]") -> dict[str, Any]:
    """Return how often each topology was found."""
    counts = Counter(topology_text(run) for run in ended_well(runs)).most_common()[::-1]
    return {
        "data": [
            {
                "type": "bar",
                "orientation": "h",
                "x": [count for _, count in counts],
                "y": [name for name, _ in counts],
                "marker": {"color": COLOURS[0]},
                "hovertemplate": "%{y}: %{x} of the runs<extra></extra>",
            }
        ],
        "layout": {
            "margin": {"l": 60, "r": 10, "t": 10, "b": 50},
            "xaxis": {
                "title": {"text": "runs that found it"},
                "dtick": max(1, max((c for _, c in counts), default=1) // 5),
            },
            "yaxis": {"title": {"text": "neurons per hidden layer"}, "type": "category"},
        },
    }


def topology_text(run: "StoredRun") -> str:
    return " → ".join(map(str, run.topology)) or "nothing"
