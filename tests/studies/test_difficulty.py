"""The difficulty study: the same split and projection for all, what its numbers are, honest words."""

import csv
import io
import json
import subprocess
import sys
from dataclasses import replace
from datetime import UTC, datetime
from importlib.metadata import version

import numpy as np
import pytest
from scipy import stats
from small_study import GROWTH, SET, small

from pgcn.cli import main
from pgcn.data import load_graph
from pgcn.data.catalogue import CATALOGUE
from pgcn.engine.architecture import count_parameters
from pgcn.errors import PgcnError
from pgcn.execution.complete import complete_run
from pgcn.methods.pgcn import growth_preset
from pgcn.methods.pgcn.events import BlockJudged
from pgcn.studies.difficulty import CONTENDERS, Place, Study, study_growth
from pgcn.studies.difficulty.contenders import Found, matched_width
from pgcn.studies.difficulty.estimate import seconds_left, task_seconds
from pgcn.studies.difficulty.origins import CHAIN, lead_origins, origins_sentence
from pgcn.studies.difficulty.results import (
    Outcome,
    Results,
    cell_row,
    outcome_from_dict,
    outcomes_as_csv,
    stored_outcomes,
)
from pgcn.studies.difficulty.words import finding, gaps, headline, headline_details
from pgcn.studies.statistics import Spread, t_quantile
from pgcn.studies.timing import START_UP
from pgcn.views.difficulty import ROWS, line_figure
from pgcn.views.lead import heatmap_figure, lead_table, waterfall_figure
from pgcn.views.report import report_page


def outcome(method="pgcn-ce", experiment=0, test=0.8, **changes):
    task = {"dataset": "cora", "dims": 30, "rate": 50.0, "method": method, "experiment": experiment}
    run = {"run": f"{method}{experiment}", "status": "finished", "seconds": 2.0}
    network = {"topology": (10, 20), "parameters": 1000}
    scores = {"labelled_accuracy": 1.0, "val_accuracy": 0.81, "test_accuracy": test}
    return Outcome(**{**task, **run, **network, **scores, **changes})


def test_all_methods_of_an_experiment_have_the_same_split_and_projection():
    recipes = {(task.experiment, task.place): [] for task in small().tasks()}
    for task in small().tasks():
        recipes[task.experiment, task.place].append(task.source.to_recipe())
    assert all(recipe == same[0] for same in recipes.values() for recipe in same)
    assert len({json.dumps(same[0], sort_keys=True) for same in recipes.values()}) == 4
    graphs = [load_graph(**recipes[0, place][0]) for place in small().places]
    assert (graphs[0].train_mask == graphs[1].train_mask).all()  # of another D' too
    few, many = (graph.features.toarray() * np.sqrt(graph.num_features) for graph in graphs)
    np.testing.assert_allclose(few, many[:, :5], rtol=1e-5, atol=1e-6)
    other = load_graph(**recipes[1, small().places[0]][0])
    assert (other.train_mask != graphs[0].train_mask).any()


def test_the_same_question_has_the_same_id_everywhere_and_another_one_another():
    ids = [task.id for task in small().tasks()]
    assert len(set(ids)) == len(ids)
    code = (
        "from pgcn.studies.difficulty import *; s = Study(dataset='synthetic', dims=(5, 20), experiments=2, "
        "methods=tuple(CONTENDERS), growth=study_growth(epochs=4, max_layers=1, max_width=10)); "
        "print(','.join(t.id for t in s.tasks()))"
    )
    assert subprocess.check_output([sys.executable, "-c", code], text=True).strip().split(",") == ids
    others = {task.contender: task.id for task in small(growth=GROWTH.change(epochs=5)).tasks()}
    shared = {method for method, name in others.items() if name in ids}
    assert shared == {"gcn"}  # the GCN does not depend on how PGCN grows


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"dims": (0,)}, "D' must be a whole number from 1 to 500.*got 0"),
        ({"dims": (501,)}, "from 1 to 500.*got 501"),
        ({"dims": ("ten",)}, "got 'ten'"),
        ({"dims": (5, 20, 5)}, "must not name anything twice, got 5"),
        ({"dims": ()}, "dims must name at least one"),
        ({"rates": (100,)}, "label rate must lie between 0.35 and 99.90 %.*got 100"),
        ({"rates": (99.99,)}, "validation and test one each; got 99.99"),
        ({"rates": (0.1,)}, "every class needs a labelled node"),
        ({"rates": (50.0, 50.0)}, "rates must not name anything twice"),
        ({"methods": ("gat",)}, "No method named 'gat'"),
        ({"experiments": 0}, "experiments must be a whole number of at least 1, got 0"),
        ({"dataset": "corra"}, "corra"),
        ({"growth": study_growth(decider="person")}, "decider = person is for a single run"),
        ({"dataset": "karate"}, "Karate club has 34 nodes, too few for this study; it takes 50"),
    ],
    ids=str,
)
def test_a_question_that_makes_no_sense_is_refused(changes, words):
    with pytest.raises(PgcnError, match=words):
        Study(**{"dataset": "synthetic", **changes})


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--dims", "10,ten"], "--dims must be whole numbers divided by commas, got 'ten'"),
        (["--dims", "0"], "from 1 to 1,433"),
        (["--dims", "1434"], "got 1434"),
        (["--dims", "10,10"], "twice"),
        (["--rates", "half"], "--rates must be numbers"),
        (["--rates", "100"], "label rate"),
        (["--set", "loss=mse"], "loss is not set with --set here"),
        (["--methods", "gcn,gin"], "No method named 'gin'"),
        (["--csv", "/nowhere/at/all.csv"], "the folder does not exist"),
        (["--workers", "0"], "--workers must be at least 1"),
    ],
    ids=" ".join,
)
def test_the_command_line_says_what_is_wrong(arguments, words, capsys, monkeypatch, tmp_path):
    monkeypatch.setenv("PGCN_STORE", f"sqlite:///{tmp_path / 'runs.db'}")
    assert main(["difficulty", *arguments]) == 2
    assert words in capsys.readouterr().err


def test_a_method_that_is_matched_to_another_brings_it_along():
    assert small(methods=("matched-gcn",)).methods == ("pgcn-ce", "matched-gcn")


@pytest.mark.parametrize("bias", [False, True])
@pytest.mark.parametrize("width", [1, 7, 64])
def test_a_matched_network_has_as_many_parameters(width, bias):
    parameters = count_parameters(30, (width,), 7, bias=bias)
    assert matched_width(parameters, 30, 7, bias=bias) == width
    assert abs(count_parameters(30, (matched_width(5000, 30, 7, bias=bias),), 7, bias=bias) - 5000) <= 20


def test_fixed_networks_get_what_pgcn_found_and_spent():
    place = Place(dataset="cora", dims=30, rate=50.0)
    growth = study_growth("tuned", weight_decay=1e-3)
    found = Found(topology=(10, 20, 5), parameters=2000, epochs=900)
    facts = replace(CATALOGUE["cora"], features=place.dims)
    grown = growth.change(seed=4)
    configs = {name: CONTENDERS[name].match(grown, found, facts) for name in ("matched-gcn", "same-topology")}
    for config in configs.values():
        assert (config.epochs, config.early_stopping, config.keep_best, config.seed) == (900, 0, True, 4)
        assert (config.dropout, config.input_dropout, config.weight_decay) == (0.1, 0.5, 1e-3)
    assert configs["same-topology"].hidden == (10, 20, 5) and configs["matched-gcn"].hidden == (54,)


def test_a_task_is_the_run_it_names():
    task = small().tasks()[0]
    result = complete_run(task.spec())
    assert result.events[0].recipe == task.source.to_recipe() and result.events[0].config == task.config.to_dict()
    blocks = sum(isinstance(event, BlockJudged) for event in result.events)
    assert Found.of(result.events).epochs == 4 * blocks
    assert result.networks[-1].topology == result.events[-1].topology


def test_the_confidence_band_is_students():
    for freedom in (1, 2, 5, 30, 31, 40, 200):
        assert t_quantile(freedom) == pytest.approx(stats.t.ppf(0.975, freedom), abs=2e-3)
    values = [80.0, 82.0, 84.5]
    spread = Spread.of(values)
    low, high = stats.t.interval(0.95, 2, loc=np.mean(values), scale=stats.sem(values))
    assert (spread.mean - spread.half_ci, spread.mean + spread.half_ci) == pytest.approx((low, high), abs=1e-2)
    assert spread.sd == pytest.approx(np.std(values, ddof=1)) and Spread.of([1.0]).half_ci is None


def test_differences_are_taken_experiment_by_experiment():
    results = Results(
        [outcome("pgcn-ce", i, test) for i, test in enumerate((0.80, 0.90, 0.70))]
        + [outcome("gcn", i, test) for i, test in enumerate((0.60, 0.70, 0.50, 0.10))]
    )
    lead = results.difference(results.places[0], "pgcn-ce")
    assert (lead.n, lead.mean, lead.sd) == (3, pytest.approx(20), pytest.approx(0, abs=1e-9))


@pytest.mark.parametrize(
    ("ours", "theirs", "words"),
    [
        ((0.84, 0.85, 0.83), (0.60, 0.62, 0.59), "PGCN (CE) leads GCN by 23.7 ± 0.6 points (test 84.0 against"),
        ((0.60, 0.62, 0.59), (0.84, 0.85, 0.83), "PGCN (CE) trails GCN by 23.7 ± 0.6 points"),
        ((0.84, 0.86), (0.8401, 0.8601), "PGCN (CE) is level with GCN, 0.0 ± 0.0 points apart (test 85.0 against"),
        ((0.84, 0.80, 0.84), (0.82, 0.83, 0.82), "by 0.3 ± 2.9 points, not significant at 95 %"),
    ],
)
def test_words_say_who_leads_also_where_it_is_not_pgcn(ours, theirs, words):
    results = Results(
        [outcome("pgcn-ce", i, test, parameters=4000) for i, test in enumerate(ours)]
        + [outcome("gcn", i, test, parameters=500) for i, test in enumerate(theirs)]
    )
    sentence = finding(results, results.places[0], "pgcn-ce", "gcn")
    assert words in sentence and "8.0 times the parameters" in sentence and "N_L/D' = 45.1" in sentence


def lead_of(*leads, dims=30, gcn=0.5, **changes):
    """Outcomes of one experiment for each lead of PGCN over GCN, in points."""
    where = {"dims": dims, **changes}
    return [
        one
        for experiment, lead in enumerate(leads)
        for one in (
            outcome("pgcn-ce", experiment, gcn + lead / 100, **where),
            outcome("gcn", experiment, gcn, **where),
        )
    ]


@pytest.mark.parametrize(
    ("leads", "words"),
    [
        (
            {10: (39, 40, 41), 1433: (0.5, -0.6, 0.4)},
            "At 10 features growing beats GCN by 40 points; with all 1,433 there is no significant difference",
        ),
        (
            {10: (-4, -5, -6), 300: (1.2, 1.3, 1.4)},
            "At 10 features GCN beats growing by 5 points; at 300 growing beats GCN by 1.3 points",
        ),
        ({1: (3, -3)}, "At 1 feature there is no significant difference between growing and GCN"),
        (
            {10: (3, -3), 1433: (0.5, -0.6)},
            "Neither at 10 nor with all 1,433 features is there a significant difference between growing and GCN",
        ),
        (
            {9: (3,), 30: (-5,)},
            "At 9 features growing is 3 points ahead of GCN in one experiment; at 30 it is 5 points behind in one",
        ),
        ({10: (39.6,)}, "At 10 features growing is 40 points ahead of GCN in one experiment"),
    ],
    ids=["wins where poor", "loses where poor", "one place", "nowhere", "one experiment each", "one experiment"],
)
def test_the_heading_says_what_the_shown_numbers_show_and_no_more(leads, words):
    results = Results(one for dims, points in leads.items() for one in lead_of(*points, dims=dims))
    assert headline(results, results.places, "gcn", "dims", 1433) == words


def test_the_numbers_behind_the_heading_are_the_differences_with_their_intervals():
    results = Results(lead_of(39, 40, 41, dims=10))
    details = headline_details(results, results.places, "gcn")
    low, high = stats.t.interval(0.95, 2, loc=40, scale=stats.sem([39, 40, 41]))
    assert details == (
        f"PGCN (CE) minus GCN: +40.0 points (95 % CI {low:+.1f} to {high:+.1f}) at D' = 10 with 50 % labelled, "
        "3 experiments."
    )
    assert headline(Results([outcome()]), results.places, "gcn", "dims", 1433) is None


def test_it_is_said_where_there_are_no_results():
    line = [Place(dataset="cora", dims=dims, rate=50.0) for dims in (10, 30, 100)]
    results = Results([*lead_of(1, 2, dims=10), *lead_of(1, 2, dims=30), outcome("gcn", dims=100)])
    assert gaps(results, line, ("pgcn-ce", "gcn", "matched-gcn"), "dims") == [
        "No results at D' = 100 yet: PGCN (CE).",
        "No results on this line yet: matched GCN.",
    ]
    table = lead_table(results, line, "gcn", caption="x")
    assert table.count("<tr>") == 4 and table.count("no results yet") == 1


def test_the_table_shades_only_what_is_clear():
    results = Results([*lead_of(39, 40, 41, dims=10), *lead_of(-9, 0, 10, dims=30), *lead_of(-5, -6, -7, dims=100)])
    rows = lead_table(results, results.places, "gcn", caption="x").split("<tr>")[2:]
    assert ["class='ahead' style" in rows[0], "class='level'>" in rows[1], "class='behind' style" in rows[2]] == [
        True
    ] * 3
    assert "<b>+40.0</b><small>+37.5 to +42.5</small>" in rows[0] and "135 labels per feature" in rows[0]


def test_colours_mean_the_same_on_every_heat_map():
    results = Results([*lead_of(40, 41), *lead_of(4, 5, dataset="citeseer"), *lead_of(1, 1, rate=10.0)])
    maps = [heatmap_figure(results, dataset, "gcn")["data"][0] for dataset in ("cora", "citeseer")]
    assert {(drawn["zmin"], drawn["zmax"]) for drawn in maps} == {(-maps[0]["zmax"], maps[0]["zmax"])}
    assert maps[0]["zmax"] == pytest.approx(40.5)


@pytest.mark.parametrize("experiments", [1, 2, 3, 4])
def test_few_experiments_are_drawn_one_by_one_and_many_as_an_interval(experiments):
    results = Results(lead_of(*range(experiments)))
    for row in ROWS:
        drawn = [trace for trace in line_figure(results, results.places, row, "dims")["data"] if "uid" in trace]
        points = [trace for trace in drawn if trace["uid"].endswith("-experiments")]
        bands = [trace for trace in drawn if trace.get("fill")]
        assert bool(points) == (experiments <= 3) and bool(bands) == (experiments > 3)
        assert all(len(trace["y"]) == experiments for trace in points)


def test_pgcn_and_gcn_are_drawn_first_and_the_others_wait_in_the_legend(done):
    results = Results(stored_outcomes(small(), done))
    lines = [one for one in line_figure(results, results.places, "accuracy", "dims")["data"] if one.get("name")]
    assert [(line["name"], line["visible"]) for line in lines] == [
        ("PGCN (CE)", True),
        ("GCN", True),
        ("PGCN (MSE)", "legendonly"),
        ("matched GCN", "legendonly"),
        ("same topology", "legendonly"),
    ]


def test_the_lead_is_divided_into_what_it_comes_from():
    tests = {"gcn": 0.42, "matched-gcn": 0.51, "same-topology": 0.82, "pgcn-ce": 0.81}
    results = Results(outcome(method, i, test + i / 100) for method, test in tests.items() for i in range(2))
    sentence = origins_sentence(results, results.places[0])
    assert [word in sentence for word in ("+39.0 ± 0.0", "+9.0 ± 0.0", "+31.0 ± 0.0", "−1.0 ± 0.0")] == [True] * 4
    assert origins_sentence(Results([outcome()]), results.places[0]) is None
    found = lead_origins(results, results.places[0])
    assert sum(step.mean for step in found.steps.values()) == pytest.approx(found.total.mean) == pytest.approx(39)
    bars, dots = waterfall_figure(found)["data"]
    # Each step stands on the one before; the last reaches PGCN.
    assert bars["base"] == pytest.approx([0, 42.5, 51.5, 82.5, 0])
    assert bars["base"][3] + bars["y"][3] == pytest.approx(bars["y"][4]) == pytest.approx(81.5)
    assert sorted(dots["y"]) == pytest.approx(
        sorted(100 * (tests[name] + i / 100) for name in CHAIN for i in (0, 1))
    )


def test_a_lead_is_divided_only_by_experiments_that_all_methods_have():
    some = [outcome(method, i, 0.5) for method in CHAIN for i in range(2)]
    results = Results([*some, outcome("pgcn-ce", 2, 0.99), outcome("gcn", 2, 0.01)])
    assert lead_origins(results, results.places[0]).total.mean == 0


def test_failed_runs_are_counted_and_in_no_mean():
    results = Results([outcome(test=0.8), outcome(experiment=1, test=None, val_accuracy=None, status="failed")])
    assert len(results.failed) == 1 and results.cells[results.places[0], "pgcn-ce"].test.n == 1


def test_outcomes_survive_json_and_csv(done):
    outcomes = stored_outcomes(small(), done)
    assert [outcome_from_dict(json.loads(json.dumps(vars(one)))) for one in outcomes] == outcomes
    rows = list(csv.DictReader(io.StringIO(outcomes_as_csv(outcomes))))
    assert [row["run"] for row in rows] == [one.run for one in outcomes]
    assert (
        float(rows[0]["labels_per_dimension"]) == 200
        and float(rows[0]["test_accuracy"]) == outcomes[0].test_accuracy
    )


def test_figures_show_the_means_and_where_they_are_from(done):
    results = Results(stored_outcomes(small(), done))
    for row in ROWS:
        for axis in ("dims", "ratio"):
            figure = line_figure(results, results.places, row, axis)
            lines = [trace for trace in figure["data"] if "name" in trace]
            assert {trace["name"] for trace in lines} == {
                CONTENDERS[name].label for name in results.methods if (row, name) != ("difference", "gcn")
            }
            assert figure["layout"]["xaxis"]["type"] == "log" and figure["layout"]["yaxis"]["title"]["text"]
    accuracy = next(
        one for one in line_figure(results, results.places, "accuracy", "dims")["data"] if one.get("name")
    )
    assert accuracy["y"] == [results.cell(place, "pgcn-ce").test.mean for place in results.places]
    assert accuracy["customdata"][1] == ["synthetic", 20, 50.0, "pgcn-ce"]
    drawn = heatmap_figure(results, "synthetic", "gcn")["data"][0]
    assert drawn["z"] == [[results.difference(place, "pgcn-ce").mean for place in results.places]]
    body = report_page(results, [small()]).split("</head>")[1]
    assert "https://" not in body and all(CONTENDERS[name].label in body for name in results.methods)
    cell = results.in_order()[0]
    assert f"<td>{cell.test.text()}</td>" in body and f"<td>{cell.seconds.text()}</td>" in body


def test_a_report_says_when_with_what_and_where_its_numbers_were_made(done):
    own = stored_outcomes(small(), done)
    shipped = [outcome(recorded=True, dataset="cora"), outcome("gcn", recorded=True, dataset="cora")]
    studies = [small(), Study(dataset="cora", dims=(30,), experiments=1)]
    body = report_page(Results([*own, *shipped]), studies, datetime(2026, 11, 18, 9, 5, tzinfo=UTC)).split(
        "</head>"
    )[1]
    assert f"Made 2026-11-18 09:05 UTC with pgcn {version('pgcn')}" in body
    assert f"20 runs computed here, {datetime.fromtimestamp(own[0].ended, UTC):%Y-%m-%d}" in body
    assert "2 runs recorded" in body and "dropout = 0.1" in body
    assert "1 experiment, seed 0;" in body and "2 experiments, seeds 0 to 1;" in body


def test_a_report_of_recorded_outcomes_says_nothing_of_their_time():
    results = Results([outcome(seconds=None), outcome("gcn", seconds=None, test=0.6)])
    study = Study(dataset="cora", dims=(30,), experiments=1)
    row = cell_row(results, results.in_order()[0])
    assert (row["seconds"], row["to GCN (points)"], row["topologies"]) == ("", "+20.0", "10-20")
    assert "<td>+20.0</td>" in report_page(results, [study])


def ended_at(task, moment, pace=1.0):
    """An outcome of a task that took so many times what the model says, and ended at a moment."""
    took = pace * task_seconds(task)
    return outcome(task.contender, task.experiment, run=task.id, seconds=took, dataset="synthetic", ended=moment)


def test_the_time_left_follows_what_runs_took_here():
    tasks = small(experiments=4).tasks()
    slow = [ended_at(task, number, pace=20) for number, task in enumerate(tasks) if task.experiment < 3]
    left, usual = tasks[len(slow) :], seconds_left(tasks, [], 2)
    assert seconds_left(tasks, slow, 2).usual - START_UP == pytest.approx(
        20 * (seconds_left(left, [], 2).usual - START_UP)
    )
    assert usual.low < usual.usual < usual.high and seconds_left(tasks[:0], [], 2) is None


def test_a_busy_moment_does_not_change_what_the_rest_will_take():
    tasks = small(experiments=10).tasks()
    ended = [
        ended_at(task, 10.0 * number, pace=9 if 20 <= number < 24 else 1) for number, task in enumerate(tasks[:30])
    ]
    before = seconds_left(tasks[30:], [], 2)
    assert seconds_left(tasks, ended, 2).high <= before.high
    # A busy day before counts as long as nothing is known of today; one run of today is enough to forget it.
    yesterday = [ended_at(task, 0.0, pace=9) for task in tasks[:30]]
    assert seconds_left(tasks, yesterday, 2).usual > 5 * before.usual
    today = [ended_at(task, 86_400.0) for task in tasks[30:35]]  # of every method
    assert seconds_left(tasks, [*yesterday, *today], 2).usual < 1.2 * before.usual


def test_the_command_line_prints_the_table_and_writes_a_report(tmp_path, capsys, monkeypatch, done):
    monkeypatch.setenv("PGCN_STORE", done.url)
    report = tmp_path / "report.html"
    asked = [
        "difficulty",
        "--dataset",
        "synthetic",
        "--dims",
        "5,20",
        "--experiments",
        "2",
        "--methods",
        "all",
        *SET,
    ]
    assert main([*asked, "--html", str(report), "--csv", str(tmp_path / "runs.csv")]) == 0
    printed = capsys.readouterr()
    assert (
        "20 of 20 runs are stored already" in printed.err
        and "same topology" in printed.out
        and "At D' = 20" in printed.out
    )
    assert report.stat().st_size > 1_000_000 and (tmp_path / "runs.csv").read_text().count("\n") == 21


@pytest.mark.parametrize(("leads", "code"), [((0.4, 0.1), 0), ((0.1, 0.4), 2), ((-0.2, -0.3), 2)])
def test_check_fails_where_the_lead_does_not_shrink(leads, code):
    from pgcn.cli.study_report import check_trend
    from pgcn.cli.terminal import terminal

    outcomes = []
    for dims, lead in zip((5, 20), leads, strict=True):
        shared = {"dataset": "synthetic", "dims": dims}
        outcomes += [outcome("gcn", test=0.5, **shared), outcome("pgcn-ce", test=0.5 + lead, **shared)]
    console = terminal(stderr=True)
    if code:
        with pytest.raises(PgcnError, match="does not shrink"):
            check_trend(Results(outcomes), [small(experiments=1)], console)
    else:
        check_trend(Results(outcomes), [small(experiments=1)], console)


def test_the_study_grows_as_the_reproduction_does_with_the_papers_lowest_dropout():
    assert study_growth() == growth_preset("reproduction", dropout=0.1)


def one_outcome(experiment, test, *, method="pgcn-ce", recorded=False):
    return outcome(method, experiment, test, dims=10, recorded=recorded)


def test_what_was_recorded_is_never_averaged_with_what_was_computed_here():
    place = Place(dataset="cora", dims=10, rate=50.0)
    recorded = [one_outcome(e, 0.9, recorded=True) for e in range(3)]
    baseline = [one_outcome(e, 0.4, recorded=True, method="gcn") for e in range(3)]
    alone = Results([*recorded, *baseline])
    assert alone.cell(place, "pgcn-ce").recorded and alone.cell(place, "pgcn-ce").test.n == 3
    assert alone.difference(place, "pgcn-ce").recorded
    both = Results([one_outcome(0, 0.5), *recorded, *baseline])
    cell = both.cell(place, "pgcn-ce")
    assert not cell.recorded and cell.test.n == 1 and cell.test.mean == pytest.approx(50.0)
    assert both.cell(place, "gcn").recorded and cell_row(both, cell)["computed"] == "here"
    # A difference takes both sides from the same place: the GCN has none from here yet.
    lead = both.difference(place, "pgcn-ce")
    assert lead.recorded and lead.mean == pytest.approx(50.0) and lead.n == 3
    here = Results([one_outcome(0, 0.5), one_outcome(0, 0.3, method="gcn"), *recorded, *baseline])
    assert here.difference(place, "pgcn-ce").mean == pytest.approx(20.0)
    assert not here.difference(place, "pgcn-ce").recorded
    marks = line_figure(here, [place], "accuracy", "dims")["data"]
    assert {mark["marker"]["symbol"][0] for mark in marks if "name" in mark} == {"circle", "square"}
    marks = line_figure(alone, [place], "accuracy", "dims")["data"]
    assert {mark["marker"]["symbol"][0] for mark in marks if "name" in mark} == {"circle-open", "square-open"}
