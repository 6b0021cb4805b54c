"""The network of N-GCN: GCNs on powers of Â side by side, the towers, and what makes one output of theirs.

Tₜ = Âᵖ ReLU(Âᵖ X Wₜ + bₜ) Uₜ + cₜ      for every power p and every replica: T towers
wsum:  Y = Σₜ softmax(m)ₜ Tₜ            fc:  Y = [T₁ … T_T] F
"""

from typing import Any

import torch
from torch import Tensor, nn

from pgcn.engine.lanes import glorot_limit, uniform
from pgcn.engine.model import NodeClassifier
from pgcn.engine.sparse import to_csr
from pgcn.graph import adjacency, normalized_adjacency


class NGCNNet(NodeClassifier):
    """Logits Y; self-loops are added where missing, edge weights are used. Towers of one power are neighbours."""

    method = "ngcn"

    def __init__(
        self,
        *,
        num_features: int,
        num_classes: int,
        powers: tuple[int, ...],
        replicas: int,
        hidden: int,
        output: str,
        config: dict[str, Any] | None = None,
    ) -> None:
        super().__init__()
        self.powers, self.replicas, self.config = tuple(powers), replicas, config or {}
        towers = len(self.powers) * replicas
        self.hidden = nn.Parameter(torch.zeros(num_features, towers, hidden))
        self.hidden_bias = nn.Parameter(torch.zeros(towers, hidden))
        self.output = nn.Parameter(torch.zeros(towers, hidden, num_classes))
        self.output_bias = nn.Parameter(torch.zeros(towers, num_classes))
        weighted = output == "wsum"
        self.mixture = nn.Parameter(torch.zeros(towers)) if weighted else None
        self.classifier = None if weighted else nn.Parameter(torch.zeros(towers * num_classes, num_classes))

    @property
    def description(self) -> dict[str, Any]:
        (num_features, _, hidden), num_classes = self.hidden.shape, self.output.shape[2]
        return {
            "num_features": num_features,
            "num_classes": num_classes,
            "powers": list(self.powers),
            "replicas": self.replicas,
            "hidden": hidden,
            "output": "wsum" if self.classifier is None else "fc",
        }

    def initialise(self, generator: torch.Generator) -> None:
        """Draw Glorot-uniform weights; biases are 0 and all towers weigh the same."""
        (fan_in, _, width), num_classes = self.hidden.shape, self.output.shape[2]
        self.hidden.data = uniform(self.hidden.shape, glorot_limit(fan_in, width), generator)
        self.output.data = uniform(self.output.shape, glorot_limit(width, num_classes), generator)
        if self.classifier is not None:
            self.classifier.data = uniform(self.classifier.shape, glorot_limit(*self.classifier.shape), generator)

    def group(self, number: int) -> slice:
        """Return the towers of a power."""
        return slice(number * self.replicas, (number + 1) * self.replicas)

    def forward(self, x: Tensor, edge_index: Tensor, edge_weight: Tensor | None = None) -> Tensor:
        propagation = to_csr(normalized_adjacency(adjacency(edge_index, len(x), edge_weight)), x.device)

        def powered(values: Tensor, power: int) -> Tensor:
            flat = values.flatten(1)
            for _ in range(power):
                flat = propagation @ flat
            return flat.view(values.shape)

        towers = []
        for number, power in enumerate(self.powers):
            these = self.group(number)
            hidden = powered(torch.einsum("nd,dth->nth", x, self.hidden[:, these]), power)
            hidden = torch.relu(hidden + self.hidden_bias[these])
            outputs = powered(torch.einsum("nth,thc->ntc", hidden, self.output[these]), power)
            towers.append(outputs + self.output_bias[these])
        return combined(torch.cat(towers, dim=1), mixture=self.mixture, classifier=self.classifier)

    def extra_repr(self) -> str:
        return ", ".join(f"{name}={value}" for name, value in self.description.items())


def combined(towers: Tensor, *, mixture: Tensor | None = None, classifier: Tensor | None = None) -> Tensor:
    """Return the logits [n, C] from those of the towers, [n, T, C]: a weighted sum, or a layer on all."""
    if mixture is not None:
        return torch.einsum("ntc,t->nc", towers, torch.softmax(mixture, dim=0))
    assert classifier is not None  # a network has the one or the other
    return towers.flatten(1) @ classifier
