"""The MLP of Kipf & Welling (2017): softmax(ReLU(X W₀) W₁), trained as they train their GCN.

It is their GCN on a graph without edges, where Â = I, and is trained as that.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

from pgcn.engine.fields import PreparedGraph
from pgcn.graph import Graph
from pgcn.methods.gcn import GCNConfig
from pgcn.methods.gcn.train import train_batches
from pgcn.methods.mlp import MLPConfig
from pgcn.methods.mlp.model import MLPNet
from pgcn.methods.run import RunStep
from pgcn.methods.run_events import run_started


def build(description: dict[str, Any], config: dict[str, Any]) -> MLPNet:
    """Return the network of a description, its weights 0."""
    return MLPNet.described(description, config, method="mlp")


def steps(graph: Graph, configs: Sequence[MLPConfig], report_every: int) -> Iterator[RunStep]:
    """Yield what happens in every run, and at its end its network."""
    for run, config in enumerate(configs):
        yield run, run_started(graph, "mlp", config), None
    without_edges = replace(graph, edge_index=graph.edge_index[:, :0], edge_weight=None)
    prepared = PreparedGraph(without_edges, configs[0].device)
    yield from train_batches(prepared, [as_gcn(config) for config in configs], report_every, method="mlp")


def as_gcn(config: MLPConfig) -> GCNConfig:
    """Return the settings of the GCN that is this MLP where there are no edges."""
    return GCNConfig.from_dict({**config.to_dict(), "readout": "linear"})
