"""The parameters of every fixed method on the citation graphs are those of the published formulae."""

from types import SimpleNamespace

import pytest
import torch

from pgcn.data.catalogue import CATALOGUE
from pgcn.methods.gcn import GCNConfig
from pgcn.methods.gcn.train import architecture
from pgcn.methods.mlp import MLPConfig
from pgcn.methods.mlp.train import as_gcn
from pgcn.methods.registry import METHODS

PUBLISHED = {
    "gcn": {"cora": 23_040, "citeseer": 59_344, "pubmed": 8_048},  # 16D + 16C
    "gat": {"cora": 92_302, "citeseer": 237_516, "pubmed": 33_712},  # 64D + 128 + K₂(64C + 2C)
    "ngcn": {"cora": 173_004, "citeseer": 445_272, "pubmed": 60_516},  # 12(10D + 10C + 10 + C)
    "sgc": {"cora": 10_038, "citeseer": 22_224, "pubmed": 1_503},  # DC + C
    "mlp": {"cora": 23_040, "citeseer": 59_344, "pubmed": 8_048},  # 16D + 16C
    "appnp": {"cora": 92_160, "citeseer": 237_376, "pubmed": 32_192},  # 64D + 64C
}


def graph_of(dataset):
    """Return what a network needs to know of a data set."""
    return SimpleNamespace(num_features=CATALOGUE[dataset].features, num_classes=CATALOGUE[dataset].classes)


def parameters_of(name, dataset, **changes):
    """Return the number of parameters of a method with its published settings for a data set."""
    method, graph = METHODS[name], graph_of(dataset)
    config = method.settings(method.preset_for(dataset), **changes)
    if isinstance(config, GCNConfig | MLPConfig):
        return architecture(config if isinstance(config, GCNConfig) else as_gcn(config), graph).num_parameters
    generator = () if name == "sgc" else (torch.Generator().manual_seed(0),)
    return method.load().new_network(graph, config, *generator).num_parameters


@pytest.mark.parametrize("dataset", ["cora", "citeseer", "pubmed"])
@pytest.mark.parametrize("method", PUBLISHED)
def test_parameters_are_those_of_the_published_formula(method, dataset):
    graph, own = graph_of(dataset), 0
    if method == "gat":  # the formula leaves out the biases of scores and heads
        output_heads = 8 if dataset == "pubmed" else 1
        own = 64 + 16 + output_heads * (graph.num_classes + 2)
    if method == "ngcn":  # and here what makes one output of twelve
        own = 12
    assert parameters_of(method, dataset) == PUBLISHED[method][dataset] + own


@pytest.mark.parametrize("dataset", ["cora", "citeseer", "pubmed"])
def test_a_layer_on_all_towers_has_a_weight_for_each_of_their_outputs_and_class(dataset):
    own = 12 * graph_of(dataset).num_classes ** 2
    assert parameters_of("ngcn", dataset, output="fc") == PUBLISHED["ngcn"][dataset] + own


@pytest.mark.parametrize(("dataset", "tabled"), [("cora", 23_063), ("citeseer", 59_366), ("pubmed", 8_067)])
def test_the_table_of_the_pgcn_paper_counts_a_gcn_with_biases(dataset, tabled):
    assert parameters_of("gcn", dataset, bias=True) == tabled
