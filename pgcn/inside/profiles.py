"""What each neuron of a network has learned, from its weights and its graph.

With H_l the activations of hidden layer l at all N nodes, [N, w_l], the class profile of a layer is
P_l[n, c] = mean of H_l[v, n] over the nodes v of class c, [w_l, C].
"""

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from pgcn.engine.model import GraphNet
from pgcn.graph import Graph

MOST_EXCITED = 3
"""So many nodes are named for a neuron."""


@dataclass(frozen=True, kw_only=True, eq=False)
class LayerProfile:
    """The neurons of a hidden layer: ``means`` are P, float64 [w, C], 0 for a class without a node.

    ``nodes`` excite a neuron most, int64 [w, k], and ``peaks`` are its activations there, float32 [w, k]; ``dead``
    neurons are above 0 at no node, bool [w].
    """

    means: np.ndarray
    nodes: np.ndarray
    peaks: np.ndarray
    dead: np.ndarray


@dataclass(frozen=True, kw_only=True, eq=False)
class Profiles:
    """All hidden layers of a network, and the weights O of its readout, float32 [w, C]."""

    layers: tuple[LayerProfile, ...]
    readout: np.ndarray


@torch.no_grad()
def class_profiles(network: GraphNet, graph: Graph, *, most_excited: int = MOST_EXCITED) -> Profiles:
    """Return what every neuron of a network responds to on its graph."""
    hidden = network.hidden_layers(graph.x, graph.edge_index, graph.edge_weight)
    return Profiles(
        layers=tuple(layer_profile(H, graph.y, graph.num_classes, most_excited) for H in hidden),
        readout=network.output.weight.numpy().copy(),
    )


def layer_profile(H: Tensor, y: Tensor, classes: int, most_excited: int = MOST_EXCITED) -> LayerProfile:
    """Return the profile of a layer from its activations H, [N, w]; nodes whose class is unknown have y < 0."""
    known = y >= 0
    sums = torch.zeros(classes, H.shape[1], dtype=torch.float64).index_add_(0, y[known], H[known].double())
    counts = torch.bincount(y[known], minlength=classes).clamp(min=1)
    # Of nodes that excite a neuron equally the first are named, on every machine.
    nodes = H.argsort(dim=0, descending=True, stable=True)[:most_excited]  # [k, w]
    return LayerProfile(
        means=(sums / counts[:, None]).T.numpy(),
        nodes=nodes.T.numpy(),
        peaks=H.gather(0, nodes).T.numpy(),
        dead=(H <= 0).all(dim=0).numpy(),
    )
