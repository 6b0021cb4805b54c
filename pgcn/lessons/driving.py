"""Growth on a graph whose convolutions need not be normalised; else the same as :func:`pgcn.growth.grow.grow`."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp

from pgcn.config import GrowthConfig
from pgcn.engine.fields import PreparedGraph
from pgcn.engine.lanes import Weights
from pgcn.events import BlockAccepted, Event, LayerRejected, RunFinished
from pgcn.graph import Graph
from pgcn.growth.rule import Candidate, growth_rule
from pgcn.growth.trainer import train_candidates


class UnnormalizedGraph(PreparedGraph):
    """A graph whose convolutions add neighbours up, (A + I)H, instead of weighing them, ÂH."""

    def __init__(self, graph: Graph) -> None:
        super().__init__(graph)
        self.propagation = sp.csr_array(self._adjacency + sp.eye_array(graph.num_nodes)).astype(np.float32)


@dataclass(frozen=True, kw_only=True)
class Grown:
    """A run that has ended, and the weights of the network it left."""

    events: tuple[Event, ...]
    weights: Weights
    prepared: PreparedGraph

    @property
    def finished(self) -> RunFinished:
        return self.events[-1]


def grown(graph: Graph, config: GrowthConfig, *, normalized: bool = True) -> Grown:
    """Grow one network: the rule asks, the trainer answers."""
    prepared = PreparedGraph(graph) if normalized else UnnormalizedGraph(graph)
    rule = growth_rule(config, graph.num_features, graph.num_classes)
    events: list[Event] = []
    answer, tried, accepted, before_layer = None, None, None, None
    while True:
        try:
            said = rule.send(answer)
        except StopIteration:
            return Grown(events=tuple(events), weights=accepted, prepared=prepared)
        answer = None
        if isinstance(said, Candidate):
            if said.block == 1:
                before_layer = said.base
            answer = outcome_of(prepared, config, said)
            tried = answer.weights
            continue
        events.append(said)
        if isinstance(said, BlockAccepted):
            accepted = tried
        elif isinstance(said, LayerRejected):
            accepted = before_layer


def outcome_of(prepared: PreparedGraph, config: GrowthConfig, candidate: Candidate):
    """Train one candidate to the end and return what became of it."""
    training = train_candidates(prepared, [config], [candidate])
    while True:
        try:
            next(training)
        except StopIteration as end:
            return end.value[0]


def hidden_values(run: Grown, graph: Graph) -> np.ndarray:
    """Return the last hidden layer of the network a run left, ReLU(M … ReLU(MXW) …) with M = Â or A + I, [N, w]."""
    hidden = graph.features.toarray()
    for i in range(len(run.finished.topology)):
        hidden = np.maximum(run.prepared.propagation @ hidden @ run.weights[f"hidden.{i}.weight"].numpy(), 0)
    return hidden


def summed_up(graph: Graph, config: GrowthConfig, run: Grown) -> dict[str, Any]:
    """Return a run as the plain numbers a comparison shows."""
    scores = run.finished.scores
    return {
        "seed": config.seed,
        "topology": list(run.finished.topology),
        "parameters": run.finished.parameters,
        "labelled": scores.labelled_accuracy,
        "val": scores.val_accuracy,
        "test": scores.test_accuracy,
        "test_loss": scores.test_loss,
        "largest": float(hidden_values(run, graph).max()),
    }
