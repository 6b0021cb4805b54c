"""The predictions of a stored run go home as a table with one's own ids and names."""

import csv

import numpy as np
import pyarrow.parquet
import pytest
import torch
from small_runs import quick

from pgcn import Graph, load_graph
from pgcn.cli import main
from pgcn.errors import GraphError
from pgcn.execution.execute import execute
from pgcn.execution.graphs import load_source, named_source
from pgcn.execution.recorder import stored_model
from pgcn.execution.spec import RunSpec
from pgcn.methods.registry import METHODS
from pgcn.predictions.predict import predict
from pgcn.store import Store


def own_graph(extra: int = 0, **changes) -> Graph:
    """A small graph with names, two thirds of its labels, and perhaps more nodes that only have edges."""
    base = load_graph("synthetic", nodes=90, classes=3, features=8, average_degree=4.0, seed=5)
    data = base.to_pyg()
    data.y = torch.where(torch.arange(90) % 3 == 0, -1, data.y)
    data.x = torch.cat([data.x, torch.eye(8)[torch.arange(extra) % 8]])
    data.y = torch.cat([data.y, torch.full((extra,), -1)])
    new = torch.stack([torch.arange(90, 90 + extra), torch.arange(extra)])
    data.edge_index = torch.cat([data.edge_index, new], dim=1)
    for mask in ("train_mask", "val_mask", "test_mask"):
        del data[mask]
    data.node_names = [f"=node {number}" for number in range(90 + extra)]
    data.class_names = ["<b>red</b>", "green", "blue"]
    data.feature_names = [f"word {number}" for number in range(8)]
    data.update(changes)
    return Graph.from_pyg(data, scale="none")


@pytest.fixture
def store(tmp_path, monkeypatch):
    monkeypatch.setenv("PGCN_STORE", f"sqlite:///{tmp_path / 'runs.db'}")
    store = Store()
    store.add_graph(own_graph(), name="mine")
    yield store
    store.close()


def finished_run(store, method: str, **settings) -> str:
    spec = RunSpec(method=method, config=quick(method).change(**settings), source=named_source(store, "mine"))
    execute([spec], store).finish()
    return store.runs()[0].id


@pytest.mark.parametrize("method", METHODS)
def test_every_method_predicts_every_node(method, store):
    run = finished_run(store, method)
    found = predict(store, run)
    graph = load_source(named_source(store, "mine"), store)
    logits = stored_model(store, run)(graph.x, graph.edge_index, graph.edge_weight)
    assert np.array_equal(found.classes, logits.argmax(dim=1).numpy())
    own = stored_model(store, run).predict(graph.features, graph.edge_index, graph.edge_weight)
    assert np.array_equal(own.numpy(), found.classes)
    np.testing.assert_allclose(found.probabilities.sum(axis=1), 1)
    assert found.entropy.min() >= 0 and found.entropy.max() <= np.log(3) + 1e-9


def test_the_table_has_the_users_ids_and_names_and_no_formulas(store, tmp_path, capsys):
    run = finished_run(store, "gcn")
    assert main(["predict", run, "--out", str(tmp_path / "all.csv")]) == 0
    assert (
        "Wrote 90 predictions" in (out := capsys.readouterr().out) and "the class of 30 nodes was not known" in out
    )
    with (tmp_path / "all.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert rows[0]["node"] == "'=node 0" and rows[0]["known"] == "" and rows[1]["known"] != ""
    assert {row["class"] for row in rows} <= {"<b>red</b>", "green", "blue"}
    assert all(float(row["probability"]) == float(row[f"p({row['class']})"]) for row in rows)
    assert main(["predict", run, "--unknown", "--out", str(tmp_path / "unknown.parquet")]) == 0
    table = pyarrow.parquet.read_table(tmp_path / "unknown.parquet")
    assert table.num_rows == 30 and table["node"][0].as_py() == "=node 0"
    assert main(["predict", run, "--out", str(tmp_path / "all.xlsx")]) == 2
    assert "ends in .csv or .parquet" in capsys.readouterr().err


def test_a_network_is_applied_to_a_newer_version_of_its_graph(store):
    run = finished_run(store, "gcn")
    store.add_graph(own_graph(extra=5), name="newer")
    found = predict(store, run, graph="newer")
    assert found.probabilities.shape == (95, 3) and found.columns()["node"][-1] == "=node 94"
    store.add_graph(own_graph(feature_names=[f"other {number}" for number in range(8)]), name="others")
    with pytest.raises(GraphError, match=r"features of .* are not those of .*: the first that differs is number 0"):
        predict(store, run, graph="others")
    store.add_graph(own_graph(x=torch.ones(90, 3), feature_names=None), name="fewer")
    with pytest.raises(GraphError, match="has 3 features, but the network was trained on 8"):
        predict(store, run, graph="fewer")
