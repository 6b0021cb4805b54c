"""The fast implementations compute what their slow twins compute."""

import numpy as np
import pytest
import scipy.sparse as sp
import torch
from oracles import dense_adjacency, dense_forward, dense_pagerank, dense_training

from pgcn.engine.architecture import Architecture
from pgcn.engine.fields import PreparedGraph, Rows, by_distance, usable_device
from pgcn.engine.lanes import (
    ACTIVATIONS,
    BACKWARD,
    LaneAdam,
    LaneDropout,
    LaneParameters,
    mixed_seed,
    weight_gradient,
)
from pgcn.engine.losses import Objective, class_probabilities
from pgcn.engine.networks import LaneNetworks, LaneSettings, Tape
from pgcn.engine.pagerank import POWER_STEPS, PageRank, PowerSteps, largest_entries, pagerank_rows, rows_at_once
from pgcn.engine.sparse import SparseOperator
from pgcn.engine.training import fine_tune
from pgcn.errors import ConfigError
from pgcn.methods.pgcn import GrowthConfig

CPU = torch.device("cpu")


def generators(count):
    return [torch.Generator().manual_seed(mixed_seed(seed, "test")) for seed in range(count)]


def random_weights(architecture, generator):
    return {n: torch.randn(s, generator=generator) / 3 for n, s in architecture.parameter_shapes().items()}


def lanes_of(graph, architecture, configs):
    sources = generators(len(configs))
    weights = [random_weights(architecture, source) for source in sources]
    networks = LaneNetworks(architecture, LaneSettings.of(configs, CPU), sources)
    padded = PreparedGraph(graph).field("labelled", 0).tall
    return networks, weights, LaneParameters(architecture, weights, CPU, padded=padded)


@pytest.fixture
def graph(request):
    """One of the graphs for which the engine computes in different ways."""
    return request.getfixturevalue(f"{request.param}_graph")


def pagerank_of(architecture, graph):
    """Return the PageRank of an architecture with all entries, None where its readout is another."""
    return PageRank(architecture.teleport, graph.num_nodes) if architecture.readout == "pagerank" else None


def make_architecture(graph, **changes):
    shape = {"num_features": graph.num_features, "num_classes": graph.num_classes}
    return Architecture(**{**shape, "widths": (5, 4), **changes})


CASES = [
    (graph, {"widths": widths, "readout": readout, "bias": bias})
    for graph, widths, readout, bias in [
        ("small", (5,), "linear", False),
        ("small", (5,), "graph", True),
        ("small", (5, 4), "linear", True),
        ("small", (5, 4), "graph", False),
        ("small", (3, 4, 5), "graph", True),
        ("tall", (3, 4, 5), "linear", True),
        ("tall", (3, 4, 5), "graph", False),
        ("small", (5, 4), "pagerank", True),
        ("tall", (4,), "pagerank", False),
    ]
]
"""Every pair of depth, readout and bias occurs; a tall graph with both readouts, with and without a bias."""
DEEP = CASES[4:6]
"""Enough for the losses, which affect a network only through the gradient of its outputs."""


def on_graphs(names, cases):
    return pytest.mark.parametrize(("graph", "changes", *names), cases, indirect=["graph"], ids=str)


@on_graphs((), CASES)
def test_every_field_gives_the_outputs_of_the_dense_network(graph, changes):
    architecture = make_architecture(graph, **changes)
    networks, weights, parameters = lanes_of(graph, architecture, [GrowthConfig()] * 3)
    prepared, hops, named = PreparedGraph(graph), architecture.hops, parameters.named(parameters.flat)
    how = pagerank_of(architecture, graph)
    fields = {
        "whole": prepared.whole(hops, teleport=how and how.teleport),
        "labelled": prepared.field("labelled", hops, pagerank=how),
        "val": prepared.field("val", hops, pagerank=how),
        "raw": prepared.field("labelled", hops, raw=True, pagerank=how),
    }
    propagation = dense_adjacency(graph).float()
    expected = [dense_forward(architecture, weight, graph.x, propagation)[1] for weight in weights]
    for name, field in fields.items():
        outputs = networks.outputs(named, field, networks.hidden(named, field, dropout=False))
        for lane, dense in enumerate(expected):
            close = {"rtol": 1e-4, "atol": 1e-5, "msg": f"lane {lane} of {name} differs"}
            torch.testing.assert_close(outputs[lane], dense[field.nodes], **close)


@pytest.mark.parametrize("raw", [False, True])
@pytest.mark.parametrize("widths", [(5,), (5, 4)], ids=str)
def test_with_few_entries_of_pagerank_every_hidden_layer_is_still_complete(small_graph, widths, raw):
    """A labelled node whose neighbours are not among its entries has them all the same in the layers below."""
    architecture = make_architecture(small_graph, widths=widths, readout="pagerank", teleport=0.9)
    networks, [weights], parameters = lanes_of(small_graph, architecture, [GrowthConfig()])
    prepared, named = PreparedGraph(small_graph), parameters.named(parameters.flat)
    how = PageRank(architecture.teleport, 1)
    field = prepared.field("labelled", architecture.hops, raw=raw, pagerank=how)
    outputs = networks.outputs(named, field, networks.hidden(named, field, dropout=False))[0]
    hidden, _ = dense_forward(architecture, weights, small_graph.x, dense_adjacency(small_graph).float())
    reader = torch.from_numpy(prepared.pagerank_rows("labelled", how).matrix.toarray())
    torch.testing.assert_close(outputs, reader @ hidden @ weights["output.weight"], rtol=1e-4, atol=1e-5)


TRAININGS = [
    *((*case, "ce", "all") for case in CASES),
    *((*case, "mean", "first_layer") for case in DEEP),
    *((*case, "j1", "all") for case in DEEP),  # both the objective's ridge and the decay act on the readout
]


@on_graphs(("loss", "scope"), TRAININGS)
def test_training_in_the_receptive_field_equals_training_on_the_whole_graph(graph, changes, loss, scope):
    architecture = make_architecture(graph, activation="tanh", **changes)
    config = GrowthConfig(dropout=0.0, weight_decay=0.01, learning_rate=0.01, lambda1=0.5)
    networks, weights, parameters = lanes_of(graph, architecture, [config] * 2)
    prepared = PreparedGraph(graph)
    objective = Objective(
        loss="ce" if loss == "ce" else "mse", mse_objective=loss, ridge=loss == "j1", weight_decay_scope=scope
    )
    y = prepared.y[prepared.nodes["labelled"]]
    field = prepared.field("labelled", architecture.hops, pagerank=pagerank_of(architecture, graph))
    for _ in fine_tune(networks, parameters, objective, field, y, 15):
        pass
    for lane, start in enumerate(weights):
        how = {"learning_rate": config.learning_rate, "lambda1": config.lambda1}
        decay = {"weight_decay": config.weight_decay, "decayed": objective.decayed(start)}
        expected = dense_training(graph, architecture, start, epochs=15, loss=loss, **how, **decay)
        for name, value in parameters.lane(lane).items():
            torch.testing.assert_close(value.double(), expected[name], rtol=1e-3, atol=1e-4, msg=f"{name} differs")
    for name, part in parameters.named(parameters.flat).items():  # the padding stays 0
        assert part.count_nonzero() == sum(value[name].count_nonzero() for value in map(parameters.lane, range(2)))


def test_power_steps_and_rows_are_those_of_the_dense_pagerank(small_graph):
    prepared, dense = PreparedGraph(small_graph), dense_pagerank(dense_adjacency(small_graph), 0.2)
    nodes = np.array([3, 50, 7])
    rows = pagerank_rows(prepared.propagation, nodes, 0.2, small_graph.num_nodes)
    torch.testing.assert_close(torch.from_numpy(rows.matrix.toarray()).double(), dense[nodes], rtol=1e-5, atol=1e-7)
    assert rows.error == pytest.approx(0, abs=1e-6)
    values = torch.randn(1, small_graph.num_nodes, 3, generator=generators(1)[0])
    steps = PowerSteps(SparseOperator(prepared.propagation, CPU, symmetric=True), 0.2)
    torch.testing.assert_close(steps.on_lanes(values)[0].double(), dense @ values[0].double(), rtol=1e-4, atol=1e-5)


def test_pagerank_is_the_limit_of_its_power_steps(small_graph):
    """After K steps Π differs from α(I − (1−α)Â)⁻¹ by no more than (1−α)^K in the spectral norm."""
    propagation, teleport = dense_adjacency(small_graph), 0.5
    identity = torch.eye(len(propagation), dtype=torch.float64)
    limit = teleport * torch.linalg.inv(identity - (1 - teleport) * propagation)
    difference = torch.linalg.matrix_norm(dense_pagerank(propagation, teleport) - limit, 2)
    assert 0 < difference <= (1 - teleport) ** POWER_STEPS


def test_what_is_left_out_of_a_row_is_known_exactly(small_graph):
    propagation, nodes = PreparedGraph(small_graph).propagation, np.arange(small_graph.num_nodes)
    dense = dense_pagerank(dense_adjacency(small_graph), 0.2)
    rows = pagerank_rows(propagation, nodes, 0.2, 20)
    kept = torch.from_numpy(rows.matrix.toarray() != 0)
    assert kept.sum(dim=1).max() <= 20
    left_out = 1 - (dense * kept).sum(dim=1) / dense.sum(dim=1)
    torch.testing.assert_close(torch.from_numpy(rows.left_out), left_out, rtol=1e-4, atol=1e-6)
    assert 0.05 < rows.error < 1
    sums = torch.from_numpy(rows.matrix.sum(axis=1)).double()
    torch.testing.assert_close(sums, dense.sum(dim=1), rtol=1e-5, atol=1e-6)  # scaled to the complete sums


def test_the_largest_entries_of_each_row_are_kept_and_of_equal_ones_the_first():
    matrix = sp.csr_array(np.array([[1.0, 3, 2, 3], [0, 0, 5, 0], [2, 2, 2, 2]]))
    assert largest_entries(matrix, 2).toarray().tolist() == [[0, 3, 0, 3], [0, 0, 5, 0], [2, 2, 0, 0]]
    many = np.random.default_rng(0).integers(0, 4, (30, 12)).astype(float)
    for row, found in zip(many, largest_entries(sp.csr_array(many), 5).toarray(), strict=True):
        first = sorted(np.flatnonzero(row), key=lambda column: (-row[column], column))[:5]
        assert found.nonzero()[0].tolist() == sorted(first) and (found[first] == row[first]).all()


def test_many_rows_of_pagerank_are_made_a_few_at_a_time_and_are_the_same(small_graph, monkeypatch):
    """With half of 100,000 nodes labelled, the products of all rows would fill the memory."""
    propagation, nodes = PreparedGraph(small_graph).propagation, np.arange(small_graph.num_nodes)
    together = pagerank_rows(propagation, nodes, 0.1, 2)
    monkeypatch.setattr("pgcn.engine.pagerank.AT_ONCE", 100)
    assert len(rows_at_once(together.matrix, propagation)) > 5
    apart = pagerank_rows(propagation, nodes, 0.1, 2)
    assert (apart.matrix != together.matrix).nnz == 0 and (apart.left_out == together.left_out).all()


def test_receptive_fields_are_the_nodes_within_so_many_hops(small_graph):
    reach = dense_adjacency(small_graph) > 0
    targets = np.array([3, 50, 7])
    order, sizes = by_distance(PreparedGraph(small_graph).propagation, targets, 3)
    within = torch.zeros(small_graph.num_nodes, dtype=torch.bool)
    within[targets] = True
    for size in sizes:
        assert set(order[:size].tolist()) == set(torch.nonzero(within).flatten().tolist())
        within = (reach.double() @ within.double()) > 0
    assert order[:3].tolist() == targets.tolist()


@pytest.mark.parametrize("density", [0.05, 0.9])
@pytest.mark.parametrize("masked", [False, True])
@pytest.mark.parametrize("tall", [False, True])
def test_sparse_and_dense_rows_give_the_same_product_and_gradient(density, masked, tall):
    rng = np.random.default_rng(0)
    matrix = sp.csr_array((rng.random((32, 20)) < density) * rng.random((32, 20)), dtype=np.float32)
    rows, lanes = Rows(matrix, CPU, tall=tall), 3
    assert rows.dense == (density > 0.4)
    weight = torch.randn(20, lanes, 4, generator=torch.Generator().manual_seed(0)).requires_grad_()
    mask = torch.from_numpy(rng.integers(0, 3, (lanes, rows.num_values)).astype(np.float32)) if masked else None
    product = rows.times(weight.detach(), mask, width=9)
    assert not product[:, :, 4:].any()
    if masked:
        assert torch.equal(rows.times(weight.detach(), rows.dropped(mask), width=9), product)
    dense = torch.from_numpy(matrix.toarray()).expand(lanes, 32, 20).clone()
    if masked and rows.dense:
        dense = dense * mask.view(dense.shape)
    elif masked:
        dense[:, *np.nonzero(matrix.toarray())] *= mask
    expected = torch.einsum("krd,dkw->krw", dense, weight)
    torch.testing.assert_close(product[:, :, :4], expected)
    signal = torch.randn(product.shape, generator=torch.Generator().manual_seed(1))
    (gradient,) = torch.autograd.grad(expected, weight, signal[:, :, :4])
    torch.testing.assert_close(rows.weight_gradient(signal, mask, width=4), gradient)


@pytest.mark.parametrize(("fan_in", "fan_out"), [(5, 7), (20, 3), (1, 1)])
def test_products_in_lanes_are_products_one_by_one(fan_in, fan_out):
    source = torch.Generator().manual_seed(0)
    matrix = sp.csr_array(sp.random_array((16, 32), density=0.2, rng=np.random.default_rng(0)), dtype=np.float32)
    operator, dense = SparseOperator(matrix, CPU), torch.from_numpy(matrix.toarray())
    hidden = torch.randn(3, 32, fan_in, generator=source)
    grad = torch.randn(3, 32, fan_out, generator=source)
    torch.testing.assert_close(operator.on_lanes(hidden), torch.stack([dense @ lane for lane in hidden]))
    back = torch.randn(3, 16, fan_out, generator=source)
    torch.testing.assert_close(operator.transpose_on_lanes(back), torch.stack([dense.T @ lane for lane in back]))
    expected = torch.stack([left.T @ right for left, right in zip(hidden, grad, strict=True)])
    torch.testing.assert_close(weight_gradient(hidden, grad), expected, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("name", ACTIVATIONS)
def test_the_derivative_of_every_activation_is_that_of_autograd(name):
    values = torch.tensor([-2.0, -0.3, 0.4, 3.0], requires_grad=True)
    activated = ACTIVATIONS[name](values.clone())
    (expected,) = torch.autograd.grad(activated.sum(), values)
    torch.testing.assert_close(BACKWARD[name](torch.ones_like(expected), activated.detach()), expected)


GRADIENTS = [
    *((*case, raw, "ce", "elu") for case in CASES for raw in (False, True)),
    *((*case, False, "ce", "relu") for case in DEEP),
    *((*case, True, "mean", "relu") for case in DEEP),
    *((*case, False, "j1", "elu") for case in DEEP),
]


@on_graphs(("raw", "loss", "activation"), GRADIENTS)
def test_gradients_with_dropout_are_those_of_autograd(graph, changes, raw, loss, activation):
    architecture = make_architecture(graph, activation=activation, **changes)
    configs = [GrowthConfig(dropout=0.4, input_dropout=0.3, lambda1=0.7)] * 2
    networks, _, parameters = lanes_of(graph, architecture, configs)
    prepared = PreparedGraph(graph)
    field = prepared.field("labelled", architecture.hops, raw=raw, pagerank=pagerank_of(architecture, graph))
    objective = Objective(loss="ce" if loss == "ce" else "mse", mse_objective=loss, ridge=loss == "j1")
    weights, tape = parameters.named(parameters.flat), Tape()
    outputs = networks.outputs(weights, field, networks.hidden(weights, field, dropout=True, tape=tape))
    y = prepared.y[prepared.nodes["labelled"]]
    targets, lambda1 = prepared.target_vectors("labelled"), networks.settings.lambda1
    found = dict(networks.gradients(weights, field, tape, objective.output_gradient(outputs, targets, lambda1)))
    ridge = objective.readout_gradient(weights["output.weight"])
    if ridge is not None:
        found["output.weight"] = found["output.weight"] + ridge

    for lane in range(2):
        twin = {name: value.double().requires_grad_() for name, value in parameters.lane(lane).items()}
        features = field.input.pattern.toarray()
        entries = ... if field.input.dense else features.nonzero()
        features[entries] *= tape.input_mask[lane].numpy().reshape(features[entries].shape)
        hidden = torch.from_numpy(features).double() @ twin["hidden.0.weight"]
        steps = list(field.steps)
        for i in range(len(architecture.widths)):
            if i > 0:
                hidden = hidden @ twin[f"hidden.{i}.weight"]
            if i > 0 or raw:
                hidden = steps.pop(0).matrix.to_dense().double() @ hidden
            if architecture.bias:
                hidden = hidden + twin[f"hidden.{i}.bias"]
            _, activated, factor = tape.layers[i]
            factor = factor[lane] if activation == "elu" else (activated[lane] > 0) * factor[lane]
            hidden = getattr(torch.nn.functional, activation)(hidden) * factor[:, : architecture.widths[i]]
        expected = hidden @ twin["output.weight"]
        if architecture.propagates_outputs:
            expected = steps.pop(0).matrix.to_dense().double() @ expected
        if architecture.bias:
            expected = expected + twin["output.bias"]
        expected = expected[: field.count]
        torch.testing.assert_close(outputs[lane].double(), expected.detach(), rtol=1e-4, atol=1e-5)
        losses = objective.losses(expected[None], y, lambda1[lane : lane + 1].double(), twin["output.weight"][None])
        losses.sum().backward()
        for name, value in twin.items():
            gradient = found[name].select(parameters.lane_axis(name), lane)
            gradient = gradient[tuple(map(slice, value.shape))]
            torch.testing.assert_close(gradient.double(), value.grad, rtol=1e-3, atol=1e-5, msg=f"{name} differs")


def test_lane_adam_is_adam_with_each_lane_s_own_rate_and_decay(small_graph):
    architecture = make_architecture(small_graph)
    rates, decays = torch.tensor([0.01, 0.003]), torch.tensor([0.0, 0.1])
    _, weights, parameters = lanes_of(small_graph, architecture, [GrowthConfig()] * 2)
    adam = LaneAdam(parameters, rates, parameters.spread(decays))
    twins = [{name: value.clone().requires_grad_() for name, value in lane.items()} for lane in weights]
    optimizers = [
        torch.optim.Adam(twin.values(), lr=rate.item(), weight_decay=decay.item())
        for twin, rate, decay in zip(twins, rates, decays, strict=True)
    ]
    source = torch.Generator().manual_seed(5)
    for _ in range(20):
        gradient = torch.randn(parameters.flat.shape, generator=source)
        named = parameters.named(gradient)
        for lane, (twin, optimizer) in enumerate(zip(twins, optimizers, strict=True)):
            for name, value in twin.items():
                value.grad = named[name].select(parameters.lane_axis(name), lane).clone()
            optimizer.step()
        adam.step(gradient)
    for lane, twin in enumerate(twins):
        for name, value in parameters.lane(lane).items():
            torch.testing.assert_close(value, twin[name].detach(), rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize("rate", [0.0, 0.1, 0.5, 0.9])
def test_dropout_drops_its_share_and_keeps_the_mean(rate):
    masks = LaneDropout(generators(2), torch.tensor([rate, 0.3])).masks([200_001, 100_002])
    assert [mask.shape for mask in masks] == [(2, 200_001), (2, 100_002)]
    for mask in masks:
        for lane, share in enumerate((rate, 0.3)):
            assert (mask[lane] == 0).double().mean().item() == pytest.approx(share, abs=0.005)
            assert mask[lane].double().mean().item() == pytest.approx(1.0, abs=0.03)
        assert not torch.equal(mask[0] == 0, mask[1] == 0)


def test_masks_drawn_at_once_are_those_drawn_one_by_one():
    sizes, rates = [101, 7, 64], torch.tensor([0.1, 0.5])
    at_once = LaneDropout(generators(2), rates).masks(sizes)
    dropout = LaneDropout(generators(2), rates)
    for mask, size in zip(at_once, sizes, strict=True):
        assert torch.equal(mask, dropout.masks([size])[0])


@pytest.mark.parametrize("nodes", [50, 900])
def test_class_probabilities_are_the_softmax(nodes):
    outputs = 30 * torch.randn(2, nodes, 7, generator=torch.Generator().manual_seed(0))
    torch.testing.assert_close(class_probabilities(outputs), torch.softmax(outputs, dim=2))


@pytest.mark.parametrize("graph", ["small", "tall"], indirect=True)
def test_packing_lanes_and_unpacking_them_changes_nothing(graph):
    architecture = make_architecture(graph, bias=True)
    _, weights, parameters = lanes_of(graph, architecture, [GrowthConfig()] * 4)
    for lane, packed in enumerate(weights):
        unpacked = parameters.lane(lane)
        assert packed.keys() == unpacked.keys()
        assert all(torch.equal(packed[name], unpacked[name]) for name in packed)


def test_an_unknown_device_is_an_error_with_a_remedy():
    with pytest.raises(ConfigError, match=r"device 'warp' cannot be used here.*Try cpu"):
        usable_device("warp")


def test_the_first_layer_is_computed_the_cheaper_way(cora, monkeypatch):
    prepared = PreparedGraph(cora)
    for hops in (0, 2):
        chosen = prepared.field("labelled", hops)
        ways = [prepared.field("labelled", hops, raw=raw).first_layer_multiplications for raw in (False, True)]
        assert chosen.first_layer_multiplications == min(ways) < max(ways)
    monkeypatch.setattr("pgcn.engine.fields.PROPAGATE_BELOW", 0)
    assert PreparedGraph(cora).field("labelled", 0).raw
