"""``pgcn train METHOD`` for every method there is."""

import json
import subprocess
import sys

import pytest

from pgcn import load_network
from pgcn.cli import main
from pgcn.events import RunFinished, RunStarted, event_from_dict
from pgcn.methods.registry import METHODS

QUICK = {"pgcn": ("epochs=10", "max_layers=1", "max_width=10"), "gcn": ("epochs=10",), "sgc": ("epochs=10",)}
QUICK["gat"] = ("epochs=5", "heads=2", "output_heads=2")
QUICK["ngcn"] = ("epochs=5", "powers=0,2", "output=fc")
QUICK["appnp"], QUICK["mlp"] = ("epochs=5",), ("epochs=10",)
SEARCHES = ("graphnas", "autognn", "random")
QUICK |= dict.fromkeys(SEARCHES, ("architectures=3", "child_epochs=3", "final_runs=2", "max_width=16"))
GRAPH = ("--dataset", "synthetic", "--with", "nodes=120", "classes=3", "features=40")


def test_every_method_is_tested_here():
    assert list(QUICK) == list(METHODS)


def test_a_method_has_its_published_settings_for_the_data_set_unless_a_preset_is_named(pgcn, data_dir):
    how = ("--dataset", "pubmed", "--set", "epochs=1", "--json")
    for preset, heads in (((), 8), (("--preset", "citation"), 1)):
        code, out, _ = pgcn("train", "gat", *how, *preset, *(("--data-dir", str(data_dir)) if data_dir else ()))
        assert code == 0 and json.loads(out.splitlines()[0])["config"]["output_heads"] == heads


def test_what_does_not_fit_into_memory_is_refused_before_it_is_built(pgcn, monkeypatch):
    monkeypatch.setattr("pgcn.execution.memory.machine_memory", lambda: 2**30)
    code, _, err = pgcn("train", "gat", "--dataset", "karate", "--set", "heads=1000", "hidden=1000")
    assert code != 0 and "of memory; this machine has 1.0 GB" in err


@pytest.mark.parametrize("method", QUICK)
def test_one_run_is_shown_from_its_beginning_to_what_it_reached(pgcn, method):
    code, out, _ = pgcn("train", method, *GRAPH, "--seed", "3", "--set", *QUICK[method])
    words = " ".join(out.split())
    assert code == 0
    assert f"{METHODS[method].title} on synthetic: 120 nodes" in words and "seed 3" in words
    assert "parameters" in words and "test is never used" in words


@pytest.mark.parametrize("method", QUICK)
def test_many_runs_are_printed_stored_and_the_best_is_saved(pgcn, method, tmp_path):
    saved = tmp_path / "best.safetensors"
    how = ("--runs", "2", "--workers", "1", "--json", "--store", "--save", str(saved))
    code, out, err = pgcn("train", method, *GRAPH, *how, "--set", *QUICK[method])
    *lines, summary = (json.loads(line) for line in out.splitlines())
    events = [event_from_dict({name: value for name, value in line.items() if name != "run"}) for line in lines]
    assert code == 0 and "Stored as" in err
    assert {event.method for event in events if isinstance(event, RunStarted)} == {method}
    assert sum(isinstance(event, RunFinished) for event in events) == summary["runs"] == 2
    model = load_network(saved)
    assert (model.method, model.config["seed"]) == (method, summary["best"]["seed"])
    code, out, _ = pgcn("runs", "--json")
    stored = [json.loads(line) for line in out.splitlines()]
    assert [run["method"] for run in stored] == [method] * 2
    assert stored[0]["batch"] and stored[0]["batch"] == stored[1]["batch"]  # a row of the Runs page


def test_a_preset_and_changes_of_it_are_used(pgcn):
    code, out, _ = pgcn("train", "gat", *GRAPH, "--preset", "pubmed", "--json", "--set", "epochs=2", "heads=3")
    config = json.loads(out.splitlines()[0])["config"]
    assert code == 0
    assert (config["output_heads"], config["weight_decay"], config["heads"], config["epochs"]) == (8, 1e-3, 3, 2)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["gatt"], "No method named 'gatt'. Choose one of: pgcn, gcn, sgc, gat, ngcn, appnp, mlp"),
        (["gat", "--preset", "cora"], "No preset of GAT named 'cora'. Choose one of: citation, pubmed."),
        (["gcn", "--preset", "cora"], "GCN has no presets, got 'cora'."),
        (["gat", "--set", "head=2"], "No setting named 'head'. Choose one of: heads, hidden"),
        (["sgc", "--set", "hops=many"], "hops must be a whole number, got 'many'"),
        (["sgc", "--set", "seed=3"], "--seed"),
        (["gat", *GRAPH, "--set", "learning_rate=1e30"], "The run failed. Training diverged"),
    ],
)
def test_bad_input_gets_one_clear_line_and_exit_code_2(pgcn, arguments, message):
    code, _, err = pgcn("train", *arguments)
    assert code == 2 and message in err and "Traceback" not in err


def test_help_lists_the_methods_and_settings_lists_theirs(pgcn, capsys):
    with pytest.raises(SystemExit):
        main(["train", "--help"])
    help_text, (_, out, _) = capsys.readouterr().out, pgcn("settings")
    for method in METHODS.values():
        assert method.about in help_text and f"pgcn train {method.name}" in out
    assert "attention_dropout" in out and "Propagations Â before the linear layer" in out
    assert "pubmed: output_heads=8, learning_rate=0.01, weight_decay=0.001" in out


def test_neither_help_nor_a_wrong_method_waits_for_torch():
    probe = (
        "import sys\nfrom pgcn.cli import main\n"
        "try: main(sys.argv[1:])\nexcept SystemExit: pass\nprint('torch' in sys.modules)"
    )
    for arguments in (["train", "--help"], ["train", "nothing"], ["settings"]):
        command = [sys.executable, "-c", probe, *arguments]
        assert subprocess.check_output(command, text=True, stderr=subprocess.DEVNULL).splitlines()[-1] == "False"
