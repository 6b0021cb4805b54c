"""The architectures that searches choose among: a few decisions for each of two layers. Standard library only.

The lists are those of GraphNAS; Auto-GNN adds how a node's aggregated neighbours are combined. The width of the
last layer is decided like any other and then replaced by the number of classes, as in GraphNAS: two choices that
differ in it alone are the same architecture.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

LAYERS = 2
INNER = 128
"""Neurons inside the map of messages, of the aggregators other than sum."""


@dataclass(frozen=True)
class Decision:
    """One class of actions and what may be chosen."""

    name: str
    choices: tuple[Any, ...]


ATTENTION = Decision("attention", ("gat", "gcn", "cos", "const", "gat_sym", "linear", "generalized_linear"))
AGGREGATOR = Decision("aggregator", ("sum", "mean", "max", "mlp"))
ACTIVATION = Decision("activation", ("sigmoid", "tanh", "relu", "linear", "softplus", "leaky_relu", "relu6", "elu"))
HEADS = Decision("heads", (1, 2, 4, 6, 8, 16))
HIDDEN = Decision("hidden", (4, 8, 16, 32, 64, 128, 256))
COMBINE = Decision("combine", ("identity", "mlp"))


@dataclass(frozen=True, kw_only=True)
class LayerChoice:
    """What was decided for a layer: ``heads`` of ``hidden`` neurons each, in the last layer one for each class."""

    attention: str
    aggregator: str
    activation: str
    heads: int
    hidden: int
    combine: str = "identity"

    @property
    def width(self) -> int:
        """Neurons of all heads together."""
        return self.heads * self.hidden

    def parameters(self, fan_in: int, *, last: bool, combine_width: int = INNER) -> int:
        """Return in·KF + 2KF + bias, and what the choices add; a last layer averages its heads."""
        count = (fan_in + 2) * self.width + (self.hidden if last else self.width)
        if self.attention == "generalized_linear":
            count += self.hidden
        if self.aggregator != "sum":
            count += 2 * INNER * self.hidden + self.hidden + INNER
        if self.combine == "mlp":
            count += 2 * combine_width * self.hidden + self.hidden + combine_width
        return count

    def __str__(self) -> str:
        combine = "" if self.combine == "identity" else f" + {self.combine}"
        return f"{self.heads}×{self.hidden} {self.attention} {self.aggregator}{combine} {self.activation}"


@dataclass(frozen=True)
class Architecture:
    """The layers of a network, first to last."""

    layers: tuple[LayerChoice, ...]

    @classmethod
    def described(cls, layers: Sequence[dict[str, Any]]) -> "Architecture":
        """Return the architecture that :meth:`description` describes."""
        return cls(tuple(LayerChoice(**layer) for layer in layers))

    @property
    def description(self) -> list[dict[str, Any]]:
        return [dict(vars(layer)) for layer in self.layers]

    @property
    def topology(self) -> tuple[int, ...]:
        """Neurons of the hidden layers."""
        return tuple(layer.width for layer in self.layers[:-1])

    def parameters(self, num_features: int, combine_width: int = INNER) -> int:
        """Return the number of parameters."""
        fan_ins = (num_features, *self.topology)
        last = len(self.layers) - 1
        return sum(
            layer.parameters(fan_in, last=number == last, combine_width=combine_width)
            for number, (layer, fan_in) in enumerate(zip(self.layers, fan_ins, strict=True))
        )

    def __str__(self) -> str:
        return " → ".join(map(str, self.layers))


@dataclass(frozen=True)
class Space:
    """All architectures: the same decisions for each of ``layers`` layers.

    An architecture is a choice for every decision, by its position in the list: layer by layer, and within a layer
    in the order of ``decisions``.
    """

    decisions: tuple[Decision, ...]
    layers: int = LAYERS

    @property
    def positions(self) -> tuple[int, ...]:
        """The number of the decision that is made at every position of an architecture."""
        return tuple(range(len(self.decisions))) * self.layers

    @property
    def num_tokens(self) -> int:
        """How many different choices there are, over all decisions."""
        return sum(len(decision.choices) for decision in self.decisions)

    @property
    def size(self) -> int:
        """How many architectures can be written down; the width of the last layer makes no difference."""
        return math.prod(len(decision.choices) for decision in self.decisions) ** self.layers

    def token(self, position: int, choice: int) -> int:
        """Return the number of a choice among those of all decisions."""
        before = self.decisions[: self.positions[position]]
        return sum(len(decision.choices) for decision in before) + choice

    def of_decision(self, number: int) -> tuple[int, ...]:
        """Return the positions at which a decision is made: one in each layer."""
        return tuple(range(number, len(self.positions), len(self.decisions)))

    def architecture(self, choices: Sequence[int], num_classes: int) -> Architecture:
        """Return the architecture of a choice for every decision."""
        count = len(self.decisions)
        layers = []
        for layer in range(self.layers):
            own = choices[layer * count : (layer + 1) * count]
            chosen = {d.name: d.choices[choice] for d, choice in zip(self.decisions, own, strict=True)}
            if layer == self.layers - 1:
                chosen["hidden"] = num_classes
            layers.append(LayerChoice(**chosen))
        return Architecture(tuple(layers))


GRAPHNAS = Space((ATTENTION, AGGREGATOR, ACTIVATION, HEADS, HIDDEN))
AUTOGNN = Space((ATTENTION, AGGREGATOR, ACTIVATION, HEADS, HIDDEN, COMBINE))
SPACES = {"graphnas": GRAPHNAS, "autognn": AUTOGNN}
