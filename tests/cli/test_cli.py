"""The command line, as a person uses it."""

import argparse
import json
import re
import signal
import subprocess
import sys
import time

import pytest
from tools import ROOT, start_pgcn

from pgcn import load_graph
from pgcn.cli import COMMANDS, parser
from pgcn.engine.model import GraphNet
from pgcn.events import RunFinished, event_from_dict
from pgcn.execution.start import grow
from pgcn.methods.pgcn import PRESETS, growth_preset
from pgcn.store import Store

QUICK = ["--set", "epochs=20", "max_layers=2", "max_width=10"]


@pytest.fixture
def pgcn(pgcn, data_dir, monkeypatch):
    """Return a function that runs a command, which looks for data sets where the tests do."""
    if data_dir is not None:
        monkeypatch.setenv("PGCN_DATA_DIR", str(data_dir))
    return pgcn


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


def test_advise_prints_what_it_counted_and_measured_and_what_follows(pgcn):
    code, out, _ = pgcn("advise", "--dataset", "karate")
    assert code == 0 and "labels per feature N_L/D" in out and "15 validation nodes are too few" in out
    graph = ["--dataset", "synthetic", "--with", "nodes=300", "classes=3", "features=60", "--dims", "10"]
    code, out, _ = pgcn("advise", *graph, "--seconds", "2", "--json")
    advice = json.loads(out)
    assert code == 0 and advice["sentence"].endswith(".") and advice["facts"]["features_before"] == 60
    assert advice["facts"]["features"] == 10


def test_auto_picks_a_preset_by_validation_and_what_is_stored_is_an_ordinary_run_of_it(pgcn):
    graph = ["--dataset", "synthetic", "--with", "nodes=120", "classes=3", "features=40"]
    settings = ["epochs=5", "max_layers=1", "max_width=10"]
    code, out, _ = pgcn(
        "grow", "--preset", "auto", "--budget", "30", *graph, "--set", *settings, "--store", "--json"
    )
    picked, started = (json.loads(line) for line in out.splitlines()[:2])
    assert code == 0 and picked["event"] == "PresetPicked" and picked["preset"] in PRESETS
    assert {row["name"] for row in picked["tried"]} == set(PRESETS) and picked["why"].endswith(".")
    assert started["config"] == growth_preset(picked["preset"]).set(*settings).to_dict()
    store = Store()
    [run] = store.runs()
    assert run.status == "finished" and f"Preset {picked['preset']}, picked automatically" in run.note
    store.close()
    code, out, _ = pgcn("grow", "--preset", "auto", "--budget", "1", "--dataset", "karate", "--set", *settings)
    assert code == 0 and "Preset " in out
    code, _, err = pgcn("grow", "--preset", "tuned", "--budget", "9")
    assert code == 2 and "--budget is for --preset auto" in err


def test_the_number_of_seeds_does_not_replace_the_seed_of_the_split(pgcn):
    code, out, _ = pgcn("gcn", "--dataset", "karate", "--runs", "2", "--workers", "1", "--set", "epochs=5")
    assert code == 0 and "half test, seed 0); 2 seeds." in " ".join(out.split())


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
        (["grow", "--save", "no/such/folder/model.safetensors"], "the folder does not exist"),
        (["grow", "--workers", "0"], "--workers must be at least 1, got 0"),
        (["grow", "--runs", "0"], "--runs must be at least 1, got 0"),
        (["grow", "--split", "random:0"], "0"),
        (["grow", "--with", "nodes=5"], "synthetic"),
        (
            ["grow", "--dataset", "synthetic", "--with", "nodes=few"],
            "nodes must be a whole number, got 'few'",
        ),
        (["grow", "--set", "learning_rate=1e30", "epochs=20"], "learning_rate"),
        (["grow", "--set", "device=warp"], "device must be cpu, cuda, cuda:N or mps, got 'warp'"),
        (["grow", "--dataset", "karate", "--set", "device=cuda:99"], "device 'cuda:99' cannot be used here"),
        (["advise", "--dataset", "karate", "--seconds", "0"], "seconds must be greater than 0, got 0.0"),
        (["advise", "--dataset", "corra"], "No data set named 'corra'"),
        (["data", "get", "nowhere"], "No data set named 'nowhere'"),
    ],
)
def test_bad_input_gets_one_clear_line_and_exit_code_2(pgcn, arguments, message):
    code, _, err = pgcn(*arguments)
    assert code == 2
    assert message in err and "Traceback" not in err


def test_help_imports_nothing_that_takes_long():
    slow = ("torch", "streamlit", "scipy", "numpy", "sqlalchemy", "rich")
    probe = f"import sys, pgcn.cli; pgcn.cli.parser(); print([name for name in {slow} if name in sys.modules])"
    assert subprocess.check_output([sys.executable, "-c", probe], text=True).strip() == "[]"


def command_names():
    [commands] = [action for action in parser()._actions if isinstance(action, argparse._SubParsersAction)]
    return list(commands.choices)


def test_every_command_has_a_module_of_its_name():
    assert command_names() == [command.__name__.removeprefix("pgcn.cli.") for command in COMMANDS]


@pytest.mark.parametrize("path", sorted((ROOT / "pgcn" / "cli").glob("[a-z]*.py")), ids=lambda path: path.stem)
def test_no_module_imports_a_command(path):
    imported = re.findall(r"^\s*(?:from|import) pgcn\.cli\.(\w+)", path.read_text(), re.MULTILINE)
    assert not set(imported) & set(command_names())
    assert "from pgcn.cli import" not in path.read_text()


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


@pytest.mark.parametrize("name", ["[/red]", "[bold]x", "[link=http://pgcn.invalid]y[/link]", ":smile: [x"])
def test_names_in_brackets_are_printed_to_the_letter(pgcn, tmp_path, small_graph, name):
    store = Store()
    store.add_graph(small_graph, name=name)
    store.close()
    for command in (["grow", "--dataset", name, "--store", "--set", "epochs=2", "max_layers=1"], ["runs"]):
        code, out, _ = pgcn(*command)
        assert code == 0 and name in out


def test_a_graph_that_was_stored_is_listed_among_the_data_sets_and_can_be_used(pgcn, tmp_path):
    store = Store()
    store.add_graph(load_graph("synthetic", nodes=60, classes=3, features=20), name="[mine]")
    store.close()
    code, out, _ = pgcn("data")
    row = next(line for line in out.splitlines() if "[mine]" in line)
    assert code == 0 and {"60", "20", "3"} <= set(row.split())
    assert pgcn("gcn", "--dataset", "[mine]", "--set", "epochs=2")[0] == 0


def test_the_data_sets_are_listed_also_where_no_store_can_be_opened(pgcn, tmp_path, monkeypatch):
    (tmp_path / "letter.txt").write_text("Dear reader, this is no database. " * 100)
    monkeypatch.setenv("PGCN_STORE", f"sqlite:///{tmp_path / 'letter.txt'}")
    code, out, err = pgcn("data")
    assert code == 0 and "citeseer" in out and "cannot be opened" in err
