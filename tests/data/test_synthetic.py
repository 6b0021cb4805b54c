"""Synthetic graphs have the size, the homophily and the difficulty that was asked for."""

import time

import numpy as np
import pytest
import torch

from pgcn.data import load_graph
from pgcn.data.synthetic import synthetic_graph
from pgcn.errors import ConfigError
from pgcn.graph import MASKS, adjacency, normalized_adjacency


def homophily(graph):
    source, target = graph.edge_index
    return float((graph.y[source] == graph.y[target]).float().mean())


def degrees(graph):
    return np.bincount(graph.edge_index[0].numpy(), minlength=graph.num_nodes)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"nodes": 60, "classes": 4, "features": 40},
        {"nodes": 10, "classes": 2, "features": 2, "average_degree": 2},
        {"nodes": 1000, "homophily": 0.0},
        {"nodes": 1000, "homophily": 1.0},
        {"nodes": 1000, "homophily": 0.3, "average_degree": 2},
        {"nodes": 3000, "classes": 12, "average_degree": 50, "homophily": 0.6},
        {"nodes": 50, "classes": 2, "average_degree": 15, "homophily": 0.6},
    ],
)
def test_edges_and_homophily_are_what_was_asked_for(options):
    graph = load_graph("synthetic", **options)
    asked = {"nodes": 2000, "classes": 7, "features": 500, "average_degree": 4, "homophily": 0.8} | options
    assert graph.num_nodes == asked["nodes"]
    assert graph.num_classes == asked["classes"]
    assert graph.num_features == asked["features"]
    assert graph.num_edges == round(asked["nodes"] * asked["average_degree"] / 2)
    assert homophily(graph) == pytest.approx(asked["homophily"], abs=0.02)
    assert degrees(graph).min() >= 1


def test_degrees_have_a_heavy_tail():
    degree = degrees(synthetic_graph(nodes=20_000))
    assert degree.max() > 20 * degree.mean()
    assert np.median(degree) < degree.mean()


def test_features_are_which_words_a_node_has_scaled_to_one():
    features = synthetic_graph().features
    lengths = np.diff(features.indptr)
    np.testing.assert_allclose(features.data, np.repeat(1 / lengths, lengths), rtol=1e-6)
    assert 10 < lengths.mean() <= 18


def test_few_words_are_frequent_and_many_are_rare():
    counts = np.sort(np.bincount(synthetic_graph(nodes=5000).features.indices, minlength=500))
    assert counts[-50:].sum() > counts[:250].sum()


def ridge_accuracy(graph, inputs):
    """Test accuracy of the closed form W = (XᵀX + λI)⁻¹XᵀT on the labelled nodes."""
    labelled = graph.train_mask.numpy()
    X, T = inputs[labelled], np.eye(graph.num_classes)[graph.y.numpy()[labelled]]
    W = X.T @ np.linalg.solve(X @ X.T + 1e-2 * np.eye(len(X)), T)
    hits = (inputs @ W).argmax(axis=1) == graph.y.numpy()
    return hits[graph.test_mask.numpy()].mean()


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_neighbours_tell_much_more_than_words_alone(seed):
    graph = synthetic_graph(seed=seed)
    propagation = normalized_adjacency(adjacency(graph.edge_index, graph.num_nodes))
    words = graph.features.astype(np.float64)
    alone = ridge_accuracy(graph, words.toarray())
    with_neighbours = ridge_accuracy(graph, (propagation @ propagation @ words).toarray())
    assert 0.25 < alone < 0.65
    assert 0.72 < with_neighbours < 0.88
    assert with_neighbours > alone + 0.2


@pytest.mark.parametrize(
    ("nodes", "sizes"), [(2000, (140, 500, 1000)), (1600, (140, 487, 973)), (100, (21, 26, 53))]
)
def test_the_split_is_planetoids_or_smaller_in_proportion(nodes, sizes):
    graph = synthetic_graph(nodes=nodes)
    assert tuple(int(getattr(graph, mask).sum()) for mask in MASKS) == sizes
    assert len(set(graph.y[graph.train_mask].bincount().tolist())) == 1


def test_a_seed_makes_the_same_graph_again_and_another_makes_another():
    np.random.seed(5)  # noqa: NPY002 - to show that the global state is neither read nor changed
    before = np.random.get_state()[1].copy()  # noqa: NPY002
    first, again, other = (load_graph("synthetic", nodes=300, seed=seed) for seed in (1, 1, 2))
    assert torch.equal(first.edge_index, again.edge_index)
    assert (first.features != again.features).nnz == 0
    assert torch.equal(first.train_mask, again.train_mask)
    assert not torch.equal(first.y, other.y)
    assert np.array_equal(before, np.random.get_state()[1])  # noqa: NPY002


def test_the_graph_says_that_it_is_synthetic_and_how_it_was_made():
    graph = load_graph("synthetic", nodes=300, homophily=0.6, seed=9)
    assert graph.name == "synthetic" and graph.split.startswith("synthetic")
    assert "seed 9" in graph.notes[0] and "homophily 0.6" in graph.notes[0] and "300 nodes" in graph.notes[0]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"homophily": 1.4}, "homophily must be between 0 and 1, got 1.4"),
        ({"topic": -0.1}, "topic must be between 0 and 1, got -0.1"),
        ({"nodes": 30}, "nodes must be at least 5 per class, 35 for 7 classes, got 30"),
        ({"nodes": 2.5}, "nodes must be a whole number, got 2.5"),
        ({"classes": 1}, "classes must be at least 2, got 1"),
        ({"features": 5}, r"features must be at least the number of classes \(7\), got 5"),
        ({"average_degree": 0}, "average_degree must be greater than 0, got 0"),
        ({"average_degree": float("inf")}, "average_degree must be a finite number"),
        ({"nodes": 100, "average_degree": 30}, "1200 edges between nodes of the same class, more than half"),
        ({"words_per_node": 0}, "words_per_node must be at least 1, got 0"),
        ({"seed": -1}, "seed must be at least 0, got -1"),
        ({"nodez": 100}, "No setting named 'nodez'.* Did you mean nodes?"),
    ],
)
def test_settings_that_make_no_sense_are_refused(options, message):
    with pytest.raises(ConfigError, match=message):
        load_graph("synthetic", **options)


def test_a_hundred_thousand_nodes_take_seconds():
    started = time.perf_counter()
    graph = load_graph("synthetic", nodes=100_000, average_degree=20)
    assert time.perf_counter() - started < 10
    assert graph.num_edges == 1_000_000
