"""The difficulty study: the same split and sketch for all, results kept as they come, honest words."""

import csv
import io
import json
import multiprocessing
import signal
import socket
import subprocess
import sys
import time

import numpy as np
import psutil
import pytest
from scipy import stats
from tools import start_pgcn, wait_until

from pgcn.cli import main
from pgcn.config import GCNConfig, growth_preset
from pgcn.datasets import load_graph
from pgcn.errors import PgcnError
from pgcn.events import BlockJudged, RunFinished
from pgcn.figures.difficulty import ROWS, line_figure, map_figure
from pgcn.figures.report import report_page
from pgcn.store import Store
from pgcn.studies.difficulty import METHODS, Place, Study, Task, study_growth
from pgcn.studies.estimate import in_words, seconds_left
from pgcn.studies.executors import cluster, processes
from pgcn.studies.results import (
    Outcome,
    Results,
    Spread,
    cell_row,
    finding,
    origins,
    outcome_from_dict,
    outcomes_as_csv,
    stored_outcomes,
    t_quantile,
)
from pgcn.studies.running import StudyRun
from pgcn.studies.tasks import Found, carry_out, fixed_config, matched_width
from pgcn.topology import count_parameters

GROWTH = study_growth(epochs=4, max_layers=1, max_width=10)
SET = ["--set", "epochs=4", "max_layers=1", "max_width=10"]


def small(**changes):
    """A study of a few seconds, on the synthetic graph."""
    asked = {"dims": (5, 20), "experiments": 2, "methods": tuple(METHODS), "growth": GROWTH}
    return Study(dataset="synthetic", **{**asked, **changes})


@pytest.fixture(scope="module")
def done(tmp_path_factory):
    """A small study carried out by processes, and its store."""
    store = Store(f"sqlite:///{tmp_path_factory.mktemp('study') / 'runs.db'}")
    run = StudyRun([small()], store)
    events = [said for said in run if said is not None]
    assert len(events) == len(run.tasks) == 20
    assert all(isinstance(said.event, RunFinished) for said in events)
    yield store
    store.close()


def outcome(method="pgcn-ce", experiment=0, test=0.8, **changes):
    values = {
        "dataset": "cora", "dims": 30, "rate": 50.0, "run": f"{method}{experiment}", "status": "finished",
        "topology": (10, 20), "parameters": 1000, "seconds": 2.0, "labelled_accuracy": 1.0, "val_accuracy": 0.81,
    }  # fmt: skip
    return Outcome(**{**values, "method": method, "experiment": experiment, "test_accuracy": test, **changes})


def test_all_methods_of_an_experiment_have_the_same_split_and_sketch():
    recipes = {(task.experiment, task.place): [] for task in small().tasks()}
    for task in small().tasks():
        recipes[task.experiment, task.place].append(task.recipe)
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
        "methods=tuple(METHODS), growth=study_growth(epochs=4, max_layers=1, max_width=10)); "
        "print(','.join(t.id for t in s.tasks()))"
    )
    assert subprocess.check_output([sys.executable, "-c", code], text=True).strip().split(",") == ids
    others = {task.method: task.id for task in small(growth=GROWTH.change(epochs=5)).tasks()}
    shared = {method for method, name in others.items() if name in ids}
    assert shared == {"gcn"}  # the GCN does not depend on how PGCN grows


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"dims": (0,)}, "D' must be a whole number from 1 to 500.*got 0"),
        ({"dims": (501,)}, "from 1 to 500.*got 501"),
        ({"dims": ("ten",)}, "got ten"),
        ({"dims": (5, 20, 5)}, "must not name anything twice, got 5"),
        ({"dims": ()}, "dims must name at least one"),
        ({"rates": (100,)}, "label rate must lie between 0.35 and 99.90 %.*got 100"),
        ({"rates": (99.99,)}, "validation and test one each; got 99.99"),
        ({"rates": (0.1,)}, "every class needs a labelled node"),
        ({"rates": (50.0, 50.0)}, "rates must not name anything twice"),
        ({"methods": ("gat",)}, "No method named 'gat'"),
        ({"experiments": 0}, "experiments must be a whole number of at least 1, got 0"),
        ({"dataset": "corra"}, "corra"),
        ({"dataset": "karate"}, "too few for this study"),
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
        (["--csv", "/nowhere/at/all.csv"], "the folder is not there"),
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
    configs = {
        method: fixed_config(Task(place=place, experiment=4, method=method, growth=growth), found, 30, 7)
        for method in ("matched-gcn", "same-topology")
    }
    for config in configs.values():
        assert (config.epochs, config.early_stopping, config.keep_best, config.seed) == (900, 0, True, 4)
        assert (config.dropout, config.input_dropout, config.weight_decay) == (0.1, 0.5, 1e-3)
    assert configs["same-topology"].hidden == (10, 20, 5) and configs["matched-gcn"].hidden == (54,)


def test_a_task_is_the_run_it_names():
    task = small().tasks()[0]
    result = carry_out(task)
    assert result.events[0].recipe == task.recipe and result.events[0].config == task.config.to_dict()
    blocks = sum(isinstance(event, BlockJudged) for event in result.events)
    assert Found.of(result.events).epochs == 4 * blocks
    assert [row["run"] for row in result.networks] == [task.id] * len(result.networks)


def test_a_study_is_kept_and_asked_for_twice_is_read(done):
    again = StudyRun([small()], done)
    assert again.missing == [] and list(again) == []
    outcomes = stored_outcomes(small(), done)
    assert len(outcomes) == 20 and all(one.test_accuracy > 0 for one in outcomes)
    pgcn = next(one for one in outcomes if one.method == "pgcn-ce")
    run = done.run(pgcn.run)
    assert run.topology == done.model(run.id).architecture.widths == pgcn.topology
    assert isinstance(done.events(run.id)[-1], RunFinished) and "D' = 5" in run.name
    matched = next(one for one in outcomes if one.method == "same-topology")
    assert matched.topology == pgcn.topology and matched.parameters == pgcn.parameters


def test_a_deleted_run_is_missing_and_comes_back_the_same(done):
    before = stored_outcomes(small(), done)
    done.delete(before[0].run)
    run = StudyRun([small()], done)
    assert [task.id for task in run.missing] == [before[0].run]
    assert len([said for said in run if said is not None]) == 1
    after = stored_outcomes(small(), done)
    assert [(one.run, one.test_accuracy, one.topology) for one in before] == [
        (one.run, one.test_accuracy, one.topology) for one in after
    ]


def table(store, study):
    return {
        one.run: (one.test_accuracy, one.val_accuracy, one.topology, one.parameters)
        for one in stored_outcomes(study, store)
    }


def test_a_worker_that_dies_loses_nothing(tmp_path, done):
    store = Store(f"sqlite:///{tmp_path / 'runs.db'}")
    run = StudyRun([small()], store, lambda: processes(2))
    killed = False
    for said in run:
        if said is not None and not killed:
            victims = [child for child in psutil.Process().children() if "spawn_main" in " ".join(child.cmdline())]
            victims[0].kill()
            killed = True
    assert killed and table(store, small()) == table(done, small())
    store.close()


def test_a_study_that_is_stopped_ends_at_once_and_keeps_what_it_has(tmp_path):
    store = Store(f"sqlite:///{tmp_path / 'runs.db'}")
    study = small(growth=GROWTH.change(epochs=100_000), methods=("gcn", "pgcn-ce"))
    run = StudyRun([study], store)
    wait_until(lambda: next(run) is not None, 60)  # a GCN has ended, PGCN would take for ever
    workers = [child for child in psutil.Process().children() if "spawn_main" in " ".join(child.cmdline())]
    started = time.monotonic()
    run.cancel()
    assert time.monotonic() - started < 0.5
    wait_until(lambda: not multiprocessing.active_children(), 10)
    _, alive = psutil.wait_procs(workers, timeout=10)
    assert not alive and {one.method for one in stored_outcomes(study, store)} == {"gcn"}
    store.close()


def test_kill_minus_nine_in_the_middle_and_what_was_finished_is_not_computed_again(tmp_path):
    url = f"sqlite:///{tmp_path / 'runs.db'}"
    store, study = Store(url), small(methods=("gcn", "pgcn-ce"))
    arguments = ["difficulty", "--dataset", "synthetic", "--dims", "5,20", "--experiments", "2", *SET]
    process = start_pgcn(None, *arguments, PGCN_STORE=url)
    wait_until(lambda: len(table(store, study)) >= 2, 60)
    workers = psutil.Process(process.pid).children(recursive=True)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    before = {run.id: run.created for run in store.runs()}
    assert len(before) >= 2
    assert not psutil.wait_procs(workers, timeout=20)[1]  # they do not outlive it
    again = start_pgcn(None, *arguments, "--json", PGCN_STORE=url)
    out, err = again.communicate(timeout=120)
    assert again.returncode == 0, err
    assert f"{len(before)} of 8 runs are kept already" in err
    assert len(out.splitlines()) == 8
    after = {run.id: run.created for run in store.runs()}
    assert before.items() <= after.items() and len(after) == 8
    store.close()


@pytest.fixture
def dask(tmp_path):
    """A real scheduler and two real workers, each a process of its own."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    address = f"tcp://127.0.0.1:{port}"
    started = []

    def start(*arguments):
        with (tmp_path / f"dask{len(started)}.log").open("w") as log:
            command = [sys.executable, "-m", "dask", *arguments]
            started.append(subprocess.Popen(command, stdout=log, stderr=log, cwd=tmp_path))
        return started[-1]

    start("scheduler", "--host", "127.0.0.1", "--port", str(port), "--no-dashboard", "--no-show")
    wait_until(lambda: answers(port), 30)
    workers = [
        start("worker", address, "--nthreads", "1", "--no-nanny", "--no-dashboard", "--name", f"worker{number}")
        for number in range(2)
    ]
    yield address, workers
    for process in started:
        process.kill()
        process.wait()


def test_a_dask_cluster_gives_the_same_table_also_when_a_worker_is_killed(tmp_path, done, dask):
    address, workers = dask
    wait_until(lambda: cluster_size(address) == 2, 60)
    store = Store(f"sqlite:///{tmp_path / 'runs.db'}")
    run = StudyRun([small()], store, lambda: cluster(address))
    ended = 0
    for said in run:
        ended += said is not None
        if ended == 5 and workers[0].poll() is None:
            workers[0].kill()
            workers[0].wait()
    assert workers[1].poll() is None
    assert table(store, small()) == table(done, small())
    store.close()


def answers(port):
    with socket.socket() as caller:
        return caller.connect_ex(("127.0.0.1", port)) == 0


def cluster_size(address):
    try:
        crew = cluster(address)
    except PgcnError:
        return 0
    crew.dismiss()
    return crew.size


def test_a_scheduler_that_does_not_answer_is_said_soon():
    started = time.monotonic()
    with pytest.raises(PgcnError, match=r"No Dask scheduler answered at tcp://127\.0\.0\.1:9"):
        cluster("tcp://127.0.0.1:9")
    assert time.monotonic() - started < 15


def test_the_confidence_band_is_students():
    for freedom in (1, 2, 5, 30, 31, 40, 200):
        assert t_quantile(freedom) == pytest.approx(stats.t.ppf(0.975, freedom), abs=2e-3)
    values = [80.0, 82.0, 84.5]
    spread = Spread.of(values)
    low, high = stats.t.interval(0.95, 2, loc=np.mean(values), scale=stats.sem(values))
    assert (spread.mean - spread.band, spread.mean + spread.band) == pytest.approx((low, high), abs=1e-2)
    assert spread.sd == pytest.approx(np.std(values, ddof=1)) and Spread.of([1.0]).band is None


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
        ((0.84, 0.80, 0.84), (0.82, 0.83, 0.82), "by 0.3 ± 2.9 points, which is not certain at 95 %"),
    ],
)
def test_words_say_who_leads_also_where_it_is_not_pgcn(ours, theirs, words):
    results = Results(
        [outcome("pgcn-ce", i, test, parameters=4000) for i, test in enumerate(ours)]
        + [outcome("gcn", i, test, parameters=500) for i, test in enumerate(theirs)]
    )
    sentence = finding(results, results.places[0], "pgcn-ce", "gcn")
    assert words in sentence and "8.0 times the parameters" in sentence and "N_L/D' = 45.1" in sentence


def test_the_lead_is_divided_into_what_it_comes_from():
    tests = {"gcn": 0.42, "matched-gcn": 0.51, "same-topology": 0.82, "pgcn-ce": 0.81}
    results = Results(outcome(method, i, test) for method, test in tests.items() for i in range(2))
    sentence = origins(results, results.places[0])
    assert [word in sentence for word in ("+39.0 ± 0.0", "+9.0 ± 0.0", "+31.0 ± 0.0", "-1.0 ± 0.0")] == [True] * 4
    assert origins(Results([outcome()]), results.places[0]) is None


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
            lines = [trace for trace in figure["data"] if trace.get("customdata")]
            assert [trace["name"] for trace in lines] == [
                METHODS[name].label for name in results.methods if (row, name) != ("difference", "gcn")
            ]
            assert figure["layout"]["xaxis"]["type"] == "log" and figure["layout"]["yaxis"]["title"]["text"]
    accuracy = line_figure(results, results.places, "accuracy", "dims")["data"][2]
    assert accuracy["y"] == [results.cell(place, "pgcn-ce").test.mean for place in results.places]
    assert accuracy["customdata"][1] == ["synthetic", 20, 50.0, "pgcn-ce"]
    drawn = map_figure(results, "synthetic", "pgcn-ce", "gcn")["data"][0]
    assert drawn["z"] == [[results.difference(place, "pgcn-ce").mean for place in results.places]]
    body = report_page(results, [small()]).split("</head>")[1]
    assert "https://" not in body and all(METHODS[name].label in body for name in results.methods)
    cell = results.in_order()[0]
    assert f"<td>{cell.test.text()}</td>" in body and f"<td>{cell.seconds.text()}</td>" in body


def test_a_report_of_recorded_outcomes_says_nothing_of_their_time():
    results = Results([outcome(seconds=None), outcome("gcn", seconds=None, test=0.6)])
    study = Study(dataset="cora", dims=(30,), experiments=1)
    row = cell_row(results, results.in_order()[0])
    assert (row["seconds"], row["to GCN (points)"], row["topologies"]) == ("", "+20.0", "10-20")
    assert "<td>+20.0</td>" in report_page(results, [study])


def test_the_time_left_follows_what_runs_took_here():
    tasks = small().tasks()
    slow = [
        outcome(task.method, task.experiment, run=task.id, seconds=100.0, dataset="synthetic")
        for task in tasks
        if task.experiment == 0
    ]
    assert seconds_left(tasks, slow, 2) > 5 * seconds_left(tasks, [], 2)
    assert in_words(20) == "about 20 seconds" and in_words(600) == "about 10 minutes"
    assert in_words(7200) == "about 2.0 hours"


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
    said = capsys.readouterr()
    assert "20 of 20 runs are kept already" in said.err and "same topology" in said.out and "At D' = 20" in said.out
    assert report.stat().st_size > 1_000_000 and (tmp_path / "runs.csv").read_text().count("\n") == 21


@pytest.mark.parametrize(("leads", "code"), [((0.4, 0.1), 0), ((0.1, 0.4), 2), ((-0.2, -0.3), 2)])
def test_check_fails_where_the_lead_does_not_shrink(leads, code):
    from pgcn.cli import difficulty as command

    outcomes = []
    for dims, lead in zip((5, 20), leads, strict=True):
        shared = {"dataset": "synthetic", "dims": dims}
        outcomes += [outcome("gcn", test=0.5, **shared), outcome("pgcn-ce", test=0.5 + lead, **shared)]
    console = command.Console(stderr=True)
    if code:
        with pytest.raises(PgcnError, match="does not shrink"):
            command.check_trend(Results(outcomes), [small(experiments=1)], console)
    else:
        command.check_trend(Results(outcomes), [small(experiments=1)], console)


def test_a_gcn_may_keep_its_best_validation(small_graph):
    from pgcn.baselines.gcn import train_gcn

    config = GCNConfig(epochs=60, early_stopping=0, seed=3)
    last = train_gcn(small_graph, config).finish()
    best = train_gcn(small_graph, config.change(keep_best=True)).finish()
    reached = [
        train_gcn(small_graph, config.change(epochs=n)).finish().scores.val_accuracy for n in range(10, 61, 10)
    ]
    assert best.scores.val_accuracy == max(reached) >= last.scores.val_accuracy
    assert f"epoch {10 * (1 + reached.index(max(reached)))}," in best.finished.reason


def test_a_gcn_may_read_out_without_the_graph(small_graph):
    from pgcn.baselines.gcn import train_gcn

    result = train_gcn(small_graph, GCNConfig(hidden=(8, 4), readout="linear", epochs=5)).finish()
    hidden = result.model.hidden_features(small_graph.x, small_graph.edge_index)
    assert (result.model(small_graph.x, small_graph.edge_index) == hidden @ result.model.output.weight).all()


def test_the_study_grows_as_the_reproduction_does_with_the_papers_lowest_dropout():
    assert study_growth() == growth_preset("reproduction", dropout=0.1)
