"""The figures and tables of a sweep say what its results say."""

import json

import pytest
from small_sweep import results_of, small

from pgcn.studies.sweep import Sweep
from pgcn.studies.sweep.results import Quartiles, SweepResults, findings
from pgcn.views.sweep import (
    best_of_rows,
    bin_width,
    distribution_figure,
    effect_rows,
    effects_figure,
    scatter_figure,
)
from pgcn.views.sweep_report import sweep_page

RESULTS = results_of(
    small(),
    lambda task: 70 + 5 * dict(task.point)["block_width"] + task.seed,
    lambda task: 78 + task.seed - 4 * dict(task.point)["dropout"],
)
NOTHING = SweepResults(small(), [])
FIGURES = (distribution_figure, scatter_figure, effects_figure)


@pytest.mark.parametrize("figure", FIGURES)
@pytest.mark.parametrize("results", [RESULTS, NOTHING, SweepResults(small(), RESULTS.outcomes[:1])])
def test_figures_are_plain_values_however_many_runs_there_are(figure, results):
    drawn = figure(results)
    assert set(drawn) == {"data", "layout"}
    assert json.loads(json.dumps(drawn, allow_nan=False)) == drawn


@pytest.mark.parametrize("figure", FIGURES)
def test_plotly_accepts_the_figures(figure):
    from plotly.graph_objects import Figure

    Figure(figure(RESULTS))


def test_the_distribution_marks_the_best_run_by_validation():
    figure = distribution_figure(RESULTS)
    assert figure["data"][0]["x"] == RESULTS.test_accuracies
    marked = {note["text"]: note["x"] for note in figure["layout"]["annotations"]}
    best = 100 * RESULTS.best[0].test_accuracy
    assert marked == {
        f"mean {RESULTS.test.mean:.1f}": RESULTS.test.mean,
        f"best by validation {best:.1f}": best,
    }
    paper = results_of(Sweep(), lambda task: 80, lambda task: 80)
    assert "published 83.1" in json.dumps(distribution_figure(paper))


def test_every_mark_of_the_scatter_can_be_traced_to_its_run():
    runs, best = scatter_figure(RESULTS)["data"]
    assert [own for (own,) in runs["customdata"]] == [one.run for one in RESULTS.measured]
    assert runs["x"] == RESULTS.val_accuracies and runs["y"] == RESULTS.test_accuracies
    assert best["customdata"] == [[RESULTS.best[0].run]]


def test_every_setting_has_a_dot_plot_of_its_own():
    figure = effects_figure(RESULTS)
    assert [trace["xaxis"] for trace in figure["data"]] == ["x", "x", "x2", "x2"]
    titles = [figure["layout"][axis]["title"]["text"] for axis in ("xaxis", "xaxis2")]
    assert titles == ["block_width", "dropout"]
    val = figure["data"][0]
    assert val["x"] == ["1", "2"] and val["y"] == pytest.approx([76, 81])
    ends = [figure["layout"][axis]["domain"] for axis in ("xaxis", "xaxis2")]
    assert 0 <= ends[0][0] < ends[0][1] < ends[1][0] < ends[1][1] <= 1


def test_tables_hold_the_means_and_the_shares():
    rows = effect_rows(RESULTS)
    assert [row["setting"] for row in rows] == [
        *["block_width"] * 2,
        *["dropout"] * 2,
        "combinations of settings",
        "seeds",
    ]
    assert rows[0]["value"] == "1" and rows[0]["validation (%)"] == "76.0 ± 0.9" and rows[0]["n"] == "6"
    assert rows[0]["eta² validation"] == "90.4 %" and rows[1]["eta² validation"] == ""
    assert [row["n"] for row in best_of_rows(RESULTS)] == ["1", "3", "5", "12"]
    assert effect_rows(NOTHING) == best_of_rows(NOTHING) == []


def test_bars_are_of_a_round_width():
    for values, width in (([60.0, 80.0], 2.0), ([80.0, 80.0], 0.1), ([0.0, 400.0], 5.0), ([80.0, 83.0], 0.2)):
        assert bin_width(Quartiles.of(values)) == width


def test_runs_that_learned_nothing_are_told_and_do_not_squeeze_the_others():
    test = {task.id: 78.0 + number / 10 for number, task in enumerate(small().tasks())}
    test[small().tasks()[0].id] = 15.0
    results = results_of(small(), lambda task: test[task.id], lambda task: test[task.id])
    axis = distribution_figure(results)["layout"]["xaxis"]
    assert 60 < axis["range"][0] < 78 < 79.1 < axis["range"][1] and "1 run further left" in axis["title"]["text"]
    whole = distribution_figure(RESULTS)["layout"]["xaxis"]
    assert whole["title"]["text"] == "Test accuracy (%)"
    assert whole["range"][0] < min(RESULTS.test_accuracies) < max(RESULTS.test_accuracies) < whole["range"][1]


def test_the_report_needs_no_network_and_says_what_was_found():
    page = sweep_page(RESULTS)
    assert all(sentence.split(":")[0] in page for sentence in findings(RESULTS))
    assert "src=" not in page.split("<body", 1)[1].lower()
    assert "No run has both" in sweep_page(NOTHING)
