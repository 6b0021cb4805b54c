"""Many runs at a glance: their accuracy and size, and which topologies they found."""

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Protocol

from pgcn.numbers import counted, known, percent, reported_on
from pgcn.studies.baseline import Baseline

if TYPE_CHECKING:
    from pgcn.store import StoredRun


class Waiting(Protocol):
    """A run that has not begun."""

    seed: int


# Okabe and Ito's colour-blind safe colours; symbols show the depth too.
COLOURS = ("#0072B2", "#009E73", "#D55E00", "#E69F00", "#56B4E9", "#8A94A0")
SYMBOLS = ("circle", "square", "diamond", "triangle-up", "star", "hexagon")
GCN = "#CC79A7"
SCORES = {"test": "test_accuracy", "validation": "val_accuracy"}
"""What a run's scores call the accuracy that is reported."""


def ended_well(runs: "Sequence[StoredRun]") -> "list[StoredRun]":
    return [run for run in runs if run.status == "finished" and run.scores]


def scatter_figure(runs: "Sequence[StoredRun]", baseline: Baseline | None) -> dict[str, Any]:
    """Return test accuracy against parameters, a marker for every run; validation accuracy without test nodes."""
    ended = ended_well(runs)
    growing = [run for run in runs if run.status == "running" and run.scores]
    name = reported_on(run.scores["test_accuracy"] for run in (*ended, *growing))

    def reached(run: "StoredRun") -> float:
        return 100 * run.scores[SCORES[name]]

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
                "y": [reached(run) for run in these],
                "text": [
                    f"seed {run.seed}<br>{topology_text(run)}<br>validation {percent(run.scores['val_accuracy'])}"
                    for run in these
                ],
                "hovertemplate": f"%{{text}}<br>{name} %{{y:.1f}} %<br>%{{x:,}} parameters<extra></extra>",
                "customdata": [run.id for run in these],
                "marker": {"size": 11, "color": COLOURS[style], "symbol": SYMBOLS[style], "opacity": 0.85},
            }
        )
    if growing:
        data.append(
            {
                "type": "scatter",
                "mode": "markers",
                "name": "still growing",
                "x": [run.parameters for run in growing],
                "y": [reached(run) for run in growing],
                "text": [f"seed {run.seed}<br>{topology_text(run)} so far" for run in growing],
                "hovertemplate": "%{text}<extra></extra>",
                "marker": {"size": 10, "symbol": "circle-open", "color": "#8A94A0"},
            }
        )
    if baseline is not None:
        mean, sd = baseline.accuracy
        data.append(
            {
                "type": "scatter",
                "mode": "markers",
                "name": f"GCN baseline, mean ± sd of {baseline.seeds} seeds",
                "x": [baseline.parameters],
                "y": [100 * mean],
                "error_y": {"type": "data", "array": [100 * sd], "color": GCN},
                "marker": {"size": 14, "symbol": "cross", "color": GCN},
                "hovertemplate": f"GCN baseline: {name} %{{y:.1f}} %<br>%{{x:,}} parameters<extra></extra>",
            }
        )
    return {
        "data": data,
        "layout": {
            "margin": {"l": 60, "r": 10, "t": 10, "b": 50},
            "xaxis": {"title": {"text": "parameters"}, "rangemode": "tozero", "showticklabels": bool(data)},
            "yaxis": {"title": {"text": f"{name} accuracy (%)"}},
            "legend": {"orientation": "h", "y": 1.02, "yanchor": "bottom", "x": 0},
            "showlegend": True,
            "annotations": said(data),
        },
    }


def said(marks: Sequence[Any]) -> list[dict[str, Any]]:
    """Return what an empty chart says."""
    middle = {"x": 0.5, "y": 0.5, "xref": "paper", "yref": "paper", "showarrow": False}
    return [] if marks else [{"text": "No run has ended yet", **middle}]


def topology_figure(runs: "Sequence[StoredRun]") -> dict[str, Any]:
    """Return how often each topology was found."""
    counts = Counter(topology_text(run) for run in ended_well(runs)).most_common()[::-1]
    most = max((number for _, number in counts), default=1)
    return {
        "data": [
            {
                "type": "bar",
                "orientation": "h",
                "x": [number for _, number in counts],
                "y": [name for name, _ in counts],
                "marker": {"color": COLOURS[0]},
                "text": [counted(number, "run") for _, number in counts],
                "hovertemplate": "%{y}: %{text}<extra></extra>",
                "textposition": "none",
                "width": min(0.8, 0.16 * len(counts)),
            }
        ],
        "layout": {
            "margin": {"l": 60, "r": 10, "t": 10, "b": 50},
            "xaxis": {
                "title": {"text": "runs"},
                "range": [0, 1.05 * most],
                "dtick": max(1, most // 5),
                "showticklabels": bool(counts),
            },
            "annotations": said(counts),
            "yaxis": {"title": {"text": "neurons per hidden layer"}, "type": "category"},
        },
    }


def topology_text(run: "StoredRun") -> str:
    """Return for example '10 → 20'; a network may also be without a hidden layer."""
    return " → ".join(map(str, run.topology)) or ("no network" if run.step is None else "no hidden layer")


def batch_rows(
    runs: "Sequence[StoredRun]", waiting: "Sequence[Waiting]" = (), *, perturbed: bool = False
) -> tuple[list[dict[str, Any]], list[str]]:
    """Return the table of a batch, and the id of the run in each row that can be opened, "" for others.

    Rows stay in their order as runs begin and end, those that wait among them.
    """
    ended = ended_well(runs)
    best = max(ended, key=lambda run: (run.scores["val_accuracy"], -run.parameters), default=None)
    rows = [(run.seed, row_of(run, best=run is best), run.id * (run.status != "running")) for run in runs]
    rows += [(run.seed, {**dict.fromkeys(COLUMNS), "state": "waiting"}, "") for run in waiting]
    if perturbed:  # all of one seed: their order tells them apart
        numbered = [({"run": number, **row}, run) for number, (_, row, run) in enumerate(rows, start=1)]
    else:
        numbered = [({"seed": seed, **row}, run) for seed, row, run in sorted(rows, key=lambda row: row[0])]
    return [row for row, _ in numbered], [run for _, run in numbered]


def row_of(run: "StoredRun", *, best: bool) -> dict[str, Any]:
    """Return what the table of a batch says of a run that has begun."""
    scores = run.scores or {}
    return {
        "topology": topology_text(run) if run.topology else None,
        "parameters": run.parameters or None,
        "validation (%)": share(scores.get("val_accuracy")),
        "test (%)": share(scores.get("test_accuracy")),
        "seconds": None if run.status == "running" else round(run.seconds, 1),
        "state": "best on validation" if best else STATES.get(run.status, run.status),
    }


COLUMNS = ("topology", "parameters", "validation (%)", "test (%)", "seconds", "state")
STATES = {"running": "growing"}


def share(value: float | None) -> float | None:
    return None if known(value) is None else round(100 * value, 1)


def seeds_text(seeds: Sequence[int]) -> str:
    """Return for example 'seeds 0 to 19'; the number of seeds where some between are missing."""
    ordered = sorted(set(seeds))
    first, last = ordered[0], ordered[-1]
    if first == last:
        return f"seed {first}"
    if last - first == len(ordered) - 1:
        return f"seeds {first} to {last}"
    return f"{len(ordered)} of the seeds {first} to {last}"
