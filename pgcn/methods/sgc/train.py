"""SGC (Wu et al. 2019): logistic regression on propagated features.

    Y = softmax(Âᴷ X W + b)

Nothing but W and b is learned, so ÂᴷX is computed once, and only for the labelled rows, which alone enter the loss,
and for the validation rows. W and b begin in U(±1/√D), as in the authors' code.
"""

import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import scipy.sparse as sp
import torch
import torch.nn.functional as F
from torch import Tensor

from pgcn.engine.fields import PreparedGraph, Rows
from pgcn.engine.lanes import mixed_seed, uniform
from pgcn.engine.losses import score
from pgcn.engine.sparse import to_csr
from pgcn.engine.stopwatch import Stopwatch
from pgcn.engine.threads import on_threads
from pgcn.events import EpochsTrained, Event
from pgcn.graph import Graph
from pgcn.methods.endings import ending
from pgcn.methods.network import Network, final_network
from pgcn.methods.run import RunStep
from pgcn.methods.run_events import diverged, finished, run_started
from pgcn.methods.sgc import SGCConfig
from pgcn.methods.sgc.model import SGCNet


def build(description: dict[str, Any], config: dict[str, Any]) -> SGCNet:
    """Return the network of a description, its weights 0."""
    return SGCNet(**description, config=config)


def steps(graph: Graph, configs: Sequence[SGCConfig], report_every: int) -> Iterator[RunStep]:
    """Yield what happens in every run, one run after the other, and at its end its network."""
    for run, config in enumerate(configs):
        yield run, run_started(graph, "sgc", config), None
    prepared = PreparedGraph(graph, configs[0].device)
    for run, config in enumerate(configs):
        for event, network in train(prepared, config, report_every):
            yield run, event, network


def train(prepared: PreparedGraph, config: SGCConfig, report_every: int) -> Iterator[tuple[Event, Network | None]]:
    """Yield what happens in one run."""
    clock = Stopwatch()
    model = new_network(prepared.graph, config).to(prepared.device)
    rows, y = {}, {}
    for name in ("labelled", "val"):
        rows[name] = Rows(propagated_rows(prepared, name, config.hops), prepared.device)
        y[name] = prepared.y[prepared.nodes[name]]
    targets = F.one_hot(y["labelled"], prepared.graph.num_classes).float()
    adam = torch.optim.Adam(model.parameters(), lr=config.learning_rate, weight_decay=config.weight_decay)
    for epoch in range(1, config.epochs + 1):
        reports = epoch % report_every == 0 or epoch == config.epochs
        # One thread: there is little to do, and sums on several depend on how many there are.
        with on_threads(1), torch.no_grad():
            loss = take_step(model, adam, rows["labelled"], targets)
            val_loss = F.cross_entropy(logits(model, rows["val"]), y["val"]).item() if reports else None
        if not math.isfinite(loss):
            yield diverged(epoch=epoch, learning_rate=config.learning_rate, seconds=clock.seconds), None
            return
        if reports:
            clock.pause()
            yield EpochsTrained(epoch=epoch, epochs=config.epochs, loss=loss, val_loss=val_loss), None
            clock.resume()
    network = measured(model, prepared)
    if network.diverged:
        yield diverged(epoch=epoch, learning_rate=config.learning_rate, seconds=clock.seconds), None
        return
    yield finished(network, ending=ending("epochs", epochs=config.epochs), seconds=clock.seconds), network


def new_network(graph: Graph, config: SGCConfig) -> SGCNet:
    """Return the network that training starts from."""
    shape = {"num_features": graph.num_features, "num_classes": graph.num_classes}
    model = SGCNet(**shape, hops=config.hops, bias=config.bias, config=config.to_dict())
    generator = torch.Generator().manual_seed(mixed_seed(config.seed, "sgc"))
    for parameter in model.parameters():
        parameter.data = uniform(parameter.shape, 1 / math.sqrt(graph.num_features), generator)
    return model


def propagated_rows(prepared: PreparedGraph, nodes: str, hops: int) -> sp.csr_array:
    """Return the rows of ÂᴷX of the labelled or val nodes, [n, D], from the left: no other row is computed."""
    targets = prepared.nodes[nodes].cpu().numpy()
    chosen = sp.csr_array(
        (np.ones(len(targets), np.float32), (np.arange(len(targets)), targets)),
        shape=(len(targets), prepared.graph.num_nodes),
    )
    for _ in range(hops):
        chosen = chosen @ prepared.propagation
    rows = sp.csr_array(chosen @ prepared.graph.features)
    rows.sort_indices()
    return rows


def logits(model: SGCNet, rows: Rows) -> Tensor:
    """Return the logits of propagated rows, [n, C]."""
    outputs = rows.times(model.weight.unsqueeze(1), width=model.weight.shape[1])[0]
    return outputs if model.bias is None else outputs + model.bias


def take_step(model: SGCNet, adam: torch.optim.Adam, rows: Rows, targets: Tensor) -> float:
    """Take one step and return the mean cross-entropy before it; the gradient is that of logistic regression."""
    outputs = logits(model, rows)
    grad = (torch.softmax(outputs, dim=1) - targets) / len(targets)
    model.weight.grad = rows.weight_gradient(grad.unsqueeze(0), width=targets.shape[1])[:, 0].contiguous()
    if model.bias is not None:
        model.bias.grad = grad.sum(dim=0)
    adam.step()
    return F.cross_entropy(outputs, targets).item()


@torch.no_grad()
def measured(model: SGCNet, prepared: PreparedGraph) -> Network:
    """Return the trained network with its scores."""
    with on_threads(1):
        features = Rows(prepared.graph.features, prepared.device)
        projected = features.times(model.weight.unsqueeze(1), width=model.weight.shape[1])[0]
        outputs = model.propagated(projected, to_csr(prepared.propagation, prepared.device))
        scores = score("ce", outputs.unsqueeze(0), prepared)[0]
    return final_network(model, topology=(), scores=scores)
