"""N-GCN (Abu-El-Haija et al. 2018): GCNs on powers of Â, combined. The mathematics is in :mod:`.model`.

Sources contradict each other. This is the network of the paper, with all towers; in the authors' code an
indentation leaves only those of the highest power, and batch normalisation and SGD take the place of biases and
Adam. The loss is the mean cross-entropy of the labelled nodes, of the network and (as in that code) of every tower.
Adam for a fixed number of epochs; the result are the weights of the best validation accuracy, of the lowest loss
among equals: the authors' code breaks ties by test accuracy.
"""

import functools
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import torch
from torch import Tensor

from pgcn.engine.fields import PreparedGraph
from pgcn.engine.lanes import Weights
from pgcn.graph import Graph
from pgcn.methods.fitting import Fitting, fields_once, fitted_steps, new_networks
from pgcn.methods.ngcn import NGCNConfig
from pgcn.methods.ngcn.fields import Dropout, TowerField
from pgcn.methods.ngcn.model import NGCNNet, combined
from pgcn.methods.run import RunStep
from pgcn.methods.stopping import EarlyStopping
from pgcn.methods.together import lane_losses


def build(description: dict[str, Any], config: dict[str, Any]) -> NGCNNet:
    """Return the network of a description, its weights 0."""
    return NGCNNet(**description, config=config)


def steps(graph: Graph, configs: Sequence[NGCNConfig], report_every: int) -> Iterator[RunStep]:
    """Yield what happens in every run, and at its end its network; runs of different seeds are trained together."""
    return fitted_steps("ngcn", graph, configs, report_every, fittings)


def fittings(prepared: PreparedGraph) -> Callable[[Sequence[NGCNConfig]], Fitting]:
    """Return what makes a fitting of runs on a graph; what is computed of the graph alone is computed once."""
    fields = fields_once(prepared, TowerField.around)
    return lambda configs: fitting(prepared, fields(configs[0].powers), configs)


def fitting(prepared: PreparedGraph, fields: dict[str, TowerField], configs: Sequence[NGCNConfig]) -> Fitting:
    """Return the networks of runs that differ in their seed, and what is computed of them."""
    config, device = configs[0], prepared.device
    models, generators = new_networks("ngcn", prepared, configs, new_network)
    y = prepared.y[prepared.nodes["labelled"]]
    whole = functools.cache(lambda: TowerField.whole(prepared, config.powers))

    def losses(weights: Weights, dropout: Dropout) -> Tensor:
        towers = fields["labelled"].towers(weights, dropout)
        losses = lane_losses(logits(towers, weights), y)
        if config.tower_loss:
            count = towers.shape[2]
            of_towers = lane_losses(towers.flatten(1, 2), y.repeat_interleave(count))
            losses = losses + count * of_towers
        return losses

    return Fitting(
        models=models,
        generators=generators,
        epochs=config.epochs,
        learning_rate=config.learning_rate,
        decay=dict.fromkeys(models[0].state_dict(), config.weight_decay),
        stopping=lambda: EarlyStopping(None, "ranked"),
        topology=(models[0].hidden[0].numel(),),
        dropout=lambda these: Dropout(config, these, device),
        losses=losses,
        val_outputs=lambda weights: logits(fields["val"].towers(weights), weights),
        outputs=lambda weights: logits(whole().towers(weights), weights),
    )


def logits(towers: Tensor, weights: Weights) -> Tensor:
    """Return the logits of S networks, [S, n, C], from those of their towers, [S, n, T, C]."""
    how = [name for name in ("mixture", "classifier") if name in weights]
    return torch.stack(
        [combined(own, **{name: weights[name][seed] for name in how}) for seed, own in enumerate(towers)]
    )


def new_network(graph: Graph, config: NGCNConfig, generator: torch.Generator) -> NGCNNet:
    """Return the network that training starts from."""
    model = NGCNNet(
        num_features=graph.num_features,
        num_classes=graph.num_classes,
        powers=config.powers,
        replicas=config.replicas,
        hidden=config.hidden,
        output=config.output,
        config=config.to_dict(),
    )
    model.initialise(generator)
    return model
