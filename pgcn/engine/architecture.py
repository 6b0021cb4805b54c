"""The shape of a network, without its weights. Standard library only."""

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import Any

TELEPORT = 0.1
"""The restart probability that Klicpera et al. (2019) use for citation graphs."""
READOUTS = ("linear", "graph", "pagerank")
ACTIVATIONS = ("relu", "leaky_relu", "elu", "tanh", "linear")


def count_parameters(num_features: int, widths: Sequence[int], num_classes: int, *, bias: bool) -> int:
    """Return Σ in·out over all layers, plus Σ out where layers have a bias."""
    sizes = (num_features, *widths, num_classes)
    return sum(i * o for i, o in pairwise(sizes)) + bias * sum(sizes[1:])


def describe_topology(num_features: int, widths: Sequence[int], num_classes: int) -> str:
    """Return for example '1433 → 10 → 20 → 7'."""
    return " → ".join(str(size) for size in (num_features, *widths, num_classes))


@dataclass(frozen=True, kw_only=True)
class Architecture:
    """Hidden graph convolutions σ(ÂHW + b) of the given widths and a readout SHO.

    S is I for a ``linear`` readout, Â for a ``graph`` one, and for ``pagerank`` personalised PageRank Π with the
    restart probability ``teleport`` (:mod:`pgcn.engine.pagerank`).
    """

    num_features: int
    widths: tuple[int, ...]
    num_classes: int
    activation: str = "relu"
    readout: str = "linear"
    bias: bool = False
    teleport: float = TELEPORT

    @property
    def description(self) -> dict[str, Any]:
        """The architecture in JSON-able values; the restart probability where it matters."""
        described = asdict(self)
        if self.readout != "pagerank":
            del described["teleport"]
        return described

    @property
    def propagates_outputs(self) -> bool:
        """Whether the readout propagates: S is not I."""
        return self.readout != "linear"

    @property
    def hops(self) -> int:
        """The number of propagations after the first hidden layer."""
        return len(self.widths) - 1 + self.propagates_outputs

    def parameter_shapes(self) -> dict[str, tuple[int, ...]]:
        """Return the name and shape of every weight, in the order of the layers; weights are [in, out]."""
        sizes = (self.num_features, *self.widths, self.num_classes)
        names = [*(f"hidden.{i}" for i in range(len(self.widths))), "output"]
        shapes: dict[str, tuple[int, ...]] = {}
        for name, (fan_in, fan_out) in zip(names, pairwise(sizes), strict=True):
            shapes[f"{name}.weight"] = (fan_in, fan_out)
            if self.bias:
                shapes[f"{name}.bias"] = (fan_out,)
        return shapes

    @property
    def num_parameters(self) -> int:
        return sum(math.prod(shape) for shape in self.parameter_shapes().values())
