"""The command line, as a person uses it."""

import json
import signal
import subprocess
import sys
import time

import pytest
from tools import start_pgcn

from pgcn.cli import main
from pgcn.engine.model import GraphNet
from pgcn.events import RunFinished, event_from_dict
from pgcn.execution.start import grow
from pgcn.methods.pgcn import growth_preset

QUICK = ["--set", "epochs=20", "max_layers=2", "max_width=10"]


@pytest.fixture
def pgcn(capsys, data_dir, monkeypatch):
    """Return a function that runs a command in this process and returns (exit code, stdout, stderr)."""
    if data_dir is not None:
        monkeypatch.setenv("PGCN_DATA_DIR", str(data_dir))
    monkeypatch.setenv("COLUMNS", "200")

    def run(*arguments):
        code = main(arguments)
        return code, *capsys.readouterr()

    return run


def test_grow_tells_what_was_tried_what_stayed_and_what_came_of_it(pgcn):
    code, out, _ = pgcn("grow", "--dataset", "cora", "--preset", "reproduction", "--seed", "0", *QUICK)
    assert code == 0
    assert "2,708 nodes" in out and "140 labelled" in out and "seed 0" in out
    assert "layer 1, block 1" in out and "r_b =" in out and "Growth ended because" in out
    assert "parameters" in out and "test is never used" in out


def test_grow_json_prints_the_events_that_python_gives(pgcn, cora):
    code, out, _ = pgcn("grow", "--json", "--seed", "3", *QUICK)
    events = [event_from_dict(json.loads(line)) for line in out.splitlines()]
    assert code == 0
    direct = grow(cora, growth_preset(seed=3, epochs=20, max_layers=2, max_width=10)).finish()
    assert [type(event) for event in events] == [type(event) for event in direct.events]
    assert events[-1].topology == direct.topology and events[-1].scores == direct.scores


def test_many_runs_end_with_mean_deviation_and_the_run_of_best_validation(pgcn, tmp_path):
    saved = tmp_path / "best.safetensors"
    code, out, _ = pgcn("grow", "--runs", "3", "--workers", "1", "--json", "--save", str(saved), *QUICK)
    lines = [json.loads(line) for line in out.splitlines()]
    summary = lines[-1]
    finished = [event_from_dict({k: v for k, v in line.items() if k != "run"}) for line in lines[:-1]]
    ends = [event for event in finished if isinstance(event, RunFinished)]
    assert code == 0 and len(ends) == 3
    mean = sum(end.scores.test_accuracy for end in ends) / 3
    assert summary["test_accuracy"]["mean"] == pytest.approx(mean)
    assert summary["best"]["scores"]["val_accuracy"] == max(end.scores.val_accuracy for end in ends)
    assert GraphNet.load(saved).config["seed"] == summary["best"]["seed"]
    code, out, _ = pgcn("grow", "--runs", "3", *QUICK)
    assert f"{100 * mean:.1f} ±" in out and "(mean ± sd)" in out and "best validation: seed" in out


def test_gcn_runs_likewise(pgcn):
    code, out, _ = pgcn("gcn", "--runs", "2", "--workers", "1", "--set", "epochs=20", "hidden=8")
    assert code == 0 and "1433 → 8 → 7" in out and "(mean ± sd)" in out
    code, out, _ = pgcn("gcn", "--json", "--set", "epochs=20")
    assert json.loads(out.splitlines()[-1])["topology"] == [16]


def test_a_synthetic_graph_says_that_it_is_synthetic(pgcn):
    code, out, _ = pgcn("grow", "--dataset", "synthetic", "--with", "nodes=300", "classes=3", *QUICK)
    assert code == 0 and "synthetic" in out and "300 nodes" in out


def test_data_lists_every_data_set_and_where_it_is(pgcn):
    code, out, _ = pgcn("data")
    assert code == 0
    for name in ("cora", "citeseer", "pubmed", "karate", "synthetic"):
        assert name in out
    assert "19,717" in out and "0.052" in out


def test_settings_are_listed_with_a_sentence_each(pgcn):
    code, out, _ = pgcn("settings")
    assert (
        code == 0 and "block_width" in out and "Neurons added at a time" in out and "reproduction (default)" in out
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["grow", "--dataset", "corra"], "No data set named 'corra'"),
        (["grow", "--preset", "best"], "No preset named 'best'"),
        (["grow", "--set", "colour=red"], "No setting named 'colour'"),
        (["grow", "--set", "block_width=0"], "block_width must be at least 1, got 0"),
        (["grow", "--set", "epsilon_b=soon"], "epsilon_b must be a number, got 'soon'"),
        (["grow", "--set", "block_width"], "key=value"),
        (["grow", "--set", "seed=3"], "--seed"),
        (["grow", "--save", "no/such/folder/model.safetensors"], "the folder is not there"),
        (["grow", "--workers", "0"], "--workers must be at least 1, got 0"),
        (["grow", "--runs", "0"], "--runs must be at least 1, got 0"),
        (["grow", "--split", "random:0"], "0"),
        (["grow", "--with", "nodes=5"], "synthetic"),
        (
            ["grow", "--dataset", "synthetic", "--with", "nodes=few"],
            "nodes must be a whole number, got 'few'",
        ),
        (["grow", "--set", "learning_rate=1e30", "epochs=20"], "learning_rate"),
        (["grow", "--set", "device=warp"], "device 'warp' cannot be used here"),
        (["data", "get", "nowhere"], "No data set named 'nowhere'"),
    ],
)
def test_bad_input_gets_one_clear_line_and_exit_code_2(pgcn, arguments, message):
    code, _, err = pgcn(*arguments)
    assert code == 2
    assert message in err and "Traceback" not in err


def test_help_does_not_wait_for_torch():
    probe = (
        "import sys, pgcn.cli; pgcn.cli.parser(); "
        "print([name for name in ('torch', 'streamlit', 'scipy') if name in sys.modules])"
    )
    assert subprocess.check_output([sys.executable, "-c", probe], text=True).strip() == "[]"


def test_ctrl_c_stops_a_run_quietly(data_dir):
    process = start_pgcn(data_dir, "grow", "--json", "--set", "epochs=100000")
    assert "RunStarted" in process.stdout.readline()
    time.sleep(0.2)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=20)
    assert process.returncode == 130
    assert json.loads(out.splitlines()[-1])["status"] == "cancelled"
    assert "stopped" in err and "Traceback" not in err


def test_a_reader_that_goes_away_is_no_error(data_dir):
    with start_pgcn(data_dir, "grow", "--json", *QUICK) as process:
        process.stdout.readline()
        process.stdout.close()
        err = process.stderr.read()
    assert process.returncode == 0 and "Traceback" not in err
