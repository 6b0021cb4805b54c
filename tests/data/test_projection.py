"""Random projection of the features: nested, unbiased, the same everywhere."""

import subprocess
import sys

import numpy as np
import pytest

from pgcn.data import load_graph
from pgcn.data.projection import projected, projection_matrix
from pgcn.errors import PgcnError


def test_sketches_of_one_seed_are_nested():
    few, many = (projection_matrix(50, dims, seed=3) * np.sqrt(dims) for dims in (7, 50))
    np.testing.assert_allclose(few, many[:, :7], rtol=1e-12)


def test_inner_products_are_kept_on_average(small_graph):
    X = small_graph.features.toarray().astype(float)
    mean = np.mean([X @ (M := projection_matrix(40, 10, seed)) @ M.T @ X.T for seed in range(500)], axis=0)
    scale = np.sqrt(np.outer((X**2).sum(1), (X**2).sum(1)))  # the sd of an entry is at most √(2/D') times this
    assert (np.abs(mean - X @ X.T) <= 6 * np.sqrt(2 / 10) / np.sqrt(500) * scale).all()


def test_distances_are_kept_within_the_johnson_lindenstrauss_bound(cora):
    epsilon, X = 0.5, cora.features[:60].toarray().astype(float)
    dims = int(np.ceil(8 * np.log(len(X)) / epsilon**2))
    projected = X @ projection_matrix(cora.num_features, dims, seed=1)
    pairs = np.triu_indices(len(X), 1)
    before, after = (((Z[pairs[0]] - Z[pairs[1]]) ** 2).sum(1) for Z in (X, projected))
    assert ((after > (1 - epsilon) * before) & (after < (1 + epsilon) * before)).all()


def test_the_same_seed_gives_the_same_sketch_in_another_process():
    code = (
        "from pgcn.data.projection import projection_matrix; print(repr(float(projection_matrix(30, 5, 7).sum())))"
    )
    elsewhere = subprocess.check_output([sys.executable, "-c", code], text=True)
    assert float(elsewhere) == float(projection_matrix(30, 5, 7).sum())


def test_a_projected_graph_says_so_and_can_be_made_again(small_graph):
    graph = load_graph("synthetic", nodes=120, classes=3, features=40, seed=1, dims=6)
    assert graph.num_features == 6 and graph.recipe["dims"] == 6
    assert "projected at random to 6" in graph.notes[-1]
    again = load_graph(**graph.recipe)
    np.testing.assert_array_equal(graph.features.toarray(), again.features.toarray())
    np.testing.assert_array_equal(graph.y, again.y)


@pytest.mark.parametrize("dims", [0, -1, 41, 2.5, True, "ten"])
def test_a_number_of_dimensions_that_makes_no_sense_is_refused(small_graph, dims):
    with pytest.raises(PgcnError, match="dims must be a whole number from 1"):
        projected(small_graph, dims, seed=0)
