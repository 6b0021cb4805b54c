"""GAT (Veličković et al. 2018): a two-layer graph attention network. The mathematics is in :mod:`.model`.

Mean cross-entropy on the labelled nodes plus λ/2 ‖·‖² of all parameters (Adam's weight decay); Glorot weights.
When it ends and whose weights are the result, the authors' rule says: :mod:`pgcn.methods.stopping`. Training
computes the nodes within two hops of the labelled ones, validation those of the validation nodes; the whole graph
is computed once, at the end.
"""

import functools
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import torch

from pgcn.engine.fields import PreparedGraph
from pgcn.graph import Graph
from pgcn.methods.fitting import Fitting, fields_once, fitted_steps, new_networks
from pgcn.methods.gat import GATConfig
from pgcn.methods.gat.fields import AttentionField, Dropout
from pgcn.methods.gat.model import GATNet
from pgcn.methods.run import RunStep
from pgcn.methods.stopping import EarlyStopping
from pgcn.methods.together import lane_losses


def build(description: dict[str, Any], config: dict[str, Any]) -> GATNet:
    """Return the network of a description, its weights 0."""
    return GATNet(**description, config=config)


def steps(graph: Graph, configs: Sequence[GATConfig], report_every: int) -> Iterator[RunStep]:
    """Yield what happens in every run, and at its end its network; runs of different seeds are trained together."""
    return fitted_steps("gat", graph, configs, report_every, fittings)


def fittings(prepared: PreparedGraph) -> Callable[[Sequence[GATConfig]], Fitting]:
    """Return what makes a fitting of runs on a graph; what is computed of the graph alone is computed once."""
    fields = fields_once(prepared, AttentionField.around)
    return lambda configs: fitting(prepared, fields(), configs)


def fitting(prepared: PreparedGraph, fields: dict[str, AttentionField], configs: Sequence[GATConfig]) -> Fitting:
    """Return the networks of runs that differ in their seed, and what is computed of them."""
    config, device = configs[0], prepared.device
    models, generators = new_networks("gat", prepared, configs, new_network)
    y = prepared.y[prepared.nodes["labelled"]]
    whole = functools.cache(lambda: AttentionField.whole(prepared))
    return Fitting(
        models=models,
        generators=generators,
        epochs=config.epochs,
        learning_rate=config.learning_rate,
        decay=dict.fromkeys(models[0].state_dict(), config.weight_decay),
        stopping=lambda: EarlyStopping(config.patience, config.stopping),
        topology=(config.heads * config.hidden,),
        dropout=lambda these: Dropout(config, prepared.graph.num_classes, these, device),
        losses=lambda weights, dropout: lane_losses(fields["labelled"].outputs(weights, dropout), y),
        val_outputs=fields["val"].outputs,
        outputs=lambda weights: whole().outputs(weights),
    )


def new_network(graph: Graph, config: GATConfig, generator: torch.Generator) -> GATNet:
    """Return the network that training starts from."""
    model = GATNet(
        num_features=graph.num_features,
        num_classes=graph.num_classes,
        heads=config.heads,
        hidden=config.hidden,
        output_heads=config.output_heads,
        config=config.to_dict(),
    )
    model.hidden.initialise(generator)
    model.output.initialise(generator)
    return model
