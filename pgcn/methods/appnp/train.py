"""APPNP (Klicpera et al. 2019): predict, then propagate. The mathematics is in :mod:`.model`.

Mean cross-entropy on the labelled nodes plus λ/2 ‖W₀‖²; Adam. Dropout acts on the features, on the hidden layer,
and, drawn anew at every power step, on the entries of Â. After every epoch the validation nodes are measured, their
loss with its L2 term. Where accuracy or loss is as good as its best, patience begins anew; the result are the
weights of the best accuracy, of the lowest loss among equals (the authors' code).
"""

import functools
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import torch

from pgcn.engine.fields import PreparedGraph
from pgcn.graph import Graph
from pgcn.methods.appnp import APPNPConfig
from pgcn.methods.appnp.fields import Dropout, PropagationField
from pgcn.methods.appnp.model import APPNPNet
from pgcn.methods.fitting import Fitting, fields_once, fitted_steps, new_networks
from pgcn.methods.run import RunStep
from pgcn.methods.stopping import EarlyStopping
from pgcn.methods.together import lane_losses


def build(description: dict[str, Any], config: dict[str, Any]) -> APPNPNet:
    """Return the network of a description, its weights 0."""
    return APPNPNet(**description, config=config)


def steps(graph: Graph, configs: Sequence[APPNPConfig], report_every: int) -> Iterator[RunStep]:
    """Yield what happens in every run, and at its end its network; runs of different seeds are trained together."""
    return fitted_steps("appnp", graph, configs, report_every, fittings)


def fittings(prepared: PreparedGraph) -> Callable[[Sequence[APPNPConfig]], Fitting]:
    """Return what makes a fitting of runs on a graph; what is computed of the graph alone is computed once."""
    fields = fields_once(prepared, PropagationField.around)
    return lambda configs: fitting(prepared, fields(configs[0].hops), configs)


def fitting(
    prepared: PreparedGraph, fields: dict[str, PropagationField], configs: Sequence[APPNPConfig]
) -> Fitting:
    """Return the networks of runs that differ in their seed, and what is computed of them."""
    config, device = configs[0], prepared.device
    models, generators = new_networks("appnp", prepared, configs, new_network)
    y, alpha = prepared.y[prepared.nodes["labelled"]], config.alpha
    whole = functools.cache(lambda: PropagationField.whole(prepared, config.hops))
    return Fitting(
        models=models,
        generators=generators,
        epochs=config.epochs,
        learning_rate=config.learning_rate,
        decay={"hidden": config.weight_decay, "output": 0.0},
        stopping=lambda: EarlyStopping(config.patience, "ranked"),
        topology=(config.hidden,),
        dropout=lambda these: Dropout(config, these, device),
        losses=lambda weights, dropout: lane_losses(fields["labelled"].outputs(weights, alpha, dropout), y),
        val_outputs=lambda weights: fields["val"].outputs(weights, alpha),
        outputs=lambda weights: whole().outputs(weights, alpha),
        penalty=lambda weights: config.weight_decay / 2 * weights["hidden"].square().sum(),
    )


def new_network(graph: Graph, config: APPNPConfig, generator: torch.Generator) -> APPNPNet:
    """Return the network that training starts from."""
    model = APPNPNet(
        num_features=graph.num_features,
        num_classes=graph.num_classes,
        hidden=config.hidden,
        hops=config.hops,
        alpha=config.alpha,
        config=config.to_dict(),
    )
    model.initialise(generator)
    return model
