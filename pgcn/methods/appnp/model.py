"""The network of APPNP: a prediction for each node by itself, then propagation.

    H = ReLU(X W₀) W₁,   Z₀ = H,   Zₜ = (1 − α) Â Zₜ₋₁ + α H

As the number of steps grows, Z tends to α (I − (1 − α) Â)⁻¹ H: personalised PageRank.
"""

from typing import Any

import torch
from torch import Tensor, nn

from pgcn.engine.lanes import uniform
from pgcn.engine.model import NodeClassifier
from pgcn.engine.sparse import to_csr
from pgcn.graph import adjacency, normalized_adjacency


class APPNPNet(NodeClassifier):
    """Logits Z of K steps, no bias; self-loops are added where missing, edge weights are used."""

    method = "appnp"

    def __init__(
        self,
        *,
        num_features: int,
        num_classes: int,
        hidden: int,
        hops: int,
        alpha: float,
        config: dict[str, Any] | None = None,
    ) -> None:
        super().__init__()
        self.hops, self.alpha, self.config = hops, alpha, config or {}
        self.hidden = nn.Parameter(torch.zeros(num_features, hidden))
        self.output = nn.Parameter(torch.zeros(hidden, num_classes))

    @property
    def description(self) -> dict[str, Any]:
        (num_features, hidden), num_classes = self.hidden.shape, self.output.shape[1]
        return {
            "num_features": num_features,
            "num_classes": num_classes,
            "hidden": hidden,
            "hops": self.hops,
            "alpha": self.alpha,
        }

    def initialise(self, generator: torch.Generator) -> None:
        """Draw weights from U(±1/√in)."""
        for weight in (self.hidden, self.output):
            weight.data = uniform(weight.shape, weight.shape[0] ** -0.5, generator)

    def forward(self, x: Tensor, edge_index: Tensor, edge_weight: Tensor | None = None) -> Tensor:
        propagation = to_csr(normalized_adjacency(adjacency(edge_index, len(x), edge_weight)), x.device)
        predicted = torch.relu(x @ self.hidden) @ self.output
        outputs = predicted
        for _ in range(self.hops):
            outputs = (1 - self.alpha) * (propagation @ outputs) + self.alpha * predicted
        return outputs

    def extra_repr(self) -> str:
        return ", ".join(f"{name}={value}" for name, value in self.description.items())
