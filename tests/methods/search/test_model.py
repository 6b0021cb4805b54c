"""The network of an architecture computes what its formulae say, whatever is chosen."""

import itertools

import pytest
import torch
import torch.nn.functional as F
from oracles import dense_adjacency

from pgcn.data import load_graph
from pgcn.engine.fields import PreparedGraph
from pgcn.methods.search import SearchConfig
from pgcn.methods.search.child import Training, masks
from pgcn.methods.search.fields import Neighbours, SearchField
from pgcn.methods.search.model import ACTIVATIONS, ChildNet
from pgcn.methods.search.space import AUTOGNN, GRAPHNAS, Architecture, LayerChoice

ATTENTIONS, AGGREGATORS = (decision.choices for decision in GRAPHNAS.decisions[:2])


@pytest.fixture(scope="module")
def karate():
    return load_graph("karate")


def network(graph, *layers, seed=0):
    """A network with random weights, biases too."""
    layers = (*layers[:-1], LayerChoice(**{**vars(layers[-1]), "hidden": graph.num_classes}))
    sizes = {"num_features": graph.num_features, "num_classes": graph.num_classes, "combine_width": 6}
    model = ChildNet(Architecture(layers), **sizes)
    generator = torch.Generator().manual_seed(seed)
    for parameter in model.parameters():
        parameter.data.uniform_(-0.5, 0.5, generator=generator)
    return model


def layer(**chosen):
    usual = {"attention": "gat", "aggregator": "sum", "activation": "tanh", "heads": 2, "hidden": 3}
    return LayerChoice(**{**usual, **chosen})


def score(kind, heads, k, own, other):
    """The score of one head for a node with z = own and a neighbour with z = other."""
    left, right = heads.score_target[k], heads.score_source[k]
    if kind == "gat":
        return F.leaky_relu(left @ own + right @ other, 0.2)
    if kind == "gat_sym":
        return score("gat", heads, k, own, other) + score("gat", heads, k, other, own)
    if kind == "cos":
        return ((left * own) * (right * other)).sum()
    if kind == "linear":
        return torch.tanh((left + right) @ other)
    return heads.score @ torch.tanh(left * own + right * other)


def gathered(choice, part, k, z, node, propagation):
    """What one head gathers for one node, every message mapped by itself, [F]."""
    near = (propagation[node] > 0).nonzero().flatten().tolist()
    if choice.attention == "const":
        c = torch.ones(len(near))
    elif choice.attention == "gcn":
        c = propagation[node, near]
    else:
        scores = [score(choice.attention, part.heads, k, z[node, k], z[other, k]) for other in near]
        c = torch.softmax(torch.stack(scores), dim=0)
    messages = torch.stack([c[n] * z[other, k] for n, other in enumerate(near)])
    if part.messages is not None:
        inner = messages @ part.messages.enter + part.messages.enter_bias
        messages = inner @ part.messages.leave + part.messages.leave_bias
    if choice.aggregator == "max":
        return messages.max(dim=0).values
    return messages.mean(dim=0) if choice.aggregator == "mean" else messages.sum(dim=0)


def dense_layer(choice, part, x, propagation, *, last):
    """One node and one head at a time."""
    z = torch.einsum("nd,dkf->nkf", x, part.heads.weight)
    rows = []
    for node in range(len(x)):
        h = torch.stack([gathered(choice, part, k, z, node, propagation) for k in range(choice.heads)])
        h = h if part.combine is None else part.combine(h)
        rows.append((h.mean(dim=0) if last else h.flatten()) + part.heads.bias)
    return ACTIVATIONS[choice.activation](torch.stack(rows))


def dense_outputs(model, x, propagation):
    for number, (part, choice) in enumerate(zip(model.stack, model.architecture.layers, strict=True)):
        x = dense_layer(choice, part, x, propagation, last=number == 1)
    return x


@pytest.mark.parametrize(("attention", "aggregator"), list(itertools.product(ATTENTIONS, AGGREGATORS)))
def test_any_attention_and_aggregator_is_what_one_message_after_the_other_gives(karate, attention, aggregator):
    chosen = {"attention": attention, "aggregator": aggregator}
    model = network(karate, layer(**chosen, combine="mlp"), layer(**chosen, heads=3)).double()
    x = torch.rand(karate.num_nodes, karate.num_features, generator=torch.Generator().manual_seed(1)).double()
    expected = dense_outputs(model, x, dense_adjacency(karate))
    with torch.no_grad():
        near = Neighbours.of(PreparedGraph(karate).propagation, torch.device("cpu"))
        exact = Neighbours(near.edges, dense_adjacency(karate)[near.edges.target, near.edges.source])
        for part in model.stack:
            x = part(torch.einsum("nd,dkf->nkf", x, part.heads.weight), exact)
    torch.testing.assert_close(x, expected.detach(), rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("attention", [name for name in ATTENTIONS if name not in ("const", "gcn")])
def test_the_attention_of_every_node_sums_to_one(small_graph, attention):
    part = network(small_graph, layer(attention=attention, heads=4), layer()).stack[0]
    near = SearchField.whole(PreparedGraph(small_graph), 2).into[0]
    z = 10 * torch.randn(small_graph.num_nodes, 4, 3, generator=torch.Generator().manual_seed(0))
    shares = part.coefficients(z, near).detach()
    sums = torch.zeros(small_graph.num_nodes, 4).index_add(0, near.edges.target, shares)
    torch.testing.assert_close(sums, torch.ones_like(sums))


@pytest.mark.parametrize("attention", ATTENTIONS)
def test_the_receptive_field_gives_what_the_whole_graph_gives(small_graph, attention):
    model = network(small_graph, layer(attention=attention, aggregator="max"), layer(attention=attention))
    prepared = PreparedGraph(small_graph)
    training = Training(prepared, SearchConfig())
    with torch.no_grad():
        whole = model(small_graph.x, small_graph.edge_index)
        for name in ("labelled", "val"):
            part = training.outputs(model, SearchField.around(prepared, name, 2))
            torch.testing.assert_close(part, whole[prepared.nodes[name]], rtol=1e-4, atol=1e-5)


def test_a_layer_of_gcn_attention_and_sum_is_a_graph_convolution(small_graph):
    choice = layer(attention="gcn", activation="relu", heads=1, hidden=5)
    model = network(small_graph, choice, layer(attention="gcn", activation="linear", heads=1))
    a, x = dense_adjacency(small_graph).float(), small_graph.x
    first, second = (part.heads for part in model.stack)
    hidden = torch.relu(a @ x @ first.weight[:, 0] + first.bias)
    expected = a @ hidden @ second.weight[:, 0] + second.bias
    torch.testing.assert_close(model(x, small_graph.edge_index), expected, rtol=1e-4, atol=1e-5)


def test_every_part_of_an_architecture_that_matters_has_a_gradient(small_graph):
    for attention, aggregator in itertools.product(ATTENTIONS, AGGREGATORS):
        chosen = {"attention": attention, "aggregator": aggregator}
        model = network(small_graph, layer(**chosen, combine="mlp"), layer(**chosen))
        y = small_graph.y[small_graph.train_mask]
        F.cross_entropy(model(small_graph.x, small_graph.edge_index)[small_graph.train_mask], y).backward()
        idle = {"score_target", "score_source"} if attention in ("const", "gcn") else set()
        for name, parameter in model.named_parameters():
            assert (parameter.grad is not None) == (name.split(".")[-1] not in idle), name


@pytest.mark.parametrize("space", [GRAPHNAS, AUTOGNN])
def test_parameters_are_as_many_as_the_formula_says(cora, space):
    generator = torch.Generator().manual_seed(0)
    for _ in range(50):
        counts = [len(space.decisions[number].choices) for number in space.positions]
        choices = [int(torch.randint(count, (1,), generator=generator)) for count in counts]
        architecture = space.architecture(choices, 7)
        sizes = {"num_features": cora.num_features, "num_classes": 7, "combine_width": 32}
        model = ChildNet(architecture, **sizes)
        assert model.num_parameters == architecture.parameters(cora.num_features, 32)
        first, second = architecture.layers
        if first.combine == second.combine == "identity" and first.attention == second.attention == "gat":
            mapped = sum(257 * one.hidden + 128 for one in architecture.layers if one.aggregator != "sum")
            own = cora.num_features * first.width + 3 * first.width + first.width * second.width + 2 * second.width
            assert model.num_parameters == own + second.hidden + mapped


def test_there_are_as_many_architectures_as_published():
    assert GRAPHNAS.size == 88_510_464  # 8.85e7 strings; the last width does not matter: 1.26e7 different ones
    assert GRAPHNAS.size // len(GRAPHNAS.decisions[4].choices) == 12_644_352
    assert GRAPHNAS.num_tokens == 32 and len(GRAPHNAS.positions) == 10 and len(AUTOGNN.positions) == 12


def test_messages_are_dropped_one_by_one_where_nothing_else_is(small_graph):
    near = SearchField.whole(PreparedGraph(small_graph), 2).into[0]
    parts = {name: network(small_graph, layer(attention=name), layer()).stack[0] for name in ATTENTIONS}
    assert parts["gcn"].dropped(near) == {}
    assert parts["const"].dropped(near) == {"drop_messages": (len(near.edges), 2, 3)}
    assert parts["cos"].dropped(near) == {"drop_coefficients": (len(near.edges), 2)}
    assert masks(None, input=(3, 4)) == {"input": None}


def test_a_description_builds_the_same_network_again(small_graph):
    model = network(small_graph, layer(aggregator="mean"), layer(attention="generalized_linear", combine="mlp"))
    again = ChildNet.described(model.description, {}, method="graphnas")
    again.load_state_dict(model.state_dict())
    x, edges = small_graph.x, small_graph.edge_index
    assert torch.equal(again(x, edges), model(x, edges)) and str(again.architecture) == str(model.architecture)
