"""GAT is Veličković et al.'s: three dropouts, their rule to stop; the fast field computes what N x N does."""

import statistics

import pytest
import torch
from oracles import dense_adjacency, dense_gat, dense_gat_training

from pgcn import GATConfig, train, train_many
from pgcn.engine.fields import PreparedGraph
from pgcn.engine.lanes import mixed_seed
from pgcn.engine.threads import on_threads
from pgcn.errors import ConfigError
from pgcn.events import EpochsTrained
from pgcn.methods.gat import PRESETS
from pgcn.methods.gat.attention import Attention, HeadEdges
from pgcn.methods.gat.fields import AttentionField, Dropout
from pgcn.methods.gat.model import AttentionHeads, Edges, GATNet
from pgcn.methods.gat.train import new_network
from pgcn.methods.registry import METHODS
from pgcn.methods.stopping import EarlyStopping

STILL = {"dropout": 0.0, "attention_dropout": 0.0}


def start_of(graph, config):
    """Return the network a run starts from, and the generator that goes on drawing."""
    generator = torch.Generator().manual_seed(mixed_seed(config.seed, "gat"))
    return new_network(graph, config, generator), generator


def one_of(model):
    """Return the parameters of a network as the only one of a batch, [1, ...] by name."""
    return {name: parameter.unsqueeze(0) for name, parameter in model.named_parameters()}


@pytest.mark.parametrize("dropped", [False, True])
def test_attention_of_all_heads_at_once_is_that_of_plain_autograd(small_graph, dropped):
    field = AttentionField.around(PreparedGraph(small_graph), "labelled")
    edges, rows = field.into_hidden, field.features.pattern.shape[0]
    generator = torch.Generator().manual_seed(0)
    heads = AttentionHeads(5, 3, 4)
    for parameter in heads.parameters():
        parameter.data = torch.randn(parameter.shape, generator=generator)
    z = torch.randn(rows, 3, 4, generator=generator, requires_grad=True)
    masks = [None, None]
    if dropped:
        masks = [torch.rand(len(edges), 3, generator=generator), torch.rand(rows, 3, 4, generator=generator)]
    expected = heads(z, edges, *masks) - heads.bias
    by_head = [None if mask is None else mask.transpose(0, 1).unsqueeze(0).contiguous() for mask in masks]
    scores = (heads.score_target, heads.score_source, heads.score_bias)
    inputs = z.transpose(0, 1).contiguous()
    found = Attention.apply(inputs, *scores, HeadEdges.of(edges, 3, rows), 1, *by_head).transpose(0, 1)
    torch.testing.assert_close(found, expected, rtol=1e-4, atol=1e-5)
    towards = torch.randn(found.shape, generator=generator)
    for one, other in zip(*(torch.autograd.grad(h, (z, *scores), towards) for h in (found, expected)), strict=True):
        torch.testing.assert_close(one, other, rtol=1e-3, atol=1e-4)


def test_the_attention_of_every_node_sums_to_one(small_graph):
    model, generator = start_of(small_graph, GATConfig())
    for nodes in ("labelled", "val"):
        edges = AttentionField.around(PreparedGraph(small_graph), nodes).into_hidden
        z = torch.randn(int(edges.source.max()) + 1, 8, 8, generator=generator)
        attention = model.hidden.attention(100 * z, edges)
        sums = torch.zeros(len(edges.per_target), 8).index_add(0, edges.target, attention)
        torch.testing.assert_close(sums, torch.ones_like(sums))
        assert (attention >= 0).all()


@pytest.mark.parametrize("graph", ["small_graph", "tall_graph"])
@pytest.mark.parametrize("output_heads", [1, 3])
def test_training_in_the_field_equals_dense_training_epoch_by_epoch(request, graph, output_heads):
    graph = request.getfixturevalue(graph)
    config = GATConfig(heads=3, hidden=4, output_heads=output_heads, epochs=12, learning_rate=0.005, **STILL)
    run = train("gat", graph, config, report_every=1)
    events = [event for event in run if isinstance(event, EpochsTrained)]
    start = start_of(graph, config)[0].state_dict()
    how = {"learning_rate": config.learning_rate, "weight_decay": config.weight_decay}
    twin = list(dense_gat_training(graph, start, epochs=12, **how))
    assert len(events) == 12
    # A score's bias hardly changes a softmax: its gradient is rounding error, which Adam scales up to a step of the
    # learning rate. Hence GAT's own, small one: at 0.02 some CPUs come to differences of 1e-3.
    for event, (loss, val_loss, _) in zip(events, twin, strict=True):
        assert event.loss == pytest.approx(loss, rel=1e-3)
        assert event.val_loss == pytest.approx(val_loss, rel=1e-3)
    kept = run.result.finished.facts["best_epoch"]
    weights, model = twin[kept - 1][2], run.result.model
    expected = dense_gat(weights, graph.x.double(), dense_adjacency(graph) > 0)
    torch.testing.assert_close(model(graph.x, graph.edge_index).double(), expected, rtol=5e-3, atol=5e-3)


def test_the_gradient_in_the_field_is_that_of_the_whole_graph(small_graph):
    config = GATConfig(heads=3, hidden=4, output_heads=2)
    model, generator = start_of(small_graph, config)
    for parameter in model.parameters():  # biases too: at 0 they would hide mistakes
        parameter.data = torch.randn(parameter.shape, generator=generator)
    there = small_graph.train_mask
    field = AttentionField.around(PreparedGraph(small_graph), "labelled")
    [outputs] = field.outputs(one_of(model))
    torch.nn.functional.cross_entropy(outputs, small_graph.y[there]).backward()
    weights = {name: value.detach().double().requires_grad_() for name, value in model.named_parameters()}
    outputs = dense_gat(weights, small_graph.x.double(), dense_adjacency(small_graph) > 0)[there]
    torch.nn.functional.cross_entropy(outputs, small_graph.y[there]).backward()
    for name, parameter in model.named_parameters():
        torch.testing.assert_close(parameter.grad.double(), weights[name].grad, rtol=1e-3, atol=1e-6)


def test_dropout_acts_on_inputs_attention_and_z_of_every_head_by_itself(small_graph):
    config = GATConfig(heads=2, hidden=4, output_heads=3, dropout=0.5, attention_dropout=0.25)
    prepared = PreparedGraph(small_graph)
    field = AttentionField.whole(prepared)
    model, generator = start_of(small_graph, config)
    dropout = Dropout(config, small_graph.num_classes, [generator], prepared.device)
    state = generator.get_state()
    drawn = dropout.masks(field)
    generator.set_state(state)
    [outputs] = field.outputs(one_of(model), dropout)
    assert {0.0, 2.0} == set(drawn.features.unique().tolist()) == set(drawn.hidden.unique().tolist())
    assert not torch.equal(drawn.features[0, 0], drawn.features[0, 1])

    def dense(edges, values):
        matrix = torch.zeros(small_graph.num_nodes, small_graph.num_nodes, dtype=torch.float64)
        matrix[edges.target, edges.source] = values.double()
        return matrix

    rows, columns = small_graph.features.nonzero()
    masks = {}
    for k in range(config.heads):
        inputs = torch.zeros(small_graph.x.shape, dtype=torch.float64)
        inputs[rows, columns] = drawn.features[0, k].double()
        attention = dense(field.into_hidden, drawn.attention[0, k])
        masks["hidden", k] = {"input": inputs, "attention": attention, "z": drawn.z[0, k]}
    for k in range(config.output_heads):
        attention = dense(field.into_output, drawn.output_attention[0, k])
        masks["output", k] = {"input": drawn.hidden[0, k], "attention": attention, "z": drawn.output_z[0, k]}
    weights = {name: value.double() for name, value in model.state_dict().items()}
    expected = dense_gat(weights, small_graph.x.double(), dense_adjacency(small_graph) > 0, masks)
    torch.testing.assert_close(outputs.double(), expected, rtol=1e-4, atol=1e-6)


def test_without_score_biases_a_layer_is_pygs(small_graph):
    from torch_geometric.nn import GATConv

    heads = AttentionHeads(40, 8, 8)
    heads.initialise(torch.Generator().manual_seed(0))
    conv = GATConv(40, 8, heads=8)
    conv.lin.weight.data = heads.weight.data.flatten(1).T.contiguous()
    conv.att_dst.data, conv.att_src.data = heads.score_target.data[None], heads.score_source.data[None]
    from pgcn.graph import adjacency, normalized_adjacency

    pattern = normalized_adjacency(adjacency(small_graph.edge_index, small_graph.num_nodes))
    z = torch.einsum("nd,dkf->nkf", small_graph.x, heads.weight)
    found = heads(z, Edges.of(pattern, torch.device("cpu"))).flatten(1)
    torch.testing.assert_close(found, conv(small_graph.x, small_graph.edge_index), rtol=1e-4, atol=1e-6)


def test_parameters_are_those_of_the_published_formula_and_the_biases():
    """64D + 128 + K₂(64C + 2C) leaves out 64 + 16 biases of the hidden layer and C + 2 of each output head."""
    for features, classes, preset, published in (
        (1433, 7, "citation", 92_302),
        (3703, 6, "citation", 237_516),
        (500, 3, "pubmed", 33_712),
    ):
        config = PRESETS[preset]
        heads = {name: getattr(config, name) for name in ("heads", "hidden", "output_heads")}
        model = GATNet(num_features=features, num_classes=classes, **heads)
        biases = 64 + 16 + config.output_heads * (classes + 2)
        assert model.num_parameters == published + biases


def test_patience_begins_anew_at_a_record_in_either_and_weights_are_kept_at_one_in_both():
    stopping = EarlyStopping(2)
    for epoch, (loss, accuracy, kept, waited) in enumerate(
        [
            (1.0, 0.5, 1, 0),
            (0.9, 0.4, 1, 0),  # loss only
            (1.1, 0.5, 1, 0),  # as accurate as the best
            (1.0, 0.4, 1, 1),
            (0.9, 0.5, 5, 0),  # both, equal counts
            (1.0, 0.4, 5, 1),
            (1.0, 0.4, 5, 2),
        ],
        start=1,
    ):
        assert not stopping.is_over
        assert stopping.update(epoch, loss, accuracy) == (kept == epoch)
        assert (stopping.epoch, stopping.waited) == (kept, waited)
    assert stopping.is_over and stopping.ending(7).facts["best_epoch"] == 5


def test_the_network_is_that_of_the_kept_epoch(small_graph):
    config = GATConfig(heads=2, hidden=4, patience=8, learning_rate=0.05)
    run = train("gat", small_graph, config, report_every=1)
    losses = [event.val_loss for event in run if isinstance(event, EpochsTrained)]
    ended = run.result.finished
    assert (ended.ending, ended.facts["epochs"]) == ("patience", len(losses))
    kept = ended.facts["best_epoch"]
    assert losses[kept - 1] == pytest.approx(run.result.scores.val_loss, rel=1e-4)
    assert losses[kept - 1] == min(losses[:kept])


def test_the_whole_graph_is_what_the_module_computes(small_graph):
    result = train("gat", small_graph, epochs=5).finish()
    outputs = result.model(small_graph.x, small_graph.edge_index)
    for mask, loss in ((small_graph.val_mask, "val_loss"), (small_graph.test_mask, "test_loss")):
        expected = torch.nn.functional.cross_entropy(outputs[mask], small_graph.y[mask]).item()
        assert getattr(result.scores, loss) == pytest.approx(expected, rel=1e-4)
    doubled = torch.cat([small_graph.edge_index, small_graph.edge_index], dim=1)
    ignored = torch.rand(doubled.shape[1])
    torch.testing.assert_close(result.model(small_graph.x, doubled, ignored), outputs)


def test_the_same_seed_gives_the_same_run_alone_among_others_and_on_any_number_of_threads(small_graph):
    configs = [GATConfig(seed=seed, epochs=8) for seed in (0, 1)]
    for config, among in zip(configs, train_many("gat", small_graph, configs).finish(), strict=True):
        with on_threads(1):
            alone = train("gat", small_graph, config).finish()
        assert alone.scores == among.scores
        assert all(torch.equal(a, b) for a, b in zip(*(r.model.parameters() for r in (alone, among)), strict=True))
    assert alone.scores != train("gat", small_graph, configs[0]).finish().scores


def test_a_run_that_diverges_fails_and_leaves_no_network(small_graph):
    result = train("gat", small_graph, learning_rate=1e30).finish()
    assert (result.finished.status, result.finished.ending) == ("failed", "diverged")
    assert result.model is None and result.scores is None and result.topology == ()


def test_a_run_can_be_cancelled_between_epochs(small_graph):
    run = train("gat", small_graph, report_every=1)
    next(event for event in run if isinstance(event, EpochsTrained))
    ended = run.cancel()
    assert ended.status == "cancelled" and run.model is None


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"heads": 0}, "heads must be at least 1, got 0"),
        ({"attention_dropout": 1.0}, "attention_dropout must be less than 1"),
        ({"preset": "reddit"}, "No preset of GAT named 'reddit'. Choose one of: citation, pubmed"),
        ({"head": 2}, "Did you mean heads"),
    ],
)
def test_bad_settings_are_refused(small_graph, settings, message):
    with pytest.raises(ConfigError, match=message):
        train("gat", small_graph, **settings)


def test_the_preset_of_pubmed_is_the_authors():
    config = METHODS["gat"].settings("pubmed", seed=4)
    assert (config.output_heads, config.learning_rate, config.weight_decay, config.seed) == (8, 0.01, 1e-3, 4)


@pytest.mark.slow
def test_it_reaches_its_published_accuracy_on_cora(cora):
    results = train_many("gat", cora, [GATConfig(seed=seed) for seed in range(2)]).finish()
    assert 100 * statistics.fmean(r.scores.test_accuracy for r in results) == pytest.approx(83.0, abs=1.0)
