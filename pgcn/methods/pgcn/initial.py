"""The network a candidate is, and the weights it starts from."""

import math

import torch
from torch import Tensor

from pgcn.engine.architecture import Architecture
from pgcn.engine.lanes import Weights, glorot_limit, mixed_seed, uniform
from pgcn.methods.pgcn import GrowthConfig
from pgcn.methods.pgcn.candidate import Candidate


def architecture_of(
    config: GrowthConfig, num_features: int, widths: tuple[int, ...], num_classes: int
) -> Architecture:
    """Return the network a config grows, at given widths."""
    return Architecture(
        num_features=num_features,
        widths=widths,
        num_classes=num_classes,
        activation=config.activation,
        readout=config.readout,
        bias=config.bias,
        teleport=config.teleport,
    )


def initial_weights(
    config: GrowthConfig, architecture: Architecture, candidate: Candidate, generator: torch.Generator
) -> Weights:
    """Return the weights a candidate starts from; the readout's weight is left at zero, to be solved.

    Eq. 13: only the new block's columns are random, trained ones keep their values (or only
    those of the first layer, by ``carry_over``).
    """
    purpose = (candidate.layer, candidate.block, "perturbation", config.perturbation_seed)
    perturbations = torch.Generator().manual_seed(mixed_seed(config.seed, *purpose))

    def fresh(shape: tuple[int, ...], layer_width: int) -> Tensor:
        drawn = drawn_weights(config.init, shape, layer_width, generator)
        return drawn * (1 + uniform(shape, config.perturbation, perturbations)) if config.perturbation else drawn

    weights: Weights = {}
    for name, shape in architecture.parameter_shapes().items():
        old = (candidate.base or {}).get(name)
        carried_over = config.carry_over == "all" or name == "hidden.0.weight"
        if name == "output.weight":
            weights[name] = torch.zeros(shape)
        elif old is None or not carried_over or name == "output.bias":
            weights[name] = fresh(shape, shape[-1])
        elif old.shape == shape:
            weights[name] = old.cpu().clone()
        else:
            new_columns = (*shape[:-1], shape[-1] - old.shape[-1])
            weights[name] = torch.cat([old.cpu(), fresh(new_columns, shape[-1])], dim=-1)
    return weights


def drawn_weights(init: str, shape: tuple[int, ...], layer_width: int, generator: torch.Generator) -> Tensor:
    """Return U(±1/√layer_width), or Glorot's U(±√(6 / (in + out))) with biases of 0."""
    if init == "layer_width":
        return uniform(shape, 1 / math.sqrt(layer_width), generator)
    return uniform(shape, glorot_limit(*shape), generator) if len(shape) == 2 else torch.zeros(shape)
