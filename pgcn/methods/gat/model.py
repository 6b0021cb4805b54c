"""The network of GAT: attention over neighbours, many heads at once.

    z = W x̃,   e_ij = LeakyReLU₀.₂(a₁·z_i + b₁ + a₂·z_j + b₂),   α_i = softmax_j e_ij over i and its neighbours,
    h_i = Σ_j α̃_ij z̃_j + b

The tilde is dropout while training, at three places and independently for every head: the input, α and z. Scores
are of z without dropout. PyG's GATConv has the second alone, and neither b₁ nor b₂.
"""

from dataclasses import dataclass
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from pgcn.engine.lanes import glorot_limit, uniform
from pgcn.engine.model import NodeClassifier
from pgcn.graph import adjacency, normalized_adjacency

SLOPE = 0.2
"""Of LeakyReLU below 0."""


@dataclass(frozen=True, eq=False)
class Edges:
    """Edges from sources to targets, self-loops included, in the order of their targets 0, 1, ..., T - 1.

    Targets are the first of the sources: a node has one number as both.
    """

    target: Tensor
    source: Tensor
    per_target: Tensor

    @classmethod
    def of(cls, pattern, device: torch.device) -> "Edges":
        """Return the edges of a scipy CSR matrix [targets, sources] without an empty row."""
        per_target = torch.from_numpy(pattern.indptr[1:] - pattern.indptr[:-1]).long().to(device)
        source = torch.from_numpy(pattern.indices).long().to(device)
        target = torch.arange(len(per_target), device=device).repeat_interleave(per_target)
        return cls(target, source, per_target)

    def __len__(self) -> int:
        return len(self.target)


class AttentionHeads(nn.Module):
    """K attention heads of width F over inputs of width D."""

    def __init__(self, fan_in: int, heads: int, width: int) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.zeros(fan_in, heads, width))
        self.score_target = nn.Parameter(torch.zeros(heads, width))  # a₁
        self.score_source = nn.Parameter(torch.zeros(heads, width))  # a₂
        self.score_bias = nn.Parameter(torch.zeros(2, heads))  # b₁, b₂
        self.bias = nn.Parameter(torch.zeros(heads, width))

    def initialise(self, generator: torch.Generator) -> None:
        """Draw Glorot-uniform weights, head by head as in the authors' code; biases are 0."""
        fan_in, _, width = self.weight.shape
        self.weight.data = uniform(self.weight.shape, glorot_limit(fan_in, width), generator)
        for score in (self.score_target, self.score_source):
            score.data = uniform(score.shape, glorot_limit(width, 1), generator)

    def attention(self, z: Tensor, edges: Edges) -> Tensor:
        """Return α of every edge, [E, K]: those of a target sum to one. z is [S, K, F]."""
        to = (z[: len(edges.per_target)] * self.score_target).sum(dim=2) + self.score_bias[0]
        come_from = (z * self.score_source).sum(dim=2) + self.score_bias[1]
        scores = to.index_select(0, edges.target) + come_from.index_select(0, edges.source)
        scores = F.leaky_relu(scores, SLOPE)  # [E, K]
        with torch.no_grad():  # a softmax does not change when its inputs are shifted
            most = torch.segment_reduce(scores, "max", lengths=edges.per_target, axis=0)
        shares = torch.exp(scores - most.index_select(0, edges.target))
        totals = torch.zeros_like(most).index_add(0, edges.target, shares)
        return shares / totals.index_select(0, edges.target)

    def forward(
        self, z: Tensor, edges: Edges, drop_attention: Tensor | None = None, drop_z: Tensor | None = None
    ) -> Tensor:
        """Return h of the targets, [T, K, F], from z [S, K, F]; masks are [E, K] and [S, K, F]."""
        attention = self.attention(z, edges)
        if drop_attention is not None:
            attention = attention * drop_attention
        if drop_z is not None:
            z = z * drop_z
        messages = attention.unsqueeze(2) * z.index_select(0, edges.source)
        summed = z.new_zeros(len(edges.per_target), *z.shape[1:])
        return summed.index_add(0, edges.target, messages) + self.bias

    def extra_repr(self) -> str:
        fan_in, heads, width = self.weight.shape
        return f"{fan_in} → {heads} x {width}"


class GATNet(NodeClassifier):
    """Two layers: K₁ heads of width F, concatenated, ELU; then K₂ heads of width C, averaged.

    Self-loops are added where missing. Edge weights are ignored: attention finds its own.
    """

    method = "gat"

    def __init__(
        self,
        *,
        num_features: int,
        num_classes: int,
        heads: int,
        hidden: int,
        output_heads: int,
        config: dict[str, Any] | None = None,
    ) -> None:
        super().__init__()
        self.config = config or {}
        self.hidden = AttentionHeads(num_features, heads, hidden)
        self.output = AttentionHeads(heads * hidden, output_heads, num_classes)

    @property
    def description(self) -> dict[str, Any]:
        num_features, heads, hidden = self.hidden.weight.shape
        _, output_heads, num_classes = self.output.weight.shape
        return {
            "num_features": num_features,
            "num_classes": num_classes,
            "heads": heads,
            "hidden": hidden,
            "output_heads": output_heads,
        }

    def forward(self, x: Tensor, edge_index: Tensor, edge_weight: Tensor | None = None) -> Tensor:
        pattern = normalized_adjacency(adjacency(edge_index, len(x)))  # that of A + I, each edge once
        edges = Edges.of(pattern, x.device)
        z = torch.einsum("nd,dkf->nkf", x, self.hidden.weight)
        hidden = F.elu(self.hidden(z, edges)).flatten(1)
        z = torch.einsum("nd,dkf->nkf", hidden, self.output.weight)
        return self.output(z, edges).mean(dim=1)
