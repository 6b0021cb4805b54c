"""A graph without test nodes is a graph: accuracies that nobody measured are left out, and nothing shows 'nan'."""

import dataclasses
import json
import re

import pytest
from small_arena import outcome

from pgcn import build_graph, load_graph
from pgcn.cli import main
from pgcn.store import Store
from pgcn.studies.arena.results import ArenaResults, failures
from pgcn.studies.baseline import Baseline
from pgcn.ui.grow.batch import findings
from pgcn.views.arena.page import headline
from pgcn.views.batch import scatter_figure
from pgcn.views.compare import CURVES, comparison_figure
from pgcn.views.event_log import frames_of
from pgcn.views.exports import events_as_csv
from pgcn.views.replay import replay
from pgcn.views.run_table import row_of

QUICK = ["--set", "epochs=2", "max_layers=1", "max_width=10"]
NAN = re.compile(r"\bnan\b", re.IGNORECASE)


@pytest.fixture
def store(tmp_path, monkeypatch):
    """A store with the karate club, in which nobody is a test node, as a data set named 'club'."""
    monkeypatch.setenv("PGCN_STORE", f"sqlite:///{tmp_path / 'runs.db'}")
    karate = load_graph("karate")
    parts = ("features", "edge_index", "y", "train_mask", "val_mask")
    club = build_graph(name="club", **{part: getattr(karate, part) for part in parts})
    store = Store()
    store.add_graph(club, name="club")
    yield store
    store.close()


@pytest.fixture
def runs(store, capsys):
    assert main(["grow", "--dataset", "club", "--runs", "2", "--workers", "1", "--store", *QUICK]) == 0
    assert not NAN.search(capsys.readouterr().out)
    return store.runs()


def test_a_block_says_only_what_was_measured(store, runs):
    events = store.events(runs[0].id)
    shown = json.dumps([dataclasses.asdict(frame) for frame in frames_of(events)[1:]]) + json.dumps(
        replay(events, name="a")
    )
    tooltips = "\n".join(block.about for frame in frames_of(events) for block in frame.blocks)
    assert "validation accuracy" in tooltips and "test accuracy" not in tooltips
    assert not NAN.search(tooltips) and "test –" not in shown


def test_a_batch_is_shown_by_validation_accuracy(runs):
    baseline = Baseline(seeds=2, val=0.5, val_sd=0.1, test=float("nan"), test_sd=0.0, parameters=9)
    figure = scatter_figure(runs, baseline)
    assert figure["layout"]["yaxis"]["title"]["text"] == "validation accuracy (%)"
    reached = sorted(y for trace in figure["data"][:-1] for y in trace["y"])
    assert reached == sorted(100 * run.scores["val_accuracy"] for run in runs)
    assert figure["data"][-1]["y"] == [50.0]
    assert findings(runs, baseline, unit="seeds", running=False).startswith("Validation accuracy")


def test_tables_curves_and_files_leave_it_out(store, runs):
    assert [row_of(run)["test (%)"] for run in runs] == [None, None]
    events = {run.id: store.events(run.id) for run in runs}
    json.dumps([comparison_figure(events, what) for what in CURVES], allow_nan=False)
    assert not NAN.search("".join(map(events_as_csv, events.values())))


@pytest.mark.parametrize(
    "command",
    [["grow"], ["grow", "--runs", "2"], ["gcn", "--runs", "2"], ["sensitivity", "--times", "2"]],
    ids=" ".join,
)
@pytest.mark.parametrize("form", [[], ["--json"]], ids=["text", "json"])
def test_the_command_line_never_says_nan(store, command, form, capsys):
    settings = ["--set", "epochs=2"] if command[0] == "gcn" else QUICK
    alone = ["--workers", "1"] if command[1:] else []
    assert main([*command, *alone, "--dataset", "club", *form, *settings]) == 0
    out = capsys.readouterr().out
    assert not NAN.search(out)
    if form:
        assert all(json.loads(line) for line in out.splitlines())
    elif command[0] == "sensitivity":
        assert "validation accuracy" in out and "test accuracy" not in out


def test_the_arena_says_that_a_graph_has_no_test_nodes():
    results = ArenaResults([outcome(dataset="club", test_accuracy=None)])
    assert failures(results) == [
        "club has no test nodes. Compare methods on a random split: random:5 or fraction:0.3."
    ]
    assert headline(results, results.outcomes[0].place) == (
        "club has no test nodes: choose a random split under More"
    )
    assert not ArenaResults([outcome()]).untested
