"""Weights that architectures hand on to each other, where layers are alike. Auto-GNN shares so; others do not.

Two layers are alike if they are at the same place, have the same shapes, and the same attention and activation:
then their heads are the same storage. What only one of them has (the maps of an aggregator, or what combines) is
its own. Only the weights of architectures that were the best so far are handed on: training changes the storage
that all share, and where the new architecture is not better the weights are set back.
"""

import torch

from pgcn.engine.lanes import Weights
from pgcn.methods.search.model import ChildNet, Heads
from pgcn.methods.search.space import Architecture

Key = tuple[int, int, int, int, str, str]


class SharedHeads:
    """The heads of all layers that were ever part of a best architecture."""

    def __init__(self) -> None:
        self._heads: dict[Key, Heads] = {}
        self._before: dict[Key, Weights] = {}

    def of(self, architecture: Architecture, num_features: int) -> list[Heads | None]:
        """Return the heads that an architecture inherits, None for a layer that is like no earlier one."""
        return [self._heads.get(key) for key in keys(architecture, num_features)]

    @torch.no_grad()
    def begin(self, model: ChildNet) -> None:
        """Remember the weights that a model inherits, before it is trained."""
        inherited = {
            key: layer.heads
            for key, layer in zip(keys(model.architecture, model.num_features), model.stack, strict=True)
            if self._heads.get(key) is layer.heads
        }
        self._before = {
            key: {name: value.clone() for name, value in heads.state_dict().items()}
            for key, heads in inherited.items()
        }

    def set_back(self) -> None:
        """Give the inherited weights the values they had before training."""
        for key, weights in self._before.items():
            self._heads[key].load_state_dict(weights)

    def hand_on(self, model: ChildNet) -> None:
        """Let later architectures inherit from a model."""
        for key, layer in zip(keys(model.architecture, model.num_features), model.stack, strict=True):
            self._heads[key] = layer.heads


def keys(architecture: Architecture, num_features: int) -> list[Key]:
    """Return what must be the same for two layers to share their heads."""
    fan_ins = (num_features, *architecture.topology)
    return [
        (number, fan_in, layer.hidden, layer.heads, layer.attention, layer.activation)
        for number, (layer, fan_in) in enumerate(zip(architecture.layers, fan_ins, strict=True))
    ]
