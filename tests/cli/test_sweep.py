"""``pgcn sweep``."""

import csv
import io
import json
import signal

import pytest
from small_arena import here
from tools import reproducible_environment, skip_unless_reproducible, start_pgcn, wait_until

from pgcn.recorded import recorded_sweep
from pgcn.store import Store

SET = ("--set", "epochs=5", "max_layers=1", "max_width=3")
GRID = ("--grid", "block_width=1,2", "dropout=0.1,0.5")
SWEEP = ("sweep", "--dataset", "karate", *GRID, "--runs", "2", *SET)


def test_a_sweep_is_computed_once_and_shown_in_every_way(pgcn, tmp_path, monkeypatch):
    monkeypatch.setattr("pgcn.cli.study_progress.processes", lambda *_, **__: here())
    code, out, err = pgcn(*SWEEP, "--workers", "1", "--json")
    runs = [json.loads(line) for line in out.splitlines()]
    assert code == 0 and "8 runs to do" in err and "karate: PGCN, block_width 1, dropout 0.1, seed 0:" in err
    assert [(run["block_width"], run["dropout"], run["seed"]) for run in runs[:3]] == [
        (1, 0.1, 0),
        (1, 0.5, 0),
        (2, 0.1, 0),
    ]
    code, out, err = pgcn(*SWEEP, "--csv", "--html", str(tmp_path / "report.html"))
    rows = list(csv.DictReader(io.StringIO(out)))
    assert code == 0 and "8 of 8 runs are stored already" in err
    assert [row["run"] for row in rows] == [run["run"] for run in runs]
    assert "karate" in (tmp_path / "report.html").read_text().lower()
    code, out, _ = pgcn(*SWEEP)
    assert code == 0 and "As the paper reports: the best of 8 runs by validation accuracy" in out
    assert "Accuracy by setting" in out and "block_width explains" in out and "best of n runs" in out


@pytest.mark.slow
def test_ctrl_c_loses_nothing_that_was_finished(tmp_path):
    url = f"sqlite:///{tmp_path / 'runs.db'}"
    store = Store(url)
    slow = ("sweep", "--dataset", "karate", *GRID, "--runs", "3", "--set", "epochs=60", "max_layers=2")
    process = start_pgcn(None, *slow, PGCN_STORE=url)
    wait_until(lambda: len(store.runs()) >= 2, 60)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert process.returncode == 130 and "Finished runs are stored" in err
    before = {run.id: run.created for run in store.runs()}
    again = start_pgcn(None, *slow, "--json", PGCN_STORE=url)
    out, err = again.communicate(timeout=200)
    assert again.returncode == 0 and f"{len(before)} of 12 runs are stored already" in err
    assert len(out.splitlines()) == 12
    assert before.items() <= {run.id: run.created for run in store.runs()}.items()
    store.close()


@pytest.mark.slow
def test_a_recorded_sweep_comes_back(tmp_path):
    skip_unless_reproducible()
    path = tmp_path / "sweep.jsonl.gz"
    environment = reproducible_environment(PGCN_STORE=f"sqlite:///{tmp_path / 'runs.db'}")
    process = start_pgcn(None, *SWEEP, "--record", str(path), "--json", **environment)
    out, err = process.communicate(timeout=200)
    assert process.returncode == 0 and "Wrote 8 runs" in err, err
    back = recorded_sweep(path)
    assert back.sweep.reproducible and [one.run for one in back.outcomes] == [
        json.loads(line)["run"] for line in out.splitlines()
    ]
    assert [one.test_accuracy for one in back.outcomes] == [
        json.loads(line)["test_accuracy"] for line in out.splitlines()
    ]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--dataset", "corra"), "No data set named 'corra'"),
        (("--protocol", "mine"), "No protocol named 'mine'. Choose one of: paper"),
        (("--protocol", "paper", "--grid", "dropout=0.1"), "give one of them"),
        (("--grid", "block_width"), "key=value,value"),
        (("--grid", "block_width=0"), "block_width must be at least 1, got 0"),
        (("--grid", "seed=1,2"), "seed is not varied"),
        (("--set", "dropout=0.2"), "dropout is not set for all runs of a sweep"),
        (("--set", "loss=mse"), "use --loss"),
        (("--set", "decider=person"), "decider = person is for a single run"),
        (("--preset", "mine"), "No preset named 'mine'"),
        (("--runs", "0"), "runs must be at least 1, got 0"),
        (("--workers", "0"), "--workers must be at least 1"),
        (("--html", "no/such/page.html"), "the folder does not exist"),
        (("--record", "sweep.txt"), "--record takes a file that ends in .gz"),
        (("--record", "sweep.jsonl.gz"), "--record writes what is the same on every machine"),
    ],
)
def test_bad_input_gets_one_clear_line(pgcn, arguments, message):
    code, out, err = pgcn("sweep", *arguments)
    assert code == 2 and out == "" and message in err and len(err.splitlines()) == 1
