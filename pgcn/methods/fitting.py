"""Training of networks of fixed topology, epoch by epoch: what GAT, APPNP and N-GCN have in common.

Runs that differ in nothing but their seed are trained together (:mod:`pgcn.methods.together`), and a run that ends
leaves the others. After every epoch the validation nodes are measured; :class:`EarlyStopping` says when to end and
whose weights are the result.
"""

import functools
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import torch
from torch import Tensor

from pgcn.config import RunConfig
from pgcn.engine.fields import PreparedGraph
from pgcn.engine.lanes import Weights, mixed_seed
from pgcn.engine.losses import score
from pgcn.engine.model import NodeClassifier
from pgcn.engine.stopwatch import Stopwatch
from pgcn.engine.threads import on_threads
from pgcn.events import EpochsTrained, Event
from pgcn.graph import Graph
from pgcn.methods.network import Network, final_network
from pgcn.methods.run import RunStep
from pgcn.methods.run_events import diverged, finished, run_started
from pgcn.methods.stopping import EarlyStopping
from pgcn.methods.together import Together

Config = TypeVar("Config", bound=RunConfig)
Net = TypeVar("Net", bound=NodeClassifier)
AnyField = TypeVar("AnyField")
MOST_TOGETHER = 10
"""Runs that are trained together at most."""


def batches(configs: Sequence[Config], most: int) -> Iterator[tuple[list[int], list[Config]]]:
    """Yield the runs that differ in nothing but their seed, at most so many at once, and their configs."""
    alike: dict[Config, list[int]] = {}
    for run, config in enumerate(configs):
        alike.setdefault(config.change(seed=0), []).append(run)
    for runs in alike.values():
        for start in range(0, len(runs), most):
            these = runs[start : start + most]
            yield these, [configs[run] for run in these]


@dataclass(frozen=True, kw_only=True)
class Fitting:
    """Networks of one shape, one for each run, and what is computed of them.

    Functions take the weights of S of them, [S, ...] by name. ``losses`` are those of the labelled nodes [S], with
    what ``dropout`` makes of the S runs' generators; ``val_outputs`` are the logits of the validation nodes
    [S, n, C], ``outputs`` those of all nodes, both without dropout. ``decay`` is the weight decay by name,
    ``penalty`` of one network's weights is added to its validation loss.
    """

    models: Sequence[NodeClassifier]
    generators: Sequence[torch.Generator]
    epochs: int
    learning_rate: float
    decay: dict[str, float]
    stopping: Callable[[], EarlyStopping]
    topology: tuple[int, ...]
    dropout: Callable[[Sequence[torch.Generator]], Any]
    losses: Callable[[Weights, Any], Tensor]
    val_outputs: Callable[[Weights], Tensor]
    outputs: Callable[[Weights], Tensor]
    penalty: Callable[[Weights], Tensor] | None = None

    @torch.no_grad()
    def scored(self, run: int, weights: Weights, prepared: PreparedGraph) -> Network:
        """Return the network that a run leaves, with its scores."""
        with on_threads(1):
            outputs = self.outputs({name: weight.unsqueeze(0) for name, weight in weights.items()})
            scores = score("ce", outputs, prepared)[0]
        self.models[run].load_state_dict(weights)
        return final_network(self.models[run], topology=self.topology, scores=scores)


def fitted_steps(
    name: str,
    graph: Graph,
    configs: Sequence[Config],
    report_every: int,
    fittings: Callable[[PreparedGraph], Callable[[Sequence[Config]], Fitting]],
) -> Iterator[RunStep]:
    """Yield what happens in every run of a method, and at its end its network.

    ``fittings`` returns, for a graph, what makes a :class:`Fitting` of configs that differ in their seed alone.
    """
    for run, config in enumerate(configs):
        yield run, run_started(graph, name, config), None
    prepared = PreparedGraph(graph, configs[0].device)
    fitting = fittings(prepared)
    for runs, alike in batches(configs, MOST_TOGETHER):
        for number, event, network in fit(fitting(alike), prepared, report_every):
            yield runs[number], event, network


def fields_once(prepared: PreparedGraph, around: Callable[..., AnyField]) -> Callable[..., dict[str, AnyField]]:
    """Return what gives the fields of the labelled and the validation nodes, computed once for all runs of a size.

    ``around`` makes one of a graph, the name of its nodes and the size, such as the number of hops.
    """
    return functools.cache(lambda *size: {nodes: around(prepared, nodes, *size) for nodes in ("labelled", "val")})


def new_networks(
    name: str,
    prepared: PreparedGraph,
    configs: Sequence[Config],
    new_network: Callable[[Graph, Config, torch.Generator], Net],
) -> tuple[list[Net], list[torch.Generator]]:
    """Return the networks that runs of a method start from, and the generators that go on from there."""
    generators = [torch.Generator().manual_seed(mixed_seed(own.seed, name)) for own in configs]
    pairs = zip(configs, generators, strict=True)
    return [new_network(prepared.graph, own, generator).to(prepared.device) for own, generator in pairs], generators


def fit(
    fitting: Fitting, prepared: PreparedGraph, report_every: int
) -> Iterator[tuple[int, Event, Network | None]]:
    """Yield what happens in every run after its beginning, by its number among these."""
    clock, past = Stopwatch(), 0.0
    together = Together(fitting, prepared.y[prepared.nodes["val"]])
    count, last = len(fitting.models), fitting.epochs
    seconds, stopping = [0.0] * count, [fitting.stopping() for _ in range(count)]
    kept: list[Weights] = [{}] * count
    for epoch in range(1, last + 1):
        measured = together.epoch()
        happened: list[tuple[int, Event, Network | None]] = []
        ended = []
        share, past = (clock.seconds - past) / len(measured), clock.seconds
        for run, (loss, val_loss, val_accuracy) in measured.items():
            seconds[run] += share
            if not math.isfinite(loss + val_loss):
                ended.append(run)
                continue
            if stopping[run].update(epoch, val_loss, val_accuracy):
                kept[run] = together.weights(run)
            if stopping[run].is_over or epoch == last:
                ended.append(run)
            if epoch % report_every == 0 or run in ended:
                trained = EpochsTrained(epoch=epoch, epochs=last, loss=loss, val_loss=val_loss)
                happened.append((run, trained, None))
        for run in ended:
            network = fitting.scored(run, kept[run], prepared) if math.isfinite(sum(measured[run])) else None
            seconds[run] += clock.seconds - past
            past = clock.seconds
            if network is None or network.diverged:
                end = diverged(epoch=epoch, learning_rate=fitting.learning_rate, seconds=seconds[run])
                happened.append((run, end, None))
            else:
                end = finished(network, ending=stopping[run].ending(epoch), seconds=seconds[run])
                happened.append((run, end, network))
        if happened:
            clock.pause()
            yield from happened
            clock.resume()
        if ended and not together.without(ended):
            return
