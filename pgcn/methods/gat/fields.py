"""The receptive field of some nodes for the two layers of GAT, and a pass through it with dropout or without."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import scipy.sparse as sp
import torch
import torch.nn.functional as F
from torch import Tensor

from pgcn.engine.fields import PreparedGraph, Rows, by_distance
from pgcn.engine.lanes import LaneDropout, Weights
from pgcn.methods.gat import GATConfig
from pgcn.methods.gat.attention import Attention, HeadEdges
from pgcn.methods.gat.model import Edges
from pgcn.methods.stacked import Matmul, Products, by_seed


@dataclass(frozen=True, eq=False)
class AttentionField:
    """What must be computed for some nodes' outputs: the features of all within two hops, nearest first.

    ``into_hidden`` leads from these to the nodes within one hop, ``into_output`` from those to the nodes asked for.
    """

    features: Rows
    into_hidden: Edges
    into_output: Edges
    _made: dict[tuple[str, int], HeadEdges] = field(default_factory=dict, repr=False)

    @classmethod
    def around(cls, prepared: PreparedGraph, nodes: str) -> "AttentionField":
        """Return the field of the labelled or val nodes, in their order."""
        targets = prepared.nodes[nodes].cpu().numpy()
        order, sizes = by_distance(prepared.propagation, targets, 2)
        return cls._of(prepared, order, sizes)

    @classmethod
    def whole(cls, prepared: PreparedGraph) -> "AttentionField":
        """Return the field of all nodes."""
        count = prepared.graph.num_nodes
        return cls._of(prepared, np.arange(count), [count] * 3)

    @classmethod
    def _of(cls, prepared: PreparedGraph, order: np.ndarray, sizes: list[int]) -> "AttentionField":
        targets, hidden, inputs = sizes
        inner = prepared.propagation[order][:, order]  # its pattern is that of A + I
        into_hidden, into_output = (sp.csr_array(inner[:rows]) for rows in (hidden, targets))
        features = Rows(prepared.graph.features[order[:inputs]], prepared.device)
        device = prepared.device
        return cls(features, Edges.of(into_hidden, device), Edges.of(into_output, device))

    def outputs(self, weights: Weights, dropout: "Dropout | None" = None) -> Tensor:
        """Return the logits of the nodes asked for, [S, n, C], from the weights of S networks, [S, ...] by name."""
        drop = dropout.masks(self) if dropout else NO_MASKS
        z = Products.apply(weights["hidden.weight"], self.features, drop.features)  # [S, K₁, N₂, F]
        hidden = attended(z, weights, "hidden", self._heads("into_hidden", z), drop.attention, drop.z)
        hidden = by_seed(F.elu, hidden).transpose(1, 2).flatten(2).unsqueeze(1)  # [S, 1, N₁, K₁F]
        if drop.hidden is not None:
            hidden = hidden * drop.hidden  # each head of the output layer drops inputs of its own
        weight = weights["output.weight"].transpose(1, 2)  # [S, K₂, K₁F, C]
        z = Matmul.apply(hidden.expand(-1, weight.shape[1], -1, -1), weight)  # [S, K₂, N₁, C]
        heads = self._heads("into_output", z)
        return attended(z, weights, "output", heads, drop.output_attention, drop.output_z).mean(dim=1)

    def _heads(self, name: str, z: Tensor) -> HeadEdges:
        """Return the edges of a layer for all heads of z [S, K, sources, F]."""
        seeds, heads, sources, _ = z.shape
        key = (name, seeds * heads)
        if key not in self._made:
            self._made[key] = HeadEdges.of(getattr(self, name), seeds * heads, sources)
        return self._made[key]


def attended(
    z: Tensor, weights: Weights, layer: str, edges: HeadEdges, drop_attention: Tensor | None, drop_z: Tensor | None
) -> Tensor:
    """Return the outputs of a layer of attention heads, [S, K, targets, F], from z [S, K, sources, F]."""
    seeds, heads, _, width = z.shape
    scores = (weights[f"{layer}.score_{end}"].flatten(0, 1) for end in ("target", "source"))
    bias = weights[f"{layer}.score_bias"].transpose(0, 1).flatten(1)  # [2, SK]
    outputs = Attention.apply(z.flatten(0, 1), *scores, bias, edges, seeds, drop_attention, drop_z)
    return outputs.view(seeds, heads, -1, width) + weights[f"{layer}.bias"].unsqueeze(2)


@dataclass(frozen=True, kw_only=True)
class Masks:
    """What is multiplied with what while training, [S, heads, ...]; None drops nothing."""

    features: Tensor | None = None
    z: Tensor | None = None
    attention: Tensor | None = None
    hidden: Tensor | None = None
    output_z: Tensor | None = None
    output_attention: Tensor | None = None


NO_MASKS = Masks()


class Dropout:
    """Dropout of a whole pass, drawn from each run's generator: inputs and z at one rate, attention at another."""

    def __init__(
        self, config: GATConfig, num_classes: int, generators: Sequence[torch.Generator], device: torch.device
    ) -> None:
        self.config, self.num_classes = config, num_classes
        self._values, self._attention = (
            LaneDropout(generators, torch.full((len(generators),), rate, device=device))
            for rate in (config.dropout, config.attention_dropout)
        )

    def masks(self, field: AttentionField) -> Masks:
        """Draw the masks of one pass."""
        config, (rows, _) = self.config, field.features.pattern.shape
        inner, width = len(field.into_hidden.per_target), config.heads * config.hidden
        return Masks(
            **_shaped(
                self._values,
                features=(config.heads, field.features.num_values),
                z=(config.heads, rows, config.hidden),
                hidden=(config.output_heads, inner, width),
                output_z=(config.output_heads, inner, self.num_classes),
            ),
            **_shaped(
                self._attention,
                attention=(config.heads, len(field.into_hidden)),
                output_attention=(config.output_heads, len(field.into_output)),
            ),
        )


def _shaped(dropout: LaneDropout, **shapes: tuple[int, ...]) -> dict[str, Tensor]:
    """Return a mask [S, ...] of every shape, none where nothing is dropped."""
    if not dropout.active:
        return {}
    flat = dropout.masks([math.prod(shape) for shape in shapes.values()])
    return {name: mask.view(len(mask), *shape) for mask, (name, shape) in zip(flat, shapes.items(), strict=True)}
