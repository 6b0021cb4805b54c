"""APPNP is Klicpera et al.'s: power steps towards personalised PageRank, edges dropped at each of them."""

import statistics

import pytest
import torch
import torch.nn.functional as F
from oracles import dense_adjacency, dense_appnp, dense_fitting

from pgcn import APPNPConfig, train, train_many
from pgcn.engine.fields import PreparedGraph
from pgcn.engine.lanes import mixed_seed
from pgcn.engine.threads import on_threads
from pgcn.errors import ConfigError
from pgcn.events import EpochsTrained
from pgcn.methods.appnp.fields import Dropout, PropagationField
from pgcn.methods.appnp.model import APPNPNet
from pgcn.methods.appnp.train import new_network
from pgcn.methods.stopping import EarlyStopping

STILL = {"dropout": 0.0, "edge_dropout": 0.0}


def start_of(graph, config):
    """Return the network a run starts from, and the generator that goes on drawing."""
    generator = torch.Generator().manual_seed(mixed_seed(config.seed, "appnp"))
    return new_network(graph, config, generator), generator


def one_of(model):
    """Return the parameters of a network as the only one of a batch, [1, ...] by name."""
    return {name: parameter.unsqueeze(0) for name, parameter in model.named_parameters()}


@pytest.mark.parametrize("alpha", [0.1, 0.5])
def test_power_steps_tend_to_the_exact_inverse(small_graph, alpha):
    propagation = dense_adjacency(small_graph)
    inner = torch.eye(small_graph.num_nodes, dtype=torch.float64) - (1 - alpha) * propagation
    exact = alpha * torch.linalg.inv(inner)
    errors = []
    for hops in (0, 1, 10, 50, 200):
        shape = {"num_features": 40, "num_classes": 3, "hidden": 16}
        model = APPNPNet(**shape, hops=hops, alpha=alpha)
        model.initialise(torch.Generator().manual_seed(0))
        with torch.no_grad():
            predicted = (torch.relu(small_graph.x @ model.hidden) @ model.output).double()
            outputs = model(small_graph.x, small_graph.edge_index).double()
        errors.append((outputs - exact @ predicted).norm() / (exact @ predicted).norm())
        assert errors[-1] <= 3 * (1 - alpha) ** hops + 1e-5
    assert errors == sorted(errors, reverse=True) or errors[-1] < 1e-5
    assert errors[-1] < 1e-5 < errors[1]


@pytest.mark.parametrize("hops", [0, 1, 4])
def test_training_in_the_field_equals_dense_training_epoch_by_epoch(small_graph, hops):
    config = APPNPConfig(hidden=8, hops=hops, alpha=0.2, epochs=15, **STILL)
    run = train("appnp", small_graph, config, report_every=1)
    events = [event for event in run if isinstance(event, EpochsTrained)]
    propagation, x = dense_adjacency(small_graph), small_graph.x.double()

    def outputs(weights):
        return dense_appnp(weights, x, propagation, hops=hops, alpha=config.alpha)

    how = {"learning_rate": config.learning_rate, "weight_decay": config.weight_decay, "decayed": ["hidden"]}
    start = start_of(small_graph, config)[0].state_dict()
    twin = list(dense_fitting(small_graph, start, outputs, epochs=15, **how))
    assert len(events) == 15
    for event, (loss, val_loss, weights) in zip(events, twin, strict=True):
        penalty = config.weight_decay / 2 * weights["hidden"].square().sum().item()
        assert event.loss == pytest.approx(loss, rel=1e-4)
        assert event.val_loss == pytest.approx(val_loss + penalty, rel=1e-4)
    kept = run.result.finished.facts["best_epoch"]
    found = run.result.model(small_graph.x, small_graph.edge_index)
    torch.testing.assert_close(found.double(), outputs(twin[kept - 1][2]), rtol=1e-3, atol=1e-4)


def test_dropout_acts_on_features_hidden_layer_and_anew_on_the_edges_of_every_step(small_graph):
    config = APPNPConfig(hidden=8, hops=3, alpha=0.2, dropout=0.5, edge_dropout=0.25)
    prepared = PreparedGraph(small_graph)
    field = PropagationField.whole(prepared, config.hops)
    model, generator = start_of(small_graph, config)
    dropout = Dropout(config, [generator], prepared.device)
    state = generator.get_state()
    drawn = dropout.masks(field)
    generator.set_state(state)
    [found] = field.outputs(one_of(model), config.alpha, dropout)
    assert len(drawn.edges) == 3 and not torch.equal(drawn.edges[0], drawn.edges[1])
    assert {0.0, 2.0} == set(drawn.features.unique().tolist()) == set(drawn.hidden.unique().tolist())
    features = torch.zeros(small_graph.x.shape, dtype=torch.float64)
    features[small_graph.features.nonzero()] = drawn.features[0, 0].double()
    hidden = torch.relu((small_graph.x * features) @ model.hidden.double()) * drawn.hidden[0]
    outputs = predicted = hidden @ model.output.double()
    for mask in drawn.edges:
        kept = torch.zeros(small_graph.num_nodes, small_graph.num_nodes, dtype=torch.float64)
        kept[prepared.propagation.nonzero()] = mask[0, 0].double()
        outputs = 0.8 * (dense_adjacency(small_graph) * kept) @ outputs + 0.2 * predicted
    torch.testing.assert_close(found.double(), outputs, rtol=1e-4, atol=1e-6)


def test_kept_are_the_weights_of_the_best_accuracy_and_of_the_lowest_loss_among_equals():
    stopping = EarlyStopping(2, "ranked")
    for epoch, (loss, accuracy, kept, waited) in enumerate(
        [
            (1.0, 0.5, 1, 0),
            (0.8, 0.4, 1, 0),  # loss only: patience, but no weights
            (1.2, 0.6, 3, 0),  # more accurate, at a higher loss
            (1.1, 0.6, 4, 0),  # as accurate, at a lower loss
            (1.1, 0.6, 4, 0),  # the same again
            (1.0, 0.5, 4, 1),
            (1.0, 0.5, 4, 2),
        ],
        start=1,
    ):
        assert not stopping.is_over
        assert stopping.update(epoch, loss, accuracy) == (kept == epoch)
        assert (stopping.epoch, stopping.waited) == (kept, waited)
    assert stopping.is_over and stopping.ending(7).facts["best_epoch"] == 4


def test_the_whole_graph_is_what_the_module_computes(small_graph):
    result = train("appnp", small_graph, epochs=5).finish()
    outputs = result.model(small_graph.x, small_graph.edge_index)
    for mask, loss in ((small_graph.val_mask, "val_loss"), (small_graph.test_mask, "test_loss")):
        expected = F.cross_entropy(outputs[mask], small_graph.y[mask]).item()
        assert getattr(result.scores, loss) == pytest.approx(expected, rel=1e-4)


def test_the_same_seed_gives_the_same_run_alone_among_others_and_on_any_number_of_threads(small_graph):
    configs = [APPNPConfig(seed=seed, epochs=8) for seed in (0, 1)]
    for config, among in zip(configs, train_many("appnp", small_graph, configs).finish(), strict=True):
        with on_threads(1):
            alone = train("appnp", small_graph, config).finish()
        assert alone.scores == among.scores
    assert alone.scores != train("appnp", small_graph, configs[0]).finish().scores


def test_a_run_that_diverges_fails_and_leaves_no_network(small_graph):
    result = train("appnp", small_graph, learning_rate=1e30).finish()
    assert (result.finished.status, result.finished.ending) == ("failed", "diverged")
    assert result.model is None


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"alpha": 0.0}, "alpha must be greater than 0"),
        ({"alpha": 1.5}, "alpha must be at most 1"),
        ({"hops": -1}, "hops must be at least 0, got -1"),
        ({"edge_dropout": 1.0}, "edge_dropout must be less than 1"),
        ({"alfa": 0.2}, "Did you mean alpha"),
    ],
)
def test_bad_settings_are_refused(small_graph, settings, message):
    with pytest.raises(ConfigError, match=message):
        train("appnp", small_graph, **settings)


@pytest.mark.slow
def test_it_reaches_its_published_accuracy_on_cora(cora):
    results = train_many("appnp", cora, [APPNPConfig(seed=seed) for seed in range(2)]).finish()
    assert 100 * statistics.fmean(r.scores.test_accuracy for r in results) == pytest.approx(83.3, abs=1.0)
