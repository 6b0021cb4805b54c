"""A sweep as Plotly figures and rows of tables. A mark of a run carries its id, so that a page can open it."""

from collections.abc import Sequence
from typing import Any

from pgcn.studies.sweep.effects import Effect
from pgcn.studies.sweep.grid import point_text, value_text
from pgcn.studies.sweep.outcomes import SweepOutcome
from pgcn.studies.sweep.results import Quartiles, SweepResults, topology_text
from pgcn.views.pages import plotly_text

# As of PGCN with either loss in the arena; the best run, the mean and the paper stand out from both.
TEST, VAL, BEST, GREY = "#0072B2", "#56B4E9", "#D55E00", "#8A94A0"
AXES = {"val": "Validation accuracy (%)", "test": "Test accuracy (%)"}
EFFECT_COLUMNS = {
    "value": "value",
    "n": "n",
    "val": "validation (%)",
    "test": "test (%)",
    "val_share": "eta² validation",
    "test_share": "eta² test",
    "chance": "by chance",
}
NOTHING = "–"


def run_text(outcome: SweepOutcome) -> str:
    """Return what a mark says of its run when one points at it."""
    return (
        f"{100 * outcome.test_accuracy:.1f} % test, {100 * outcome.val_accuracy:.1f} % validation<br>"
        f"{topology_text(outcome.topology)}, {outcome.parameters:,} parameters<br>"
        f"{plotly_text(point_text(outcome.point))}, seed {outcome.seed}"
    )


def marks(outcomes: list[SweepOutcome], **how: Any) -> dict[str, Any]:
    """Return a mark for every run."""
    return {
        "type": "scatter",
        "mode": "markers",
        "customdata": [[one.run] for one in outcomes],
        "text": [run_text(one) for one in outcomes],
        "hovertemplate": "%{text}<extra></extra>",
        **how,
    }


def upright(x: float, text: str, colour: str, *, dash: str, height: float) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return a line over the whole height, and what stands beside it."""
    place = {"x": x, "yref": "paper", "y": height, "xanchor": "right", "xshift": -5, "showarrow": False}
    line = {"color": colour, "width": 2, "dash": dash}
    shape = {"type": "line", "x0": x, "x1": x, "yref": "paper", "y0": 0, "y1": 1, "line": line}
    return shape, {**place, "text": text, "font": {"color": colour, "size": 12}}


def distribution_figure(results: SweepResults) -> dict[str, Any]:
    """Return the distribution of test accuracy over all runs, with the best run by validation marked."""
    layout: dict[str, Any] = {
        "margin": {"l": 56, "r": 12, "t": 12, "b": 52},
        "xaxis": {"title": {"text": AXES["test"]}},
        "yaxis": {"title": {"text": "Runs"}},
        "showlegend": False,
        "bargap": 0.05,
    }
    if not results:
        return {"data": [], "layout": layout}
    test, best = results.test_accuracies, results.best[0]
    lines = [
        upright(results.test.mean, f"mean {results.test.mean:.1f}", GREY, dash="dot", height=0.98),
        upright(
            100 * best.test_accuracy,
            f"best by validation {100 * best.test_accuracy:.1f}",
            BEST,
            dash="solid",
            height=0.9,
        ),
    ]
    if results.published:
        accuracy = results.published.accuracy
        lines.append(upright(accuracy, f"published {accuracy:.1f}", "#7A6FD0", dash="dash", height=0.82))
    histogram = {
        "type": "histogram",
        "x": test,
        "xbins": {"size": bin_width(Quartiles.of(test))},
        "marker": {"color": TEST},
        "hovertemplate": "%{x} %: %{y} runs<extra></extra>",
    }
    shapes, annotations = ([pair[part] for pair in lines] for part in (0, 1))
    layout["xaxis"] |= shown_accuracies(test, [shape["x0"] for shape in shapes])
    return {"data": [histogram], "layout": {**layout, "shapes": shapes, "annotations": annotations}}


def bin_width(quartiles: Quartiles) -> float:
    """Return a round width that gives about eight bars to the middle half of the runs."""
    across = (quartiles.upper - quartiles.lower) / 8
    return next((width for width in (0.1, 0.2, 0.5, 1.0, 2.0) if width >= across), 5.0)


def shown_accuracies(test: list[float], marked: list[float]) -> dict[str, Any]:
    """Return an axis of test accuracy on which the few runs that learned nothing do not squeeze all others.

    It begins five interquartile ranges below the middle half, and its title says how many runs are beyond.
    """
    quartiles = Quartiles.of(test)
    low = max(quartiles.least, quartiles.lower - 5 * (quartiles.upper - quartiles.lower))
    low, high = min(low, *marked), max(quartiles.most, *marked)
    beyond = sum(value < low for value in test)
    left = f"; {beyond} run{'s' * (beyond != 1)} further left" if beyond else ""
    air = 0.03 * (high - low) or 1.0
    return {"range": [low - air, high + air], "title": {"text": AXES["test"] + left}}


def scatter_figure(results: SweepResults) -> dict[str, Any]:
    """Return validation against test accuracy of every run: what choosing by validation is worth."""
    best = list(results.best[:1]) if results else []
    data = [
        marks(
            results.measured,
            name="runs",
            x=results.val_accuracies,
            y=results.test_accuracies,
            marker={"color": TEST, "size": 5, "opacity": 0.45},
        ),
        marks(
            best,
            name="best by validation",
            x=[100 * one.val_accuracy for one in best],
            y=[100 * one.test_accuracy for one in best],
            marker={"color": BEST, "size": 13, "symbol": "star"},
        ),
    ]
    return {
        "data": data if results else [],
        "layout": {
            "margin": {"l": 60, "r": 12, "t": 12, "b": 52},
            "xaxis": {"title": {"text": AXES["val"]}},
            "yaxis": {"title": {"text": AXES["test"]}},
            "showlegend": False,
            "hovermode": "closest",
        },
    }


def effects_figure(results: SweepResults) -> dict[str, Any]:
    """Return a small dot plot for every setting, side by side: the mean at each value, with its 95 % CI."""
    layout: dict[str, Any] = {
        "margin": {"l": 56, "r": 12, "t": 44, "b": 52},
        "yaxis": {"title": {"text": "Mean accuracy (%)"}, **shown_range(results.effects)},
        "legend": {"orientation": "h", "y": 1.02, "yanchor": "bottom"},
        "showlegend": True,
        "scattermode": "group",
        "scattergap": 0.7,
    }
    data: list[dict[str, Any]] = []
    number = len(results.effects)
    for place, effect in enumerate(results.effects):
        axis = f"x{place + 1}" if place else "x"
        layout[axis.replace("x", "xaxis")] = {
            "domain": [(place + 0.04) / number, (place + 0.96) / number],
            "title": {"text": plotly_text(effect.setting)},
            "type": "category",
        }
        data += [effect_trace(effect, measure, axis, named=not place) for measure in ("val", "test")]
    return {"data": data, "layout": layout}


def shown_range(effects: Sequence[Effect]) -> dict[str, Any]:
    """Return the range of an axis that holds all means and intervals: marks side by side would begin it at 0."""
    spreads = [spread for effect in effects for level in effect.levels for spread in (level.val, level.test)]
    if not spreads:
        return {}
    low = min(spread.mean - (spread.half_ci or 0) for spread in spreads)
    high = max(spread.mean + (spread.half_ci or 0) for spread in spreads)
    air = 0.06 * (high - low) or 1.0
    return {"range": [low - air, high + air]}


def effect_trace(effect: Effect, measure: str, axis: str, *, named: bool) -> dict[str, Any]:
    """Return the means of one accuracy over the values of a setting."""
    spreads = [getattr(level, measure) for level in effect.levels]
    colour, symbol = (TEST, "circle") if measure == "test" else (VAL, "diamond")
    share = 100 * getattr(effect, f"{measure}_share")
    return {
        "type": "scatter",
        "mode": "lines+markers",
        "name": AXES[measure].removesuffix(" (%)"),
        "legendgroup": measure,
        "offsetgroup": measure,
        "showlegend": named,
        "xaxis": axis,
        "x": [value_text(level.value) for level in effect.levels],
        "y": [spread.mean for spread in spreads],
        "error_y": {
            "type": "data",
            "array": [spread.half_ci or 0 for spread in spreads],
            "color": colour,
            "width": 3,
        },
        "line": {"color": colour, "width": 1, "dash": "dot"},
        "marker": {"color": colour, "symbol": symbol, "size": 9},
        "text": [
            f"{plotly_text(effect.setting)} = {value_text(level.value)}: {spread.text()} %, {spread.n} runs<br>"
            f"the setting explains {share:.1f} % of the variance"
            for level, spread in zip(effect.levels, spreads, strict=True)
        ],
        "hovertemplate": "%{text}<extra></extra>",
    }


def best_of_rows(results: SweepResults) -> list[dict[str, str]]:
    """Return what to expect on test nodes of the best of n runs by validation."""
    rows = []
    for n in results.best_of_counts:
        best = results.best_of(n)
        rows.append({"n": f"{n:,}", "test (%)": f"{best.mean:.1f}", "sd": f"{best.sd:.1f}"})
    return rows


def effect_rows(results: SweepResults) -> list[dict[str, str]]:
    """Return a row for every value of every setting, then what the settings leave of the variance."""

    def row(setting: str, **cells: str) -> dict[str, str]:
        return {"setting": setting, **{title: cells.get(name, "") for name, title in EFFECT_COLUMNS.items()}}

    rows = []
    for effect in results.effects:
        shares = {name: share_text(getattr(effect, name)) for name in ("val_share", "test_share", "chance")}
        for level in effect.levels:
            means = {"n": str(level.val.n), "val": level.val.text(), "test": level.test.text()}
            rows.append(row(effect.setting, value=value_text(level.value), **means, **shares))
            shares = {}  # said once for each setting
    if rows:
        columns = ("val_share", "test_share", "chance")
        for name, part in (("combinations of settings", "combinations"), ("seeds", "seeds")):
            left = [share_text(getattr(shares, part)) for shares in results.shares]
            rows.append(row(name, **dict(zip(columns, left, strict=True))))
    return rows


def share_text(share: float | None) -> str:
    return NOTHING if share is None else f"{100 * share:.1f} %"
