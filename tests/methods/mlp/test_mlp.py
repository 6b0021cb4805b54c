"""An MLP is a GCN without edges: it gives every node what its own features say."""

import statistics
from dataclasses import replace

import pytest
import torch
import torch.nn.functional as F

from pgcn import GCNConfig, MLPConfig, train, train_many
from pgcn.data import load_graph
from pgcn.errors import ConfigError
from pgcn.events import EpochsTrained

STILL = {"dropout": 0.0, "input_dropout": 0.0, "early_stopping": 0}


def test_training_equals_that_of_two_dense_layers(small_graph):
    config = MLPConfig(hidden=(8,), epochs=20, **STILL)
    run = train("mlp", small_graph, config, report_every=1)
    events = [event for event in run if isinstance(event, EpochsTrained)]
    start = train("mlp", small_graph, config.change(epochs=1, learning_rate=1e-30)).finish().model.state_dict()
    first, second = (start[name].double().requires_grad_() for name in ("hidden.0.weight", "output.weight"))
    groups = [{"params": [first], "weight_decay": config.weight_decay}, {"params": [second]}]
    adam = torch.optim.Adam(groups, lr=config.learning_rate)
    x, there = small_graph.x.double(), small_graph.train_mask
    for event in events:
        loss = F.cross_entropy((torch.relu(x @ first) @ second)[there], small_graph.y[there])
        adam.zero_grad()
        loss.backward()
        adam.step()
        assert event.loss == pytest.approx(loss.item(), rel=1e-4)
    outputs = run.result.model(small_graph.x, small_graph.edge_index)
    torch.testing.assert_close(outputs.double(), torch.relu(x @ first) @ second, rtol=1e-3, atol=1e-3)


def test_edges_change_nothing(small_graph):
    alone = replace(small_graph, edge_index=small_graph.edge_index[:, :0])
    with_edges, without = (train("mlp", graph, epochs=20).finish() for graph in (small_graph, alone))
    assert with_edges.scores == without.scores
    model, x = with_edges.model, small_graph.x
    outputs = model(x, small_graph.edge_index)
    assert torch.equal(outputs, model(x, alone.edge_index))
    weights = model.state_dict()
    by_hand = torch.relu(x @ weights["hidden.0.weight"]) @ weights["output.weight"]
    torch.testing.assert_close(outputs, by_hand)


def test_it_is_a_gcn_where_there_are_no_edges(small_graph):
    alone = replace(small_graph, edge_index=small_graph.edge_index[:, :0])
    mlp = train("mlp", small_graph, epochs=1).finish()
    gcn = train("gcn", alone, GCNConfig(epochs=1)).finish().model
    gcn.load_state_dict(mlp.model.state_dict())
    torch.testing.assert_close(
        gcn(alone.x, alone.edge_index), mlp.model(small_graph.x, small_graph.edge_index), rtol=1e-5, atol=1e-6
    )


def test_the_same_seed_gives_the_same_run_alone_and_among_others(small_graph):
    configs = [MLPConfig(seed=seed, epochs=20) for seed in (0, 1)]
    for config, among in zip(configs, train_many("mlp", small_graph, configs).finish(), strict=True):
        assert train("mlp", small_graph, config).finish().scores == among.scores


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"hidden": (0,)}, "hidden must be at least 1, got 0"),
        ({"dropout": 1.0}, "dropout must be less than 1"),
        ({"readout": "graph"}, "No setting named 'readout'"),
    ],
)
def test_bad_settings_are_refused(small_graph, settings, message):
    with pytest.raises(ConfigError, match=message):
        train("mlp", small_graph, **settings)


def test_it_is_as_far_below_a_gcn_on_cora_as_published(cora):
    """Kipf & Welling have 55.1 %."""
    results = train_many("mlp", cora, [MLPConfig(seed=seed) for seed in range(5)]).finish()
    assert 100 * statistics.fmean(r.scores.test_accuracy for r in results) == pytest.approx(55.1, abs=3.0)


def test_a_run_whose_validation_loss_is_no_number_on_the_way_has_diverged():
    """Its weights may be finite again at the end: numbers of 1e30 that say nothing."""
    result = train("mlp", load_graph("karate"), learning_rate=1e30).finish()
    assert (result.finished.status, result.finished.ending) == ("failed", "diverged") and result.model is None
