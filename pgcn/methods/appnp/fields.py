"""The receptive field of some nodes for the steps of APPNP, and a pass through it with dropout or without."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp
import torch
from torch import Tensor

from pgcn.engine.fields import PreparedGraph, Rows, by_distance
from pgcn.engine.lanes import LaneDropout, Weights
from pgcn.engine.projection import projected
from pgcn.methods.appnp import APPNPConfig
from pgcn.methods.stacked import Matmul, Products, to_columns, to_seeds


@dataclass(frozen=True, eq=False)
class PropagationField:
    """What must be computed for some nodes' outputs: the features of all within K hops, nearest first.

    ``steps`` are the blocks of Â that lead from the nodes within K hops to those within K − 1, and so on to the
    nodes asked for.
    """

    features: Rows
    steps: tuple[Rows, ...]

    @classmethod
    def around(cls, prepared: PreparedGraph, nodes: str, hops: int) -> "PropagationField":
        """Return the field of the labelled or val nodes, in their order."""
        return cls._of(prepared, *by_distance(prepared.propagation, prepared.nodes[nodes].cpu().numpy(), hops))

    @classmethod
    def whole(cls, prepared: PreparedGraph, hops: int) -> "PropagationField":
        """Return the field of all nodes."""
        count = prepared.graph.num_nodes
        return cls._of(prepared, np.arange(count), [count] * (hops + 1))

    @classmethod
    def _of(cls, prepared: PreparedGraph, order: np.ndarray, sizes: list[int]) -> "PropagationField":
        inner, device = prepared.propagation[order][:, order], prepared.device
        blocks: dict[tuple[int, int], Rows] = {}
        steps = []
        for rows, columns in zip(sizes[-2::-1], sizes[:0:-1], strict=True):
            if (rows, columns) not in blocks:  # once all nodes are reached, steps are the same
                blocks[rows, columns] = Rows(sp.csr_array(inner[:rows, :columns]), device)
            steps.append(blocks[rows, columns])
        return cls(Rows(prepared.graph.features[order], device), tuple(steps))

    def outputs(self, weights: Weights, alpha: float, dropout: "Dropout | None" = None) -> Tensor:
        """Return the logits of the nodes asked for, [S, n, C], from the weights of S networks, [S, ...] by name."""
        drop = dropout.masks(self) if dropout else Masks(edges=(None,) * len(self.steps))
        hidden = Products.apply(weights["hidden"].unsqueeze(2), self.features, drop.features).squeeze(1)
        hidden = torch.relu(hidden)
        if drop.hidden is not None:
            hidden = hidden * drop.hidden
        outputs = predicted = Matmul.apply(hidden, weights["output"])  # [S, n, C]
        for step, mask in zip(self.steps, drop.edges, strict=True):
            outputs = (1 - alpha) * self._propagated(outputs, step, mask)
            outputs = outputs + alpha * predicted[:, : outputs.shape[1]]
        return outputs

    @staticmethod
    def _propagated(values: Tensor, step: Rows, mask: Tensor | None) -> Tensor:
        """Return a block of Â, or what is left of it for each seed, times values [S, m, C] -> [S, n, C]."""
        if mask is not None:
            return Products.apply(values.unsqueeze(2), step, mask).squeeze(1)
        return to_seeds(projected(step, to_columns(values)), len(values))


@dataclass(frozen=True, kw_only=True)
class Masks:
    """What is multiplied with what while training, [S, ...]; None drops nothing."""

    features: Tensor | None = None
    hidden: Tensor | None = None
    edges: tuple[Tensor | None, ...]


class Dropout:
    """Dropout of a whole pass, drawn from each run's generator: inputs and hidden at one rate, Â at another."""

    def __init__(self, config: APPNPConfig, generators: Sequence[torch.Generator], device: torch.device) -> None:
        self._width = config.hidden
        self._values, self._edges = (
            LaneDropout(generators, torch.full((len(generators),), rate, device=device))
            for rate in (config.dropout, config.edge_dropout)
        )

    def masks(self, field: PropagationField) -> Masks:
        """Draw the masks of one pass."""
        features = hidden = None
        edges: tuple[Tensor | None, ...] = (None,) * len(field.steps)
        if self._values.active:
            rows = field.features.pattern.shape[0]
            features, hidden = self._values.masks([field.features.num_values, rows * self._width])
            features, hidden = features.unsqueeze(1), hidden.view(-1, rows, self._width)
        if self._edges.active and field.steps:
            drawn = self._edges.masks([step.num_values for step in field.steps])
            edges = tuple(mask.unsqueeze(1) for mask in drawn)
        return Masks(features=features, hidden=hidden, edges=edges)
