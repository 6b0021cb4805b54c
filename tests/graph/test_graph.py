"""A graph is checked and cleaned when it is made, and says what was done."""

import numpy as np
import pytest
import scipy.sparse as sp
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from small_runs import quick

from pgcn import train
from pgcn.cli import main
from pgcn.data import load_graph
from pgcn.errors import GraphError
from pgcn.graph import adjacency, build_graph, normalized_adjacency, row_normalized
from pgcn.graph.arrays import clean_class_names
from pgcn.graph.checks import clean_edges
from pgcn.methods.registry import METHODS
from pgcn.store import Store


def parts(**changes):
    """Six nodes of two classes on a path, with two nodes in each mask."""
    path = np.array([[0, 1, 2, 3, 4], [1, 2, 3, 4, 5]])
    return {
        "name": "path",
        "features": np.eye(6),
        "edge_index": np.hstack([path, path[::-1]]),
        "y": np.array([0, 1, 0, 1, 0, 1]),
        "train_mask": np.array([1, 1, 0, 0, 0, 0], dtype=bool),
        "val_mask": np.array([0, 0, 1, 1, 0, 0], dtype=bool),
        "test_mask": np.array([0, 0, 0, 0, 1, 1], dtype=bool),
        **changes,
    }


def mask(*nodes):
    return np.isin(np.arange(6), nodes)


def test_a_clean_graph_has_nothing_to_say():
    graph = build_graph(**parts())
    assert (graph.num_nodes, graph.num_edges, graph.num_features, graph.num_classes) == (6, 5, 6, 2)
    assert graph.notes == ()
    assert graph.label_rate == pytest.approx(2 / 6)


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_features_that_are_not_finite_are_refused_with_their_place(value):
    features = np.eye(6)
    features[4, 2] = value
    with pytest.raises(GraphError, match=r"1 of them .* node 4, feature 2"):
        build_graph(**parts(features=features))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"train_mask": mask()}, "No node is labelled"),
        ({"train_mask": mask(0)}, "a labelled node; without one: 1. Mark one"),
        ({"train_mask": mask(0), "class_names": ("cat", "dog")}, "without one: dog. Mark one"),
        ({"val_mask": mask()}, "No validation node"),
        ({"val_mask": mask(1, 2)}, "1 node in two masks"),
        ({"y": np.array([0, 1, 0, -1, 0, 1])}, "validation mask marks 1 node whose class is not known"),
        ({"y": np.array([0, 1, 0, -2, 0, 1])}, "got values from -2 to 1"),
        ({"y": np.array([0, 1])}, r"expected shape \(6,\), got \(2,\)"),
        ({"train_mask": mask(0, 1)[:5]}, "labelled mask must be bool of shape"),
        ({"features": np.ones(6)}, "got 1 dimension"),
        ({"features": np.ones((6, 0))}, "at least one row and one column"),
        ({"class_names": ["only one"]}, "between 0 and 0"),
        ({"edge_index": np.array([[0, 6], [1, 2]])}, r"Edge 1 joins 6 and 2, but nodes are numbered 0 to 5"),
        ({"edge_index": np.array([[0, -1], [1, 2]])}, "Edge 1 joins -1 and 2"),
        ({"edge_index": np.array([[0.0], [1.0]])}, "whole numbers, got float64"),
        ({"edge_index": np.zeros((3, 4), dtype=int)}, r"shape \[2, edges\] or \[edges, 2\], got \(3, 4\)"),
    ],
)
def test_what_cannot_be_used_is_refused_with_the_numbers(changes, message):
    with pytest.raises(GraphError, match=message):
        build_graph(**parts(**changes))


@pytest.mark.parametrize(
    ("edges", "note", "pairs"),
    [
        ([[0, 1, 2, 2], [1, 0, 2, 2]], "Dropped 2 self-loop", 1),
        ([[0, 1, 0, 1], [1, 0, 1, 0]], "Merged 2 duplicate", 1),
        ([[0, 1, 2], [1, 0, 3]], "Made 1 one-way", 2),
        ([[0, 1], [1, 0]], "4 nodes without a neighbour", 1),
        ([[], []], "6 nodes without a neighbour", 0),
    ],
)
def test_uneven_edges_are_mended_and_the_notes_say_how(edges, note, pairs):
    graph = build_graph(**parts(edge_index=np.array(edges, dtype=int)))
    assert graph.num_edges == pairs
    assert any(sentence.startswith(note) for sentence in graph.notes), graph.notes


@settings(max_examples=60, deadline=None)
@given(
    st.integers(1, 9).flatmap(lambda n: st.tuples(st.just(n), st.lists(st.tuples(*[st.integers(0, n - 1)] * 2))))
)
def test_clean_edges_are_the_set_of_pairs_in_both_directions(case):
    num_nodes, pairs = case
    edges, notes = clean_edges(np.array(pairs, dtype=np.int64).reshape(-1, 2).T, num_nodes)
    given_pairs = {(a, b) for a, b in pairs if a != b}
    expected = sorted(given_pairs | {(b, a) for a, b in given_pairs})
    assert list(map(tuple, edges.T.tolist())) == expected
    assert any("one-way" in note for note in notes) == (len(expected) > len(given_pairs))
    assert any("duplicate" in note for note in notes) == (len(given_pairs) < sum(a != b for a, b in pairs))


def test_isolated_nodes_see_only_themselves():
    graph = build_graph(**parts(edge_index=np.array([[0, 1], [1, 0]])))
    propagation = normalized_adjacency(adjacency(graph.edge_index, 6)).toarray()
    assert np.array_equal(propagation[2:, 2:], np.eye(4))


def test_normalized_adjacency_of_a_path_of_three():
    path = adjacency(torch.tensor([[0, 1, 1, 2], [1, 0, 2, 1]]), 3)
    middle = 1 / np.sqrt(6)  # 1/√(2·3): the ends have degree 2 with their self-loop, the middle 3
    expected = [[1 / 2, middle, 0], [middle, 1 / 3, middle], [0, middle, 1 / 2]]
    np.testing.assert_allclose(normalized_adjacency(path).toarray(), expected, rtol=1e-14)
    plain = normalized_adjacency(path, self_loops=False).toarray()
    np.testing.assert_allclose(plain, np.sqrt([[0, 1 / 2, 0], [1 / 2, 0, 1 / 2], [0, 1 / 2, 0]]), rtol=1e-14)


def test_adjacency_points_from_source_to_target():
    matrix = adjacency(torch.tensor([[0], [2]]), 3, torch.tensor([5.0])).toarray()
    assert matrix[2, 0] == 5 and matrix.sum() == 5


def test_rows_are_scaled_to_one_and_empty_rows_stay_empty():
    rows = row_normalized(sp.csr_array(np.array([[1.0, 3.0], [0.0, 0.0], [0.0, -2.0]])))
    np.testing.assert_allclose(rows.toarray(), [[0.25, 0.75], [0, 0], [0, -1]])
    assert rows.dtype == np.float32


@pytest.mark.parametrize("form", [np.asarray, sp.csr_array, sp.coo_matrix, torch.tensor])
def test_features_come_in_any_form(form):
    dense = np.arange(12.0).reshape(6, 2)
    graph = build_graph(**parts(features=form(dense)))
    assert torch.equal(graph.x, torch.tensor(dense, dtype=torch.float32))


def test_other_masks_are_checked_too():
    graph = build_graph(**parts())
    train, val, test = (torch.from_numpy(m) for m in (mask(2, 3), mask(0, 1), mask(4)))
    other = graph.with_masks(train, val, test, split="mine")
    assert other.split == "mine" and torch.equal(other.train_mask, train)
    assert torch.equal(graph.train_mask, torch.from_numpy(mask(0, 1)))
    with pytest.raises(GraphError, match="two masks"):
        graph.with_masks(train, train, test, split="mine")


def test_other_features_leave_a_note():
    graph = build_graph(**parts()).with_features(np.ones((6, 3)), note="Projected to 3.")
    assert graph.num_features == 3 and graph.notes == ("Projected to 3.",)


@pytest.mark.parametrize(
    "recipe",
    [
        {"name": "synthetic", "nodes": 100, "classes": 3, "seed": 4},
        {"name": "karate", "seed": 2},
        {"name": "synthetic", "nodes": 200, "split": "fraction:0.5"},
    ],
)
def test_a_loaded_graph_can_be_made_again_from_its_recipe(recipe):
    graph = load_graph(**recipe)
    again = load_graph(**graph.recipe)
    assert torch.equal(graph.edge_index, again.edge_index) and torch.equal(graph.train_mask, again.train_mask)
    assert again.recipe == graph.recipe and again.split == graph.split
    assert graph.with_features(np.ones((graph.num_nodes, 2)), note="ones").recipe is None


def test_edge_weights_follow_their_edges_through_cleaning():
    edges = np.array([[0, 1, 0, 2, 3, 4], [1, 0, 1, 2, 2, 5]])
    graph = build_graph(**parts(edge_index=edges, edge_weight=np.array([1.0, 5.0, 2.0, 9.0, 0.5, 2.0])))
    found = dict(zip(map(tuple, graph.edge_index.T.tolist()), graph.edge_weight.tolist(), strict=True))
    assert found == {(0, 1): 4, (1, 0): 4, (2, 3): 0.5, (3, 2): 0.5, (4, 5): 2, (5, 4): 2}  # (1 + 2 + 5) / 2
    assert any(note.startswith("1 edge with another weight") for note in graph.notes)


@pytest.mark.parametrize("weight", [[1.0] * 9, [0.0] * 10, [-1.0] * 10, [np.nan] * 10, ["a"] * 10, [1j] * 10])
def test_weights_that_cannot_be_used_are_refused(weight):
    with pytest.raises(GraphError, match=r"edge_weight must hold|Edge weights must be"):
        build_graph(**parts(edge_weight=np.array(weight)))


def test_a_network_is_trained_on_the_weighted_graph(small_graph):
    """Its scores are those of its own logits with the weights, and not without them."""
    heavy = (small_graph.y[small_graph.edge_index[0]] == small_graph.y[small_graph.edge_index[1]]).float() * 9 + 1
    given = {name: getattr(small_graph, name) for name in ("features", "y", "train_mask", "val_mask", "test_mask")}
    graph = build_graph(name="heavy", edge_index=small_graph.edge_index.numpy(), edge_weight=heavy.numpy(), **given)
    for method in ("pgcn", "gcn", "sgc"):
        result = train(method, graph, epochs=20).finish()
        logits = result.model(graph.x, graph.edge_index, graph.edge_weight)
        right = (logits.argmax(dim=1) == graph.y)[graph.val_mask].double().mean()
        assert right == result.scores.val_accuracy
        without = result.model(graph.x, graph.edge_index)
        assert not torch.allclose(without, logits)


def test_a_graph_without_test_nodes_is_a_graph(small_graph, capsys, tmp_path, monkeypatch):
    given = {name: getattr(small_graph, name) for name in ("features", "y", "train_mask", "val_mask")}
    graph = build_graph(name="unseen", edge_index=small_graph.edge_index.numpy(), **given)
    for method in METHODS:
        result = train(method, graph, quick(method)).finish()
        assert result.finished.status == "finished" and np.isnan(result.scores.test_accuracy)
    monkeypatch.setenv("PGCN_STORE", f"sqlite:///{tmp_path / 'runs.db'}")
    store = Store()
    store.add_graph(graph, name="unseen")
    how = ["--dataset", "unseen", "--set", "epochs=5", "--store"]
    assert main(["grow", *how]) == main(["grow", "--runs", "2", "--workers", "1", *how]) == 0
    assert main(["runs"]) == main(["runs", "--json"]) == 0
    out = capsys.readouterr().out
    assert "nan" not in out.lower() and '"test_accuracy": null' in out
    assert all(np.isnan(run.scores["test_accuracy"]) for run in store.runs())
    store.close()


@pytest.mark.parametrize("names", [{"a", "b"}, frozenset("ab"), {"a": 0, "b": 1}, {"a": 0, "b": 1}.keys()])
def test_names_without_an_order_are_refused(names):
    with pytest.raises(GraphError, match="class_names must be a list of names in order"):
        clean_class_names(names)
