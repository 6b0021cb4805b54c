"""Single steps of a growth run, computed by the core's own functions."""

import functools

import torch
from torch import Tensor

from pgcn.engine.fields import PreparedGraph
from pgcn.engine.lanes import Weights, mixed_seed
from pgcn.engine.model import GraphNet
from pgcn.events import Event
from pgcn.execution.start import grow
from pgcn.generators import result_of
from pgcn.graph import Graph
from pgcn.lessons.example import TOUR, tour_graph
from pgcn.methods.network import Network
from pgcn.methods.pgcn import GrowthConfig
from pgcn.methods.pgcn.candidate import Candidate, TrainedCandidate
from pgcn.methods.pgcn.initial import architecture_of, initial_weights
from pgcn.methods.pgcn.readout import solve_readout
from pgcn.methods.pgcn.trainer import train_candidates

FIRST = Candidate(layer=1, block=1, widths=(TOUR.block_width,), base=None, solves=1)
"""The first block."""


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
    labelled, targets = prepared.nodes["labelled"], prepared.target_vectors("labelled")
    smoothing = prepared.smoothing(config.laplacian)
    readout = solve_readout(hidden, labelled, targets, smoothing, config, candidate.solves)
    return {**weights, "output.weight": readout.float()}


def trained(config: GrowthConfig, graph: Graph, candidate: Candidate) -> TrainedCandidate:
    """Train one candidate to the end."""
    return result_of(train_candidates(PreparedGraph(graph), [config], [candidate]))[0]


@torch.no_grad()
def outputs_of(config: GrowthConfig, graph: Graph, widths: tuple[int, ...], weights: Weights) -> Tensor:
    """Return the logits, [N, C]."""
    return network_of(config, graph, widths, weights)(graph.x, graph.edge_index)


@functools.cache
def tour_run() -> tuple[tuple[Event, ...], dict[tuple[int, ...], Weights]]:
    """Return the events of the tour's run and the weights of every network it accepted, by topology."""
    accepted: dict[tuple[int, ...], Weights] = {}
    run = grow(tour_graph(), TOUR)

    def save(_, network: Network | None) -> None:
        if network is not None:
            accepted[network.topology] = network.weights

    run.runs.listen(save)
    return run.finish().events, accepted
