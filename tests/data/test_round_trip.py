"""Cora written to every format and read again is the same graph, and the same network grows on it."""

from dataclasses import replace

import numpy as np
import pytest
import torch
from comparison import timeless
from written import WRITERS, edge_table, labels, networkx_graph, node_table

from pgcn import Graph, import_graph, train
from pgcn.graph import adjacency

NUMBERED = ("npz of plain arrays", "pyg data", "tensors")
"""Formats that have no names of classes."""
QUICK = {"epochs": 3, "max_layers": 1, "max_width": 10}


def assert_same(read: Graph, written: Graph) -> None:
    assert np.array_equal(read.features.toarray(), written.features.toarray())
    for part in ("edge_index", "y", "train_mask", "val_mask", "test_mask"):
        assert torch.equal(getattr(read, part), getattr(written, part)), part
    assert read.node_names is None and read.edge_weight is None


@pytest.fixture(scope="module")
def reference(cora):
    return events_of(cora)


def events_of(graph):
    named = replace(graph, name="cora", notes=(), split="given", source=None)
    return timeless(list(train("pgcn", named, **QUICK)))


@pytest.mark.parametrize("form", WRITERS)
def test_cora_comes_back_bit_for_bit_from_every_format(form, cora, reference, tmp_path):
    options = {"classes": list(cora.class_names)} if form not in (*NUMBERED, "npz of sparse parts") else {}
    if form in ("graphml", "gexf", "json"):
        options |= {"label": "topic", "missing": "zero"}
    graph = import_graph(*WRITERS[form](cora, tmp_path), **options)
    if form in ("graphml", "gexf", "json"):  # columns come in the order in which nodes first name them
        order = np.argsort([int(name) for name in graph.feature_names])
        found = [int(name) for name in np.array(graph.feature_names)[order]]
        assert found == np.flatnonzero(np.diff(cora.features.tocsc().indptr)).tolist()
        features = np.zeros(cora.features.shape, np.float32)
        features[:, found] = graph.features.toarray()[:, order]
        graph = graph.with_features(features, note="")
    assert_same(graph, cora)
    if form not in NUMBERED:
        assert graph.class_names == cora.class_names
    assert events_of(graph) == reference


@pytest.mark.parametrize("form", ["pyg", "pandas", "scipy", "networkx"])
def test_cora_comes_back_from_other_libraries(form, cora):
    classes = list(cora.class_names)
    if form == "pyg":
        graph = Graph.from_pyg(cora.to_pyg())
    elif form == "pandas":
        graph = Graph.from_pandas(node_table(cora).to_pandas(), edge_table(cora).to_pandas(), classes=classes)
    elif form == "scipy":
        masks = {name: getattr(cora, name) for name in ("train_mask", "val_mask", "test_mask")}
        matrix = adjacency(cora.edge_index, cora.num_nodes)
        graph = Graph.from_scipy(matrix, cora.features, labels(cora), classes=classes, **masks)
    else:
        graph = Graph.from_networkx(networkx_graph(cora), label="topic", missing="zero", classes=classes)
        assert torch.equal(graph.y, cora.y) and torch.equal(graph.edge_index, cora.edge_index)
        return
    assert_same(graph, cora)
