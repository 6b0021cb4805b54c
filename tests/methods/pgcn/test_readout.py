"""The readout in closed form minimises what it says it minimises."""

import pytest
import torch
from oracles import dense_adjacency, normal_equations

from pgcn.engine.fields import PreparedGraph
from pgcn.methods.pgcn import GrowthConfig
from pgcn.methods.pgcn.readout import regression_error, smoothness_weights, solve_readout

WIDTH = 6


@pytest.fixture(scope="module")
def problem(small_graph):
    prepared = PreparedGraph(small_graph)
    hidden = torch.randn(small_graph.num_nodes, WIDTH, generator=torch.Generator().manual_seed(0)).relu()
    return prepared, hidden, prepared.nodes["labelled"], prepared.target_vectors("labelled").double()


@pytest.mark.parametrize("closed_form", ["printed", "derived"])
@pytest.mark.parametrize("laplacian", ["self_loops", "plain"])
@pytest.mark.parametrize("lambda2", [None, 0.0, 1.0, 1e6])
@pytest.mark.parametrize("lambda1", [0.1, 10.0])
def test_readout_matches_the_normal_equations(problem, small_graph, closed_form, laplacian, lambda2, lambda1):
    prepared, hidden, labelled, targets = problem
    config = GrowthConfig(closed_form=closed_form, laplacian=laplacian, lambda1=lambda1, lambda2=lambda2)
    found = solve_readout(hidden, labelled, targets, prepared.smoothing(laplacian), config)
    size = small_graph.num_nodes
    dense = torch.eye(size, dtype=torch.float64) - dense_adjacency(
        small_graph, self_loops=laplacian == "self_loops"
    )
    c = (1 / size**2 if lambda2 is None else lambda2) / (lambda1 * size**2)
    expected = normal_equations(
        hidden.double(), labelled, targets, dense, lambda1=lambda1, c=c, printed=closed_form == "printed"
    )
    torch.testing.assert_close(found, expected, rtol=1e-8, atol=1e-10)


def test_derived_readout_is_the_minimum_that_gradient_descent_on_j2_finds(problem, small_graph):
    prepared, hidden, labelled, targets = problem
    lambda1, lambda2 = 2.0, 5e4
    config = GrowthConfig(closed_form="derived", lambda1=lambda1, lambda2=lambda2)
    found = solve_readout(hidden, labelled, targets, prepared.smoothing("self_loops"), config)
    H, size = hidden.double(), small_graph.num_nodes
    smooth = H.T @ (torch.eye(size, dtype=torch.float64) - dense_adjacency(small_graph)) @ H
    readout = torch.zeros(WIDTH, small_graph.num_classes, dtype=torch.float64, requires_grad=True)
    descent = torch.optim.LBFGS(
        [readout], max_iter=500, tolerance_grad=1e-12, tolerance_change=1e-18, line_search_fn="strong_wolfe"
    )

    def j2():
        descent.zero_grad()
        value = (
            readout.square().sum() / 2
            + lambda1 / 2 * (H[labelled] @ readout - targets).square().sum()
            + lambda2 / (2 * size**2) * torch.trace(readout.T @ smooth @ readout)
        )
        value.backward()
        return value

    descent.step(j2)
    torch.testing.assert_close(found, readout.detach(), rtol=1e-5, atol=1e-7)


def test_no_other_readout_has_a_smaller_error_than_the_derived_one(problem):
    _, hidden, labelled, targets = problem
    config = GrowthConfig(closed_form="derived", lambda2=0.0, lambda1=3.0)
    best = solve_readout(hidden, labelled, targets, None, config)

    def error(readout):
        return regression_error(hidden[labelled].double() @ readout, targets, readout, config.lambda1)

    generator = torch.Generator().manual_seed(1)
    for scale in (1e-3, 1e-1, 1.0):
        other = best + scale * torch.randn(best.shape, dtype=torch.float64, generator=generator)
        assert error(best) < error(other)


@pytest.mark.parametrize("solves", [1, 2, 5])
def test_an_overwritten_laplacian_equals_the_recurrence_in_full(solves):
    config = GrowthConfig(lambda1=0.1, lambda2=50.0, laplacian_overwritten=True)
    size = 30
    c = 50.0 / (0.1 * size**2)
    laplacian = torch.diag(torch.linspace(0, 2, size, dtype=torch.float64))
    expected = laplacian
    for _ in range(solves):
        expected = torch.eye(size, dtype=torch.float64) + c * expected
    identity, smoothness = smoothness_weights(config, size, solves)
    torch.testing.assert_close(identity * torch.eye(size, dtype=torch.float64) + smoothness * laplacian, expected)
