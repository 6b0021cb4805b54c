"""SGC is a GCN without its nonlinearity: logistic regression on propagated features."""

import statistics

import pytest
import torch
import torch.nn.functional as F
from oracles import dense_adjacency

from pgcn import SGCConfig, train, train_many
from pgcn.engine.architecture import Architecture
from pgcn.engine.model import GraphNet
from pgcn.errors import ConfigError
from pgcn.events import EpochsTrained, RunFinished
from pgcn.methods.sgc.model import SGCNet
from pgcn.methods.sgc.train import new_network


def test_it_computes_a_gcn_without_nonlinearity(small_graph):
    first, second = torch.randn(40, 8), torch.randn(8, 3)
    shape = {"num_features": 40, "num_classes": 3}
    gcn = GraphNet.from_weights(
        Architecture(**shape, widths=(8,), activation="linear", readout="graph"),
        {"hidden.0.weight": first, "output.weight": second},
    )
    sgc = SGCNet(**shape, hops=2, bias=False)
    sgc.load_state_dict({"weight": first @ second})
    inputs = small_graph.x, small_graph.edge_index
    torch.testing.assert_close(sgc(*inputs), gcn(*inputs), rtol=1e-4, atol=1e-5)
    weighted = (*inputs, torch.rand(inputs[1].shape[1]))
    torch.testing.assert_close(sgc(*weighted), gcn(*weighted), rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("hops", [0, 1, 2, 3])
def test_training_on_the_labelled_rows_equals_training_on_the_whole_graph(small_graph, hops):
    config = SGCConfig(hops=hops, epochs=30, weight_decay=1e-3)
    run = train("sgc", small_graph, config, report_every=1)
    events = [event for event in run if isinstance(event, EpochsTrained)]
    propagated = torch.linalg.matrix_power(dense_adjacency(small_graph), hops) @ small_graph.x.double()
    start = new_network(small_graph, config)
    weight, bias = (value.detach().double().requires_grad_() for value in (start.weight, start.bias))
    adam = torch.optim.Adam([weight, bias], lr=config.learning_rate, weight_decay=config.weight_decay)
    y = small_graph.y
    for event in events:
        losses = F.cross_entropy(propagated @ weight + bias, y, reduction="none")
        loss = losses[small_graph.train_mask].mean()
        adam.zero_grad()
        loss.backward()
        adam.step()
        val_losses = F.cross_entropy(propagated @ weight + bias, y, reduction="none")[small_graph.val_mask]
        assert event.loss == pytest.approx(loss.item(), rel=1e-4)
        assert event.val_loss == pytest.approx(val_losses.mean().item(), rel=1e-3)
    model = run.result.model
    torch.testing.assert_close(model.weight.double(), weight.detach(), rtol=1e-2, atol=1e-3)
    torch.testing.assert_close(model.bias.double(), bias.detach(), rtol=1e-2, atol=1e-3)
    outputs = model(small_graph.x, small_graph.edge_index)
    there = small_graph.test_mask
    assert run.result.scores.test_loss == pytest.approx(F.cross_entropy(outputs[there], y[there]).item(), rel=1e-4)


def test_it_has_one_weight_for_every_feature_and_class_and_a_bias(cora):
    result = train("sgc", cora, epochs=1).finish()
    assert result.parameters == result.model.num_parameters == 1433 * 7 + 7
    assert result.topology == ()


def test_it_reaches_its_published_accuracy_on_cora(cora):
    results = train_many("sgc", cora, [SGCConfig(seed=seed) for seed in range(5)]).finish()
    assert 100 * statistics.fmean(r.scores.test_accuracy for r in results) == pytest.approx(81.0, abs=0.7)


def test_the_same_seed_gives_the_same_run_alone_and_among_others(small_graph):
    configs = [SGCConfig(seed=seed, epochs=20) for seed in (0, 1)]
    for config, among in zip(configs, train_many("sgc", small_graph, configs).finish(), strict=True):
        alone = train("sgc", small_graph, config).finish()
        assert alone.scores == among.scores
        assert torch.equal(alone.model.weight, among.model.weight)
    assert alone.scores.val_loss != train("sgc", small_graph, configs[0]).finish().scores.val_loss


def test_a_run_that_diverges_fails_and_leaves_no_network(small_graph):
    result = train("sgc", small_graph, learning_rate=3e37).finish()
    assert isinstance(result.finished, RunFinished) and result.finished.status == "failed"
    assert result.finished.ending == "diverged" and result.model is None and result.scores is None


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"hops": -1}, "hops must be at least 0, got -1"),
        ({"learning_rate": 0.0}, "learning_rate must be greater than 0"),
        ({"hop": 2}, "Did you mean hops"),
        ({"device": "cuda:99"}, "device 'cuda:99' cannot be used here"),
    ],
)
def test_bad_settings_are_refused(small_graph, settings, message):
    with pytest.raises(ConfigError, match=message):
        train("sgc", small_graph, **settings).finish()
