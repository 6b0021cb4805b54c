"""Single steps of a growth run, taken by the core's own functions so that they can be looked into."""

import functools

import torch
from torch import Tensor

from pgcn.engine.fields import PreparedGraph
from pgcn.engine.lanes import Weights, mixed_seed
from pgcn.engine.model import GraphNet
from pgcn.events import Event
from pgcn.execution.start import grow
from pgcn.graph import Graph
from pgcn.lessons.setting import TOUR, tour_graph
from pgcn.methods.pgcn import GrowthConfig
from pgcn.methods.pgcn.readout import solve_readout
from pgcn.methods.pgcn.rule import Candidate, Outcome
from pgcn.methods.pgcn.trainer import architecture_of, initial_weights, train_candidates

FIRST = Candidate(layer=1, block=1, widths=(TOUR.block_width,), base=None, solves=1)
"""The very first block."""


def network_of(config: GrowthConfig, graph: Graph, widths: tuple[int, ...], weights: Weights) -> GraphNet:
    architecture = architecture_of(config, graph.num_features, widths, graph.num_classes)
    return GraphNet.from_weights(architecture, weights)


def start_of(config: GrowthConfig, graph: Graph, candidate: Candidate) -> Weights:
    """Return the weights a candidate starts from, as the trainer draws them; its readout is still zero."""
    architecture = architecture_of(config, graph.num_features, candidate.widths, graph.num_classes)
    generator = torch.Generator().manual_seed(mixed_seed(config.seed, candidate.layer, candidate.block))
    return initial_weights(config, architecture, candidate, generator)


@torch.no_grad()
def solved(config: GrowthConfig, graph: Graph, candidate: Candidate) -> Weights:
    """Return the weights a candidate starts from, its readout solved."""
    prepared = PreparedGraph(graph)
    weights = start_of(config, graph, candidate)
    hidden = network_of(config, graph, candidate.widths, weights).hidden_features(graph.x, graph.edge_index)
    readout = solve_readout(
        hidden, prepared.nodes["labelled"], prepared.target_vectors("labelled"),
        prepared.smoothing(config.laplacian), config, candidate.solves,
    )  # fmt: skip
    return {**weights, "output.weight": readout.float()}


def trained(config: GrowthConfig, graph: Graph, candidate: Candidate) -> Outcome:
    """Train one candidate to the end."""
    training = train_candidates(PreparedGraph(graph), [config], [candidate])
    while True:
        try:
            next(training)
        except StopIteration as end:
            return end.value[0]


@torch.no_grad()
def outputs_of(config: GrowthConfig, graph: Graph, widths: tuple[int, ...], weights: Weights) -> Tensor:
    """Return the logits, [N, C]."""
    return network_of(config, graph, widths, weights)(graph.x, graph.edge_index)


@functools.cache
def tour_run() -> tuple[tuple[Event, ...], dict[tuple[int, ...], Weights]]:
    """Return the events of the tour's run and the weights of every network it accepted, by topology."""
    accepted: dict[tuple[int, ...], Weights] = {}
    run = grow(tour_graph(), TOUR)

    def keep(_, model: GraphNet | None) -> None:
        if model is not None:
            accepted[model.architecture.widths] = model.state_dict()

    run.runs.listen(keep)
    return run.finish().events, accepted
