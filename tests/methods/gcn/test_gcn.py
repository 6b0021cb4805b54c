"""The 2-layer GCN is Kipf & Welling's."""

import statistics

import pytest
import torch
from oracles import dense_adjacency, dense_forward, dense_training

from pgcn.engine.lanes import mixed_seed
from pgcn.errors import ConfigError
from pgcn.events import EpochsTrained, RunFinished
from pgcn.execution.start import train_gcn, train_gcns
from pgcn.methods.gcn import GCNConfig
from pgcn.methods.gcn.train import architecture, glorot_weights

STILL = {"dropout": 0.0, "input_dropout": 0.0, "early_stopping": 0}


def start_of(config, graph):
    return glorot_weights(
        architecture(config, graph), torch.Generator().manual_seed(mixed_seed(config.seed, "gcn"))
    )


@pytest.mark.parametrize(
    ("hidden", "readout", "loss"),
    [((16,), "graph", "ce"), ((8, 8), "linear", "ce"), ((8, 8), "pagerank", "mse"), ((16,), "graph", "mse")],
)
def test_training_equals_dense_training_on_the_whole_graph(small_graph, hidden, readout, loss):
    every = {"readout": readout, "loss": loss, "pagerank_entries": small_graph.num_nodes}
    config = GCNConfig(hidden=hidden, epochs=15, **every, **STILL)
    result = train_gcn(small_graph, config).finish()
    start = start_of(config, small_graph)
    how = {"epochs": 15, "loss": {"mse": "mean"}.get(loss, loss), "learning_rate": config.learning_rate}
    decay = {"weight_decay": config.weight_decay, "decayed": ["hidden.0.weight"]}
    expected = dense_training(small_graph, architecture(config, small_graph), start, **how, **decay)
    for name, value in result.model.state_dict().items():
        torch.testing.assert_close(value.double(), expected[name], rtol=1e-3, atol=1e-4)


def test_training_stops_when_the_validation_loss_exceeds_its_mean_over_ten_epochs(small_graph):
    config = GCNConfig(epochs=400, learning_rate=0.05, dropout=0.0, input_dropout=0.0)
    events = list(train_gcn(small_graph, config, report_every=1))
    losses = [event.val_loss for event in events if isinstance(event, EpochsTrained)]
    assert isinstance(events[-1], RunFinished) and events[-1].ending == "val_loss_rose"
    assert 12 <= events[-1].facts["epochs"] < 400
    for epoch in range(12, len(losses) + 1):
        assert losses[epoch - 1] <= statistics.fmean(losses[epoch - 11 : epoch - 1]) + 1e-6


def test_the_validation_loss_includes_the_first_layers_l2_term(small_graph):
    config = GCNConfig(epochs=3, weight_decay=0.5, **STILL)
    run = train_gcn(small_graph, config, report_every=1)
    last = [event for event in run if isinstance(event, EpochsTrained)][-1]
    weights = {name: value.double() for name, value in run.result.model.state_dict().items()}
    outputs = dense_forward(
        architecture(config, small_graph), weights, small_graph.x.double(), dense_adjacency(small_graph)
    )[1]
    there = small_graph.val_mask
    loss = torch.nn.functional.cross_entropy(outputs[there], small_graph.y[there])
    assert last.val_loss == pytest.approx(
        (loss + 0.25 * weights["hidden.0.weight"].square().sum()).item(), rel=1e-4
    )


def test_a_gcn_in_lanes_equals_the_same_gcn_alone(cora):
    configs = [
        GCNConfig(seed=0, epochs=40),
        GCNConfig(seed=1, epochs=40),
        GCNConfig(seed=2, epochs=40, dropout=0.2, learning_rate=0.02),
    ]
    for lane, config in zip(train_gcns(cora, configs).finish(), configs, strict=True):
        alone = train_gcn(cora, config).finish()
        assert lane.scores == alone.scores
        assert all(
            torch.equal(a, b) for a, b in zip(lane.model.parameters(), alone.model.parameters(), strict=True)
        )


def test_gcn_reaches_its_published_accuracy_on_cora(cora):
    results = train_gcns(cora, [GCNConfig(seed=seed) for seed in range(8)]).finish()
    assert 100 * statistics.fmean(r.scores.test_accuracy for r in results) == pytest.approx(81.5, abs=1.0)
    assert all(result.parameters == 23_040 for result in results)


def test_no_config_is_an_error(cora):
    with pytest.raises(ConfigError, match="at least one config"):
        train_gcns(cora, [])


def test_a_gcn_may_keep_its_best_validation(small_graph):
    config = GCNConfig(epochs=60, early_stopping=0, seed=3)
    last = train_gcn(small_graph, config).finish()
    best = train_gcn(small_graph, config.change(keep_best=True)).finish()
    reached = [
        train_gcn(small_graph, config.change(epochs=n)).finish().scores.val_accuracy for n in range(10, 61, 10)
    ]
    assert best.scores.val_accuracy == max(reached) >= last.scores.val_accuracy
    assert best.finished.facts["best_epoch"] == 10 * (1 + reached.index(max(reached)))


def test_its_scores_are_of_the_loss_it_was_trained_by(small_graph):
    result = train_gcn(small_graph, GCNConfig(loss="mse", epochs=30, seed=1)).finish()
    outputs = result.model(small_graph.x, small_graph.edge_index)[small_graph.val_mask].double()
    targets = torch.nn.functional.one_hot(small_graph.y[small_graph.val_mask], small_graph.num_classes)
    assert result.scores.val_loss == pytest.approx((outputs - targets).square().mean().item(), rel=1e-5)


def test_a_gcn_may_read_out_without_the_graph(small_graph):
    result = train_gcn(small_graph, GCNConfig(hidden=(8, 4), readout="linear", epochs=5)).finish()
    hidden = result.model.hidden_features(small_graph.x, small_graph.edge_index)
    assert (result.model(small_graph.x, small_graph.edge_index) == hidden @ result.model.output.weight).all()
