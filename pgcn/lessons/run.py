"""One run of a comparison: growth with or without normalised convolutions, and its numbers."""

from typing import Any

import numpy as np
import scipy.sparse as sp

from pgcn.engine.fields import PreparedGraph
from pgcn.execution.start import grow
from pgcn.graph import Graph
from pgcn.methods.pgcn import GrowthConfig
from pgcn.methods.run import RunResult


class UnnormalizedGraph(PreparedGraph):
    """A graph whose convolutions add neighbours up, (A + I)H, instead of weighting them, ÂH."""

    def __init__(self, graph: Graph) -> None:
        super().__init__(graph)
        self.propagation = sp.csr_array(self._adjacency + sp.eye_array(graph.num_nodes)).astype(np.float32)


def hidden_values(result: RunResult, prepared: PreparedGraph) -> np.ndarray:
    """Return the last hidden layer of a run's network, ReLU(M … ReLU(MXW) …) with M = Â or A + I, [N, w]."""
    hidden = prepared.graph.features.toarray()
    for layer in result.model.hidden:
        hidden = np.maximum(prepared.propagation @ hidden @ layer.weight.detach().numpy(), 0)
    return hidden


def grow_and_score(graph: Graph, config: GrowthConfig, *, normalized: bool = True) -> dict[str, Any]:
    """Grow one network; return what a comparison shows of it."""
    prepared = PreparedGraph(graph) if normalized else UnnormalizedGraph(graph)
    result = grow(graph, config, prepared=prepared).finish()
    return {
        "seed": config.seed,
        "topology": list(result.topology),
        "parameters": result.parameters,
        "labelled": result.scores.labelled_accuracy,
        "val": result.scores.val_accuracy,
        "test": result.scores.test_accuracy,
        "test_loss": result.scores.test_loss,
        "largest": float(hidden_values(result, prepared).max()),
    }
