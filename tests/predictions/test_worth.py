"""How far predictions can be trusted, what carried them, and the network without this program."""

import json
import os
import subprocess
import sys

import numpy as np
import pytest
import torch
from predictions.test_predictions import finished_run, store  # noqa: F401 - a fixture
from small_runs import quick

from pgcn import load_graph
from pgcn.cli import main
from pgcn.errors import ConfigError, GraphError
from pgcn.execution.recorder import stored_model
from pgcn.execution.script import network_script
from pgcn.execution.start import train
from pgcn.methods.registry import METHODS
from pgcn.predictions.again import grow_again
from pgcn.predictions.calibration import calibrated, fitted_temperature, negative_log_likelihood, reliability
from pgcn.predictions.explain import explain_node, gradient_times_input
from pgcn.predictions.labelling import most_uncertain, version_name, with_labels
from pgcn.predictions.predict import predict, predictions_of
from pgcn.predictions.work import PredictionWork, graph_of, read_explanation, read_predictions


def random_logits(count=400, classes=4, sharp=3.0):
    """Logits drawn from their own softmax at temperature 1, then made too sharp."""
    draw = np.random.default_rng(0)
    logits = draw.normal(size=(count, classes)) * 2
    share = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
    y = np.array([draw.choice(classes, p=row) for row in share])
    return logits * sharp, y


def test_the_calibration_error_is_that_of_a_slow_sum_over_bins():
    logits, y = random_logits()
    share = torch.softmax(torch.from_numpy(logits), dim=1).numpy()
    total = 0.0
    for number in range(10):
        inside = [i for i in range(len(y)) if number / 10 < share[i].max() <= (number + 1) / 10]
        if inside:
            right = sum(share[i].argmax() == y[i] for i in inside)
            total += abs(right - sum(share[i].max() for i in inside)) / len(y)
    assert reliability(share, y).calibration_error == pytest.approx(total)


def test_the_temperature_is_where_the_likelihood_is_largest_and_no_class_changes():
    logits, y = random_logits(sharp=3.0)
    found = fitted_temperature(logits, y)
    grid = np.linspace(0.5, 8, 751)
    best = grid[np.argmin([negative_log_likelihood(logits, y, one) for one in grid])]
    assert found == pytest.approx(best, abs=0.011) and 2 < found < 4.5
    with pytest.raises(GraphError, match="needs nodes whose class is known"):
        fitted_temperature(logits[:0], y[:0])


def test_shares_of_a_relu_network_without_biases_add_up_to_its_lead(small_graph):
    model = train("pgcn", small_graph, quick("pgcn").change(bias=False)).finish().model
    shares, logits, predicted, second = gradient_times_input(model, small_graph, 7)
    assert shares.sum().item() == pytest.approx((logits[predicted] - logits[second]).item(), rel=1e-4)


@pytest.mark.parametrize("method", METHODS)
def test_without_an_edge_or_a_feature_is_as_if_the_graph_had_never_had_it(method, small_graph):
    model = train(method, small_graph, quick(method)).finish().model
    why = explain_node(model, small_graph, 7)

    def probability(x, adjacency):
        logits = model(x, adjacency.nonzero().T, None)[7].double()
        return torch.softmax(logits, dim=0)[why.predicted].item()

    dense, x = torch.zeros(small_graph.num_nodes, small_graph.num_nodes), small_graph.x
    dense[small_graph.edge_index[0], small_graph.edge_index[1]] = 1
    whole = probability(x, dense)
    assert why.probability == pytest.approx(whole, abs=1e-6) and why.nodes[0][:2] == (7, 0)
    for one, other, change in why.edges[:3]:
        assert dense[one, other] == 1
        cut = dense.clone()
        cut[one, other] = cut[other, one] = 0
        assert change == pytest.approx(whole - probability(x, cut), abs=1e-6)
    for feature, _, change in why.features[:3]:
        blind = x.clone()
        blind[:, feature] = 0
        assert change == pytest.approx(whole - probability(blind, dense), abs=1e-6)


def test_the_most_uncertain_free_nodes_become_labelled_nodes_and_nothing_else_changes():
    graph = load_graph("synthetic", nodes=120, classes=3, features=40, seed=1)
    third = torch.arange(120) % 4
    graph = graph.with_masks(third == 0, third == 1, third == 2, split="by number")
    found = predictions_of(train("gcn", graph, quick("gcn")).finish().model, graph)
    chosen = most_uncertain(found, 5)
    free = [node for node in range(120) if found.part[node] == 0]
    assert chosen.tolist() == sorted(free, key=lambda node: -found.entropy[node])[:5]
    more = with_labels(graph, {int(node): 1 for node in chosen})
    assert more.y[chosen].tolist() == [1] * 5 and int(more.train_mask.sum()) == int(graph.train_mask.sum()) + 5
    assert torch.equal(more.val_mask, graph.val_mask) and torch.equal(more.test_mask, graph.test_mask)
    assert more.content_id() != graph.content_id()
    with pytest.raises(GraphError, match="cannot be labelled"):
        with_labels(graph, {int(torch.nonzero(graph.val_mask)[0]): 1})
    for number in (3, -1, "zebra", None):
        with pytest.raises(GraphError, match="A class must be one of 0 to 2, got"):
            with_labels(graph, {int(chosen[0]): number})
    assert version_name("cora", {"cora +5 labels": 1}, 5) == "cora +5 labels (2)"


def test_a_graph_with_more_labels_and_the_run_on_it_belong_to_whoever_gave_the_labels(store):  # noqa: F811
    run = finished_run(store, "gcn")
    free = int(np.flatnonzero(predict(store, run).part == 0)[0])
    grow_again(store, run, {free: 1}, new="a" * 32, creator="me").finish()
    assert store.stored_graphs()["mine +1 labels"].creator == store.run("a" * 32).creator == "me"


SCRIPTED = [
    pytest.param(("pgcn", {}), marks=pytest.mark.slow),
    ("pgcn", {"readout": "pagerank", "bias": True}),
    pytest.param(("gcn", {}), marks=pytest.mark.slow),
]


@pytest.mark.parametrize("network", SCRIPTED)
def test_the_script_gives_the_same_predictions_where_pgcn_cannot_be_imported(store, tmp_path, network):  # noqa: F811
    method, settings = network
    run = finished_run(store, method, **settings)
    graph = graph_of(store, run)
    files = {"--model": "network.safetensors", "--script": "use.py", "--graph": "graph.pt"}
    assert (
        main(["export", run, *(part for one, file in files.items() for part in (one, str(tmp_path / file)))]) == 0
    )
    script = (tmp_path / "use.py").read_text()
    assert "pgcn" not in script and len(script.splitlines()) <= 16
    saved = torch.load(tmp_path / "graph.pt", weights_only=True)
    assert torch.equal(saved["x"], graph.x) and torch.equal(saved["edge_index"], graph.edge_index)
    blocked = "import sys, runpy; sys.modules['pgcn'] = None; sys.argv.pop(0); runpy.run_path(sys.argv[0])"
    command = [sys.executable, "-c", blocked, "use.py", "network.safetensors", "graph.pt"]
    own = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(command, cwd=tmp_path, env=own, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert list(map(int, done.stdout.split())) == predict(store, run).classes.tolist()


def test_other_methods_say_plainly_that_there_is_no_script(store, tmp_path, capsys):  # noqa: F811
    run = finished_run(store, "gat")
    with pytest.raises(ConfigError, match="PGCN and GCN only"):
        network_script(store, run)
    assert main(["export", run, "--script", str(tmp_path / "use.py")]) == 2
    assert "of GAT" in capsys.readouterr().err


def test_a_network_fitted_to_squared_error_is_given_a_temperature_unless_it_is_refused(store, tmp_path, capsys):  # noqa: F811
    run, out = finished_run(store, "pgcn", loss="mse"), str(tmp_path / "p.csv")
    raw = predict(store, run)
    fitted = calibrated(raw)
    assert main(["predict", run, "--out", out]) == 0
    assert f"Temperature {fitted.temperature:.3f}" in capsys.readouterr().out
    assert main(["predict", run, "--no-calibrate", "--out", out]) == 0
    assert "Temperature" not in capsys.readouterr().out
    list(PredictionWork(store, run, 3))
    explained = read_explanation(store, run, store.network(run).step, 3)["probability"]
    assert explained == pytest.approx(fitted.probabilities[3].max(), abs=1e-6)
    nodes = raw.in_part(2)
    surer, less = (reliability(found.probabilities[nodes], found.y[nodes]) for found in (fitted, raw))
    assert surer.calibration_error < less.calibration_error


def test_what_a_job_computed_is_read_again_as_it_was(store):  # noqa: F811
    run = finished_run(store, "gcn")
    step = store.network(run).step
    assert read_predictions(store, run, step) is None
    list(PredictionWork(store, run))
    list(PredictionWork(store, run, 3))
    found = read_predictions(store, run, step)
    assert found.columns() == predict(store, run).columns()
    assert read_explanation(store, run, step, 3)["node"] == "=node 3"


def test_the_command_line_explains_a_node_and_calibrates(store, tmp_path, capsys):  # noqa: F811
    run = finished_run(store, "gcn")
    assert main(["explain", run, "=node 3", "--json"]) == 0
    facts = json.loads(capsys.readouterr().out)
    assert facts["node"] == "=node 3" and facts["features"][0]["feature"].startswith("word ")
    assert main(["explain", run, "=node 3"]) == 0 and "Edges:" in capsys.readouterr().out
    assert main(["explain", run, "nobody"]) == 2 and "No node is called 'nobody'" in capsys.readouterr().err
    assert main(["predict", run, "--calibrate", "--out", str(tmp_path / "p.csv")]) == 0
    assert f"Temperature {calibrated(predict(store, run)).temperature:.3f}" in capsys.readouterr().out
    assert stored_model(store, run) is not None
