"""The network a run leaves behind works in PyG code and survives being saved."""

import pytest
import torch
from safetensors.torch import save_file
from torch_geometric.nn import GCNConv

from pgcn.engine.architecture import Architecture
from pgcn.engine.model import GraphNet
from pgcn.errors import ModelFileError
from pgcn.execution.start import grow
from pgcn.methods.pgcn import growth_preset


def make_model(graph, **changes):
    shape = {"num_features": graph.num_features, "num_classes": graph.num_classes, "widths": (6, 4)}
    architecture = Architecture(**{**shape, **changes})
    source = torch.Generator().manual_seed(0)
    weights = {
        name: torch.randn(shape, generator=source) for name, shape in architecture.parameter_shapes().items()
    }
    return GraphNet.from_weights(architecture, weights)


def as_pyg(layer, weight_of):
    """Return a GCNConv with our layer's weights."""
    fan_in, fan_out = layer.weight.shape
    convolution = GCNConv(fan_in, fan_out, bias=layer.bias is not None)
    convolution.lin.weight.data = weight_of(layer).T.clone()
    if layer.bias is not None:
        convolution.bias.data = layer.bias.data.clone()
    return convolution


@pytest.mark.parametrize("readout", ["linear", "graph"])
@pytest.mark.parametrize("bias", [False, True])
@pytest.mark.parametrize("edges", ["mutual", "one-way with weights", "with self-loops"])
def test_forward_is_a_stack_of_pyg_convolutions(small_graph, readout, bias, edges):
    model = make_model(small_graph, readout=readout, bias=bias)
    x, edge_index, edge_weight = small_graph.x, small_graph.edge_index, None
    if edges == "one-way with weights":
        edge_index = edge_index[:, edge_index[0] < edge_index[1]]
        edge_weight = torch.rand(edge_index.shape[1], generator=torch.Generator().manual_seed(1))
    elif edges == "with self-loops":
        edge_index = torch.cat([edge_index, torch.tensor([[0, 5], [0, 5]])], dim=1)
    hidden = x
    for layer in model.hidden:
        hidden = as_pyg(layer, lambda layer: layer.weight.data)(hidden, edge_index, edge_weight).relu()
    if readout == "graph":
        expected = as_pyg(model.output, lambda layer: layer.weight.data)(hidden, edge_index, edge_weight)
    else:
        expected = model.output.shifted(hidden @ model.output.weight)
    torch.testing.assert_close(model(x, edge_index, edge_weight), expected, rtol=1e-4, atol=1e-4)
    torch.testing.assert_close(model.hidden_features(x, edge_index, edge_weight), hidden, rtol=1e-4, atol=1e-4)


def test_the_module_can_be_trained_further_in_plain_torch(small_graph):
    model = make_model(small_graph).train()
    outputs = model(small_graph.x, small_graph.edge_index)
    torch.nn.functional.cross_entropy(
        outputs[small_graph.train_mask], small_graph.y[small_graph.train_mask]
    ).backward()
    assert all(parameter.grad is not None and parameter.grad.abs().sum() > 0 for parameter in model.parameters())


def test_a_saved_network_predicts_the_same_and_remembers_its_settings(cora, tmp_path):
    result = grow(cora, growth_preset("reference", epochs=20, max_layers=2, max_width=10)).finish()
    path = result.model.save(tmp_path / "model.safetensors")
    loaded = GraphNet.load(path)
    inputs = cora.x, cora.edge_index
    assert torch.equal(loaded(*inputs), result.model(*inputs))
    assert torch.equal(loaded.predict(*inputs), result.model.predict(*inputs))
    assert loaded.config == result.config.to_dict()
    assert loaded.num_parameters == result.parameters


def test_a_network_that_cannot_be_written_says_where_and_why(tmp_path, small_graph):
    with pytest.raises(ModelFileError, match="cannot be written to"):
        make_model(small_graph).save(tmp_path)


def test_files_that_hold_no_network_are_refused_with_a_reason(tmp_path, small_graph):
    with pytest.raises(ModelFileError, match="No model file at"):
        GraphNet.load(tmp_path / "nowhere.safetensors")
    garbage = tmp_path / "garbage.safetensors"
    garbage.write_bytes(b"\x80\x04not a model")
    with pytest.raises(ModelFileError, match="not a readable safetensors file"):
        GraphNet.load(garbage)
    stranger = tmp_path / "stranger.safetensors"
    save_file({"a": torch.zeros(1)}, stranger)
    with pytest.raises(ModelFileError, match="not a model of this program"):
        GraphNet.load(stranger)
    model = make_model(small_graph)
    whole = model.save(tmp_path / "whole.safetensors").read_bytes()
    cut = tmp_path / "cut.safetensors"
    cut.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(ModelFileError, match="not a readable safetensors file"):
        GraphNet.load(cut)
