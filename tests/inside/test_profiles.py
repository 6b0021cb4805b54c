"""What a neuron has learned: its mean activation for every class, its nodes, and whether it is dead."""

import numpy as np
import pytest
import torch
from oracles import dense_adjacency

from pgcn.embeddings.predictions import Predictions
from pgcn.engine.architecture import Architecture
from pgcn.engine.model import GraphNet
from pgcn.execution.recorder import record_runs, stored_models
from pgcn.execution.start import grow_many
from pgcn.inside.profiles import class_profiles, layer_profile
from pgcn.inside.stored import profile_values, read_profiles
from pgcn.methods.pgcn import growth_preset
from pgcn.methods.pgcn.steps import accepted_blocks
from pgcn.recorded import first_events, first_inside
from pgcn.store import Store


@pytest.fixture
def network(small_graph):
    shape = Architecture(num_features=40, widths=(5, 4), num_classes=3, readout="graph", bias=True)
    torch.manual_seed(0)
    weights = {name: torch.randn(size) for name, size in shape.parameter_shapes().items()}
    weights["hidden.1.weight"][:, 2], weights["hidden.1.bias"][2] = 0, -1
    return GraphNet.from_weights(shape, weights)


def test_profiles_are_those_of_the_dense_twin_neuron_by_neuron(small_graph, network):
    found, H = class_profiles(network, small_graph), small_graph.x.double()
    propagation, weights = dense_adjacency(small_graph), network.state_dict()
    for i, layer in enumerate(found.layers):
        H = (propagation @ H @ weights[f"hidden.{i}.weight"].double() + weights[f"hidden.{i}.bias"]).relu()
        for neuron, (means, nodes, peaks) in enumerate(zip(layer.means, layer.nodes, layer.peaks, strict=True)):
            activations = H[:, neuron]
            expected = [activations[small_graph.y == c].mean() for c in range(small_graph.num_classes)]
            np.testing.assert_allclose(means, expected, rtol=1e-4, atol=1e-6)
            assert layer.dead[neuron] == (activations <= 0).all()
            highest = activations.sort(descending=True).values[:3]
            np.testing.assert_allclose(activations[nodes], highest, rtol=1e-4, atol=1e-6)
            np.testing.assert_allclose(peaks, highest, rtol=1e-4, atol=1e-6)
    assert found.layers[1].dead.tolist()[2] is True
    assert np.array_equal(found.readout, network.output.weight.detach())


def test_a_class_without_a_node_and_nodes_of_unknown_class_count_for_nothing():
    H = torch.tensor([[1.0, 0.0], [3.0, -1.0], [9.0, 0.0]])
    profile = layer_profile(H, torch.tensor([0, 0, -1]), classes=2)
    assert profile.means.tolist() == [[2.0, 0.0], [-0.5, 0.0]]
    assert profile.nodes[0].tolist() == [2, 1, 0] and profile.dead.tolist() == [False, True]


def test_the_profiles_of_a_stored_run_are_those_of_its_accepted_weights_at_every_step(small_graph, tmp_path):
    store = Store(f"sqlite:///{tmp_path / 'runs.db'}")
    runs = grow_many(small_graph, [growth_preset(epochs=5, max_layers=2, max_width=10)])
    [recorder] = record_runs(runs, store)
    runs.finish()
    models = stored_models(store, recorder.run)
    assert read_profiles(store, recorder.run, list(models)) == {}
    work = Predictions(store, recorder.run)
    next(work)  # the sample of the graph
    next(work)
    assert list(read_profiles(store, recorder.run, list(models))) == [max(models)]  # what a visitor sees first
    list(work)
    stored = read_profiles(store, recorder.run, list(models))
    assert list(stored) == list(models)
    for step, model in models.items():
        assert stored[step] == profile_values(class_profiles(model, small_graph), small_graph)
        widths = [len(layer["means"]) for layer in stored[step]["layers"]]
        assert tuple(widths) == model.architecture.widths
    store.close()


def test_the_run_that_greets_a_visitor_has_profiles_of_all_its_networks_and_neurons():
    inside, steps = first_inside(), accepted_blocks(first_events())
    assert sorted(map(int, inside)) == [step.number for step in steps]
    for step in steps:
        assert tuple(len(layer["means"]) for layer in inside[str(step.number)]["layers"]) == step.topology
