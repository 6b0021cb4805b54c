"""The receptive field of some nodes for the towers of N-GCN, and a pass through it with dropout or without."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp
import torch
from torch import Tensor

from pgcn.engine.fields import PreparedGraph, Rows, by_distance
from pgcn.engine.lanes import LaneDropout, Weights
from pgcn.engine.projection import projected
from pgcn.methods.ngcn import NGCNConfig
from pgcn.methods.stacked import Matmul, Products, Shifted, to_columns


@dataclass(frozen=True, eq=False)
class Group:
    """What the towers of a power p compute.

    ``features`` are of the nodes within 2p hops, ``into_hidden`` p blocks of Â that lead to those within p hops,
    ``into_output`` p blocks that lead on to the nodes asked for.
    """

    features: Rows
    into_hidden: tuple[Rows, ...]
    into_output: tuple[Rows, ...]
    hidden_rows: int


@dataclass(frozen=True, eq=False)
class TowerField:
    """What must be computed for some nodes' outputs, group by group; ``features`` are of the nodes of all."""

    features: Rows
    groups: tuple[Group, ...]

    @classmethod
    def around(cls, prepared: PreparedGraph, nodes: str, powers: tuple[int, ...]) -> "TowerField":
        """Return the field of the labelled or val nodes, in their order."""
        targets = prepared.nodes[nodes].cpu().numpy()
        return cls._of(prepared, *by_distance(prepared.propagation, targets, 2 * max(powers)), powers)

    @classmethod
    def whole(cls, prepared: PreparedGraph, powers: tuple[int, ...]) -> "TowerField":
        """Return the field of all nodes."""
        count = prepared.graph.num_nodes
        return cls._of(prepared, np.arange(count), [count] * (2 * max(powers) + 1), powers)

    @classmethod
    def _of(
        cls, prepared: PreparedGraph, order: np.ndarray, sizes: list[int], powers: tuple[int, ...]
    ) -> "TowerField":
        inner = prepared.propagation[order][:, order]
        features = Rows(prepared.graph.features[order], prepared.device)
        firsts: dict[int, Rows] = {len(order): features}
        blocks: dict[tuple[int, int], Rows] = {}

        def first(count: int) -> Rows:
            if count not in firsts:
                firsts[count] = features.first(count)
            return firsts[count]

        def step(level: int) -> Rows:
            rows, columns = sizes[level], sizes[level + 1]
            if (rows, columns) not in blocks:  # once all nodes are reached, steps are the same
                blocks[rows, columns] = Rows(sp.csr_array(inner[:rows, :columns]), prepared.device)
            return blocks[rows, columns]

        groups = tuple(
            Group(
                first(sizes[2 * power]),
                tuple(step(level) for level in reversed(range(power, 2 * power))),
                tuple(step(level) for level in reversed(range(power))),
                sizes[power],
            )
            for power in powers
        )
        return cls(features, groups)

    def towers(self, weights: Weights, dropout: "Dropout | None" = None) -> Tensor:
        """Return the logits of every tower at the nodes asked for, [S, n, T, C].

        Weights are those of S networks, [S, ...] by name.
        """
        drop = dropout.masks(self) if dropout else Masks(hidden=(None,) * len(self.groups))
        seeds, towers, classes = len(weights["output"]), *weights["output_bias"].shape[1:]
        replicas, outputs = towers // len(self.groups), []
        for number, group in enumerate(self.groups):
            these, rows = slice(number * replicas, (number + 1) * replicas), group.features
            mask = None if drop.features is None else drop.features[:, :, : rows.num_values]
            weight = weights["hidden"][:, :, these].flatten(2)  # [S, D, rh]
            hidden = Products.apply(weight.unsqueeze(2), rows, mask).squeeze(1)  # [S, rows, rh]
            hidden = propagated(to_columns(hidden), group.into_hidden).view(-1, seeds, weight.shape[2])
            hidden = torch.relu(Shifted.apply(hidden, weights["hidden_bias"][:, these].flatten(1)))
            if (kept := drop.hidden[number]) is not None:
                hidden = hidden * kept.transpose(0, 1)
            hidden = hidden.transpose(0, 1).unflatten(2, (replicas, -1)).transpose(1, 2)  # [S, r, rows, h]
            through = Matmul.apply(hidden, weights["output"][:, these]).transpose(1, 2).flatten(2)
            through = propagated(to_columns(through), group.into_output)
            through = through.view(-1, seeds, replicas, classes)
            outputs.append(Shifted.apply(through, weights["output_bias"][:, these]))
        return torch.cat(outputs, dim=2).transpose(0, 1)


def propagated(values: Tensor, steps: tuple[Rows, ...]) -> Tensor:
    """Return values after the given blocks of Â, the first of them first."""
    for step in steps:
        values = projected(step, values)
    return values


@dataclass(frozen=True, kw_only=True)
class Masks:
    """What is multiplied with what while training, [S, ...]; None drops nothing."""

    features: Tensor | None = None
    hidden: tuple[Tensor | None, ...]


class Dropout:
    """Dropout of a whole pass, drawn from each run's generator: features once for all towers, and hidden layers."""

    def __init__(self, config: NGCNConfig, generators: Sequence[torch.Generator], device: torch.device) -> None:
        self._width = config.replicas * config.hidden
        self._input, self._hidden = (
            LaneDropout(generators, torch.full((len(generators),), rate, device=device))
            for rate in (config.input_dropout, config.dropout)
        )

    def masks(self, field: TowerField) -> Masks:
        """Draw the masks of one pass."""
        features = None
        hidden: tuple[Tensor | None, ...] = (None,) * len(field.groups)
        if self._input.active:
            [features] = self._input.masks([field.features.num_values])
            features = features.unsqueeze(1)
        if self._hidden.active:
            drawn = self._hidden.masks([group.hidden_rows * self._width for group in field.groups])
            hidden = tuple(mask.view(len(mask), -1, self._width) for mask in drawn)
        return Masks(features=features, hidden=hidden)
