"""N-GCN is a network of GCNs, one for each power and replica; the fast fields compute what dense powers do."""

import statistics

import pytest
import torch
import torch.nn.functional as F
from oracles import dense_adjacency, dense_fitting, dense_towers

from pgcn import NGCNConfig, train, train_many
from pgcn.engine.architecture import Architecture
from pgcn.engine.fields import PreparedGraph
from pgcn.engine.lanes import mixed_seed
from pgcn.engine.model import GraphNet
from pgcn.engine.threads import on_threads
from pgcn.errors import ConfigError
from pgcn.events import EpochsTrained
from pgcn.methods.ngcn.fields import Dropout, TowerField
from pgcn.methods.ngcn.train import new_network

SMALL = {"hidden": 4, "replicas": 2}
STILL = {"dropout": 0.0, "input_dropout": 0.0}


def start_of(graph, config):
    """Return the network a run starts from, and the generator that goes on drawing."""
    generator = torch.Generator().manual_seed(mixed_seed(config.seed, "ngcn"))
    return new_network(graph, config, generator), generator


def one_of(model):
    """Return the parameters of a network as the only one of a batch, [1, ...] by name."""
    return {name: parameter.unsqueeze(0) for name, parameter in model.named_parameters()}


def test_one_tower_of_the_first_power_is_a_gcn(small_graph):
    model, generator = start_of(small_graph, NGCNConfig(powers=(1,), replicas=1))
    for parameter in model.parameters():  # biases too: at 0 they would hide mistakes
        parameter.data = torch.randn(parameter.shape, generator=generator)
    gcn = GraphNet.from_weights(
        Architecture(num_features=40, num_classes=3, widths=(10,), readout="graph", bias=True),
        {
            "hidden.0.weight": model.hidden[:, 0],
            "hidden.0.bias": model.hidden_bias[0],
            "output.weight": model.output[0],
            "output.bias": model.output_bias[0],
        },
    )
    inputs = small_graph.x, small_graph.edge_index
    torch.testing.assert_close(model(*inputs), gcn(*inputs), rtol=1e-4, atol=1e-5)
    weighted = (*inputs, torch.rand(inputs[1].shape[1]))
    torch.testing.assert_close(model(*weighted), gcn(*weighted), rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("output", ["wsum", "fc"])
@pytest.mark.parametrize("graph", ["small_graph", "tall_graph"])
@pytest.mark.parametrize("tower_loss", [True, False])
def test_training_in_the_field_equals_dense_training_epoch_by_epoch(request, graph, output, tower_loss):
    graph = request.getfixturevalue(graph)
    config = NGCNConfig(powers=(0, 1, 3), output=output, tower_loss=tower_loss, epochs=10, **SMALL, **STILL)
    run = train("ngcn", graph, config, report_every=1)
    events = [event for event in run if isinstance(event, EpochsTrained)]
    propagation, x = dense_adjacency(graph), graph.x.double()

    def towers(weights):
        return dense_towers(weights, x, propagation, powers=(0, 1, 3), replicas=2)

    def outputs(weights):
        if output == "fc":
            return torch.cat(towers(weights).unbind(dim=1), dim=1) @ weights["classifier"]
        shares = torch.softmax(weights["mixture"], dim=0)
        return sum(share * tower for share, tower in zip(shares, towers(weights).unbind(dim=1), strict=True))

    def of_towers(weights):
        there = graph.train_mask
        return sum(F.cross_entropy(tower[there], graph.y[there]) for tower in towers(weights).unbind(dim=1))

    model, _ = start_of(graph, config)
    decayed = [name for name, _ in model.named_parameters()]
    how = {"learning_rate": config.learning_rate, "weight_decay": config.weight_decay, "decayed": decayed}
    more = of_towers if tower_loss else None
    twin = list(dense_fitting(graph, model.state_dict(), outputs, epochs=10, more_loss=more, **how))
    assert len(events) == 10
    for event, (loss, val_loss, _) in zip(events, twin, strict=True):
        assert event.loss == pytest.approx(loss, rel=1e-3)
        assert event.val_loss == pytest.approx(val_loss, rel=1e-3)
    kept = run.result.finished.facts["best_epoch"]
    found = run.result.model(graph.x, graph.edge_index)
    torch.testing.assert_close(found.double(), outputs(twin[kept - 1][2]), rtol=5e-3, atol=5e-3)


@pytest.mark.parametrize("graph", ["small_graph", "tall_graph"])
def test_dropout_acts_on_features_once_for_all_towers_and_on_each_hidden_layer(request, graph):
    graph = request.getfixturevalue(graph)
    config = NGCNConfig(powers=(0, 2), dropout=0.25, input_dropout=0.5, **SMALL)
    prepared = PreparedGraph(graph)
    field = TowerField.whole(prepared, config.powers)
    model, generator = start_of(graph, config)
    dropout = Dropout(config, [generator], prepared.device)
    state = generator.get_state()
    drawn = dropout.masks(field)
    generator.set_state(state)
    [found] = field.towers(one_of(model), dropout)
    features = torch.zeros(graph.x.shape, dtype=torch.float64)
    if field.features.dense:
        features = drawn.features.view(features.shape).double()
    else:
        features[graph.features.nonzero()] = drawn.features[0, 0].double()
    x = graph.x * features
    for number, power in enumerate(config.powers):
        powered = torch.linalg.matrix_power(dense_adjacency(graph), power)
        masks = drawn.hidden[number].view(-1, 2, 4)
        for replica in range(2):
            t = 2 * number + replica
            hidden = torch.relu(powered @ x @ model.hidden[:, t].double()) * masks[:, replica]
            expected = powered @ hidden @ model.output[t].double()
            torch.testing.assert_close(found[:, t].double(), expected, rtol=1e-4, atol=1e-6)


def test_the_field_of_some_nodes_gives_their_rows_of_the_whole(small_graph):
    model, _ = start_of(small_graph, NGCNConfig(**SMALL))
    prepared = PreparedGraph(small_graph)
    whole = TowerField.whole(prepared, model.powers).towers(one_of(model))
    for nodes in ("labelled", "val"):
        there = TowerField.around(prepared, nodes, model.powers).towers(one_of(model))
        torch.testing.assert_close(there, whole[:, prepared.nodes[nodes]], rtol=1e-4, atol=1e-6)


def test_it_trains_for_all_its_epochs_and_leaves_those_weights_that_validation_chose(small_graph):
    run = train("ngcn", small_graph, epochs=30, report_every=1)
    events = [event for event in run if isinstance(event, EpochsTrained)]
    assert len(events) == 30
    kept = run.result.finished.facts["best_epoch"]
    assert events[kept - 1].val_loss == pytest.approx(run.result.scores.val_loss, rel=1e-4)


def test_the_same_seed_gives_the_same_run_alone_among_others_and_on_any_number_of_threads(small_graph):
    configs = [NGCNConfig(seed=seed, epochs=6, **SMALL) for seed in (0, 1)]
    for config, among in zip(configs, train_many("ngcn", small_graph, configs).finish(), strict=True):
        with on_threads(1):
            alone = train("ngcn", small_graph, config).finish()
        assert alone.scores == among.scores
    assert alone.scores != train("ngcn", small_graph, configs[0]).finish().scores


def test_a_run_that_diverges_fails_and_leaves_no_network(small_graph):
    result = train("ngcn", small_graph, learning_rate=1e30).finish()
    assert (result.finished.status, result.finished.ending) == ("failed", "diverged")
    assert result.model is None


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"powers": ()}, "powers must name at least one number"),
        ({"powers": (-1,)}, "powers must be at least 0, got -1"),
        ({"replicas": 0}, "replicas must be at least 1, got 0"),
        ({"output": "mean"}, "output must be one of: wsum, fc"),
        ({"power": (1,)}, "Did you mean powers"),
    ],
)
def test_bad_settings_are_refused(small_graph, settings, message):
    with pytest.raises(ConfigError, match=message):
        train("ngcn", small_graph, **settings)


@pytest.mark.slow
def test_it_reaches_its_published_accuracy_on_cora(cora):
    results = train_many("ngcn", cora, [NGCNConfig(seed=seed) for seed in range(2)]).finish()
    assert 100 * statistics.fmean(r.scores.test_accuracy for r in results) == pytest.approx(83.0, abs=1.5)
