"""The network of SGC: a linear layer behind propagations."""

from typing import Any

import torch
from torch import Tensor, nn

from pgcn.engine.model import NodeClassifier
from pgcn.engine.sparse import to_csr
from pgcn.graph import adjacency, normalized_adjacency


class SGCNet(NodeClassifier):
    """Logits Âᴷ X W + b; self-loops are added where missing, edge weights are used."""

    method = "sgc"

    def __init__(
        self, *, num_features: int, num_classes: int, hops: int, bias: bool, config: dict[str, Any] | None = None
    ) -> None:
        super().__init__()
        self.hops, self.config = hops, config or {}
        self.weight = nn.Parameter(torch.zeros(num_features, num_classes))
        self.bias = nn.Parameter(torch.zeros(num_classes)) if bias else None

    @property
    def description(self) -> dict[str, Any]:
        num_features, num_classes = self.weight.shape
        return {
            "num_features": num_features,
            "num_classes": num_classes,
            "hops": self.hops,
            "bias": self.bias is not None,
        }

    def forward(self, x: Tensor, edge_index: Tensor, edge_weight: Tensor | None = None) -> Tensor:
        weighted = adjacency(edge_index, len(x), edge_weight)
        return self.propagated(x @ self.weight, to_csr(normalized_adjacency(weighted), x.device))

    def propagated(self, projected: Tensor, propagation: Tensor) -> Tensor:
        """Return the logits of all nodes from XW, [N, C]: propagating classes is cheaper than features."""
        for _ in range(self.hops):
            projected = propagation @ projected
        return projected if self.bias is None else projected + self.bias

    def extra_repr(self) -> str:
        return ", ".join(f"{name}={value}" for name, value in self.description.items())
