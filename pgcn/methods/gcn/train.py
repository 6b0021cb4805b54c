"""The 2-layer GCN of Kipf & Welling (2017), and deeper ones of the same make.

    Z = softmax(Â ReLU(Â X W₀) W₁)

Glorot weights and no bias; dropout on the entries of X and on the hidden layer; mean cross-entropy plus weight
decay on W₀ alone; Adam. Training ends when the validation loss (with its L2 term) exceeds its mean over the
last ``early_stopping`` epochs, and the weights of that last epoch are the result: nothing is restored, unless
``keep_best`` asks for the weights of the best validation accuracy. ``readout`` puts I or personalised PageRank
in the place of the outer Â, ``loss`` the mean squared error in the place of cross-entropy.
"""

from collections import deque
from collections.abc import Iterator, Sequence
from typing import Any

import torch
from torch import Tensor

from pgcn.engine.architecture import Architecture
from pgcn.engine.fields import Field, PreparedGraph
from pgcn.engine.lanes import LaneParameters, Weights, glorot_limit, mixed_seed, uniform
from pgcn.engine.losses import Objective, lane_means, lane_sums, node_losses, score
from pgcn.engine.model import GraphNet
from pgcn.engine.networks import LaneNetworks, LaneSettings
from pgcn.engine.pagerank import PageRank
from pgcn.engine.stopwatch import Stopwatch
from pgcn.engine.training import fine_tune, measured_outputs
from pgcn.events import EpochsTrained
from pgcn.graph import Graph
from pgcn.methods.endings import ending
from pgcn.methods.gcn import GCNConfig
from pgcn.methods.network import Network
from pgcn.methods.run import RunStep
from pgcn.methods.run_events import diverged, finished, run_started

LANE_SETTINGS = ("seed", "dropout", "learning_rate", "weight_decay")
VALIDATE_EVERY = 10
"""Epochs between two validations of a network of which the best weights are wanted."""


def build(description: dict[str, Any], config: dict[str, Any]) -> GraphNet:
    """Return the network of a description, its weights 0."""
    return GraphNet.described(description, config, method="gcn")


def architecture(config: GCNConfig, graph: Graph) -> Architecture:
    """Return the network a config names for a graph."""
    return Architecture(
        num_features=graph.num_features,
        widths=config.hidden,
        num_classes=graph.num_classes,
        activation=config.activation,
        readout=config.readout,
        bias=config.bias,
        teleport=config.teleport,
    )


def steps(graph: Graph, configs: Sequence[GCNConfig], report_every: int) -> Iterator[RunStep]:
    """Yield what happens in every run, and at its end its network."""
    for run, config in enumerate(configs):
        yield run, run_started(graph, "gcn", config), None
    yield from train_batches(PreparedGraph(graph, configs[0].device), configs, report_every)


def train_batches(
    prepared: PreparedGraph, configs: Sequence[GCNConfig], report_every: int, *, method: str = "gcn"
) -> Iterator[RunStep]:
    """Yield what happens in every run after its beginning; runs of one shape are trained together."""
    batches: dict[GCNConfig, list[int]] = {}
    for run, config in enumerate(configs):
        shared = config.change(**{name: getattr(GCNConfig(), name) for name in LANE_SETTINGS})
        batches.setdefault(shared, []).append(run)
    for runs in batches.values():
        yield from _train_batch(prepared, configs, runs, report_every, method)


def _train_batch(
    prepared: PreparedGraph, all_configs: Sequence[GCNConfig], runs: list[int], report_every: int, method: str
) -> Iterator[RunStep]:
    clock = Stopwatch()
    configs = [all_configs[run] for run in runs]
    config, device = configs[0], prepared.device
    network = architecture(config, prepared.graph)
    generators = [torch.Generator().manual_seed(mixed_seed(lane.seed, method)) for lane in configs]
    pagerank = PageRank(config.teleport, config.pagerank_entries) if config.readout == "pagerank" else None
    field = prepared.field("labelled", network.hops, raw=config.input_dropout > 0, pagerank=pagerank)
    starts = [glorot_weights(network, generator) for generator in generators]
    parameters = LaneParameters(network, starts, device, padded=field.tall)
    networks = LaneNetworks(network, LaneSettings.of(configs, device), generators)
    objective = Objective(loss=config.loss, weight_decay_scope=config.weight_decay_scope)
    val_field = prepared.field("val", network.hops, pagerank=pagerank)
    validation = Validation(networks, parameters, prepared, val_field, config.early_stopping)
    final: list[Weights | None] = [None] * len(runs)
    last_epoch, lost = [config.epochs] * len(runs), [False] * len(runs)
    best: list[tuple[float, int, Weights | None]] = [(-1.0, 0, None)] * len(runs)
    y = prepared.y[prepared.nodes["labelled"]]
    training = fine_tune(networks, parameters, objective, field, y, config.epochs, report_every=report_every)
    for epoch, losses in training:
        validates = config.keep_best and (epoch % VALIDATE_EVERY == 0 or epoch == config.epochs)
        if config.early_stopping or losses is not None or validates:
            val_losses = validation.measure(objective)
        if validates:
            for lane, accuracy in enumerate(validation.accuracies):
                if final[lane] is None and accuracy > best[lane][0]:
                    best[lane] = (accuracy, epoch, parameters.lane(lane))
        if config.early_stopping:  # every epoch is measured then, however often losses are reported
            over = validation.should_stop() | ~val_losses.isfinite()
            for lane in torch.nonzero(over).flatten().tolist():
                if final[lane] is None:
                    final[lane], last_epoch[lane] = parameters.lane(lane), epoch
                    lost[lane] = not bool(val_losses[lane].isfinite())
        if losses is not None:
            clock.pause()
            for lane, run in enumerate(runs):
                if final[lane] is None:
                    loss, val_loss = losses[lane].item(), val_losses[lane].item()
                    yield run, EpochsTrained(epoch=epoch, epochs=config.epochs, loss=loss, val_loss=val_loss), None
            clock.resume()
        if all(final):
            break
    trained = [
        best_weights or weights or parameters.lane(lane)
        for lane, ((_, _, best_weights), weights) in enumerate(zip(best, final, strict=True))
    ]
    parameters = LaneParameters(network, trained, device)
    whole = prepared.whole(network.hops, teleport=config.teleport if pagerank else None)
    outputs = measured_outputs(networks, parameters, whole)
    seconds = clock.seconds / len(runs)
    ends = zip(runs, trained, score(config.loss, outputs, prepared), last_epoch, lost, best, strict=True)
    for run, weights, scores, epoch, has_diverged, (_, best_epoch, _) in ends:
        if has_diverged or not scores.finite:
            yield run, diverged(epoch=epoch, learning_rate=all_configs[run].learning_rate, seconds=seconds), None
            continue
        weights_of = {"best_epoch": best_epoch, "rule": "first"} if config.keep_best else {}
        ended = ending("epochs", epochs=epoch, **weights_of)
        if epoch < config.epochs:
            ended = ending("val_loss_rose", epochs=epoch, window=config.early_stopping, **weights_of)
        accepted = Network(
            step=1,
            description=network.description,
            weights=weights,
            topology=config.hidden,
            parameters=network.num_parameters,
            scores=scores,
        )
        yield run, finished(accepted, ending=ended, seconds=seconds), accepted


def glorot_weights(architecture: Architecture, generator: torch.Generator) -> Weights:
    """Return Glorot-uniform weights and zero biases."""
    return {
        name: uniform(shape, glorot_limit(*shape), generator) if len(shape) == 2 else torch.zeros(shape)
        for name, shape in architecture.parameter_shapes().items()
    }


class Validation:
    """The loss and accuracy on validation nodes, and Kipf & Welling's rule when to stop.

    After more than ``window`` epochs, stop when the loss exceeds the mean over the window before it.
    """

    def __init__(
        self,
        networks: LaneNetworks,
        parameters: LaneParameters,
        prepared: PreparedGraph,
        field: Field,
        window: int,
    ) -> None:
        self.networks, self.parameters, self.field, self.window = networks, parameters, field, window
        self.y = prepared.y[prepared.nodes["val"]]
        self.history: deque[Tensor] = deque(maxlen=window + 2)
        self.accuracies: list[float] = []

    @torch.no_grad()
    def measure(self, objective: Objective) -> Tensor:
        """Return each lane's validation loss with its L2 term, [K], and remember it."""
        weights = self.parameters.named(self.parameters.flat)
        outputs = measured_outputs(self.networks, self.parameters, self.field)
        losses = lane_means(node_losses(objective.loss, outputs, self.y))
        for name in objective.decayed(weights):
            squares = weights[name].square().movedim(self.parameters.lane_axis(name), 0).contiguous()
            losses = losses + self.networks.settings.weight_decay / 2 * lane_sums(squares)
        self.history.append(losses)
        self.accuracies = (outputs.argmax(dim=2) == self.y).double().mean(dim=1).tolist()
        return losses

    def should_stop(self) -> Tensor:
        """Return which lanes have come to their end, bool [K]."""
        if not self.window or len(self.history) <= self.window + 1:
            return torch.zeros_like(self.history[-1], dtype=torch.bool)
        *before, now = self.history
        return now > torch.stack(before[-self.window :]).mean(dim=0)
