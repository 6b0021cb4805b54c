"""The network of an architecture: layers of attention, aggregation and activation, as GraphNAS builds them.

A layer has K heads of width F. With z = W x̃ and s(i, j) a score,

    h_i = σ(combine(aggregate_j c_ij z_j) + b)

    attention            c_ij over i and its neighbours
    gat                  softmax_j LeakyReLU₀.₂(a_l·z_i + a_r·z_j)
    gat_sym              softmax_j of gat's score of ij plus that of ji
    cos                  softmax_j Σ (a_l ∘ z_i) ∘ (a_r ∘ z_j)
    linear               softmax_j tanh((a_l + a_r)·z_j)
    generalized_linear   softmax_j w·tanh(a_l ∘ z_i + a_r ∘ z_j)
    gcn                  Â_ij
    const                1

The aggregators mean, max and mlp first map every message by L(m) = (m P + p) Q + q, which has no nonlinearity; mlp
then sums. So for sums and means one map after them gives the same as one for every message before. Heads are
concatenated, in the last layer averaged; the activation acts in the last layer too.
"""

from collections.abc import Sequence
from typing import Any, cast

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from pgcn.engine.lanes import glorot_limit, uniform
from pgcn.engine.model import NodeClassifier
from pgcn.graph import adjacency, normalized_adjacency
from pgcn.methods.gat.model import SLOPE, Edges
from pgcn.methods.search.fields import Neighbours
from pgcn.methods.search.space import INNER, Architecture, LayerChoice

ACTIVATIONS = {
    "sigmoid": torch.sigmoid,
    "tanh": torch.tanh,
    "relu": torch.relu,
    "linear": lambda values: values,
    "softplus": F.softplus,
    "leaky_relu": F.leaky_relu,
    "relu6": F.relu6,
    "elu": F.elu,
}


class Heads(nn.Module):
    """The weights of K heads of width F, which architectures may share. Scores are there where unused too."""

    def __init__(self, choice: LayerChoice, fan_in: int, *, last: bool) -> None:
        super().__init__()
        heads, width = choice.heads, choice.hidden
        self.weight = nn.Parameter(torch.zeros(fan_in, heads, width))
        self.score_target = nn.Parameter(torch.zeros(heads, width))  # a_l
        self.score_source = nn.Parameter(torch.zeros(heads, width))  # a_r
        general = choice.attention == "generalized_linear"
        self.score = nn.Parameter(torch.zeros(width)) if general else None  # w
        self.bias = nn.Parameter(torch.zeros(width if last else heads * width))

    def initialise(self, generator: torch.Generator) -> None:
        """Draw Glorot-uniform weights; biases are 0."""
        fan_in, _, width = self.weight.shape
        self.weight.data = uniform(self.weight.shape, glorot_limit(fan_in, width), generator)
        for score in (self.score_target, self.score_source, self.score):
            if score is not None:
                score.data = uniform(score.shape, glorot_limit(width, 1), generator)


class Bottleneck(nn.Module):
    """Two linear maps, F → inner → F, shared by all heads; ReLU between them or nothing."""

    def __init__(self, width: int, inner: int) -> None:
        super().__init__()
        self.enter = nn.Parameter(torch.zeros(width, inner))
        self.enter_bias = nn.Parameter(torch.zeros(inner))
        self.leave = nn.Parameter(torch.zeros(inner, width))
        self.leave_bias = nn.Parameter(torch.zeros(width))

    def initialise(self, generator: torch.Generator) -> None:
        """Draw Glorot-uniform weights; biases are 0."""
        for weight in (self.enter, self.leave):
            weight.data = uniform(weight.shape, glorot_limit(*weight.shape), generator)

    def forward(self, values: Tensor) -> Tensor:
        return torch.relu(values @ self.enter + self.enter_bias) @ self.leave + self.leave_bias

    def composed(self) -> tuple[Tensor, Tensor]:
        """Return the matrix [F, F] and the bias [F] of the map without ReLU."""
        return self.enter @ self.leave, self.enter_bias @ self.leave + self.leave_bias


class ChildLayer(nn.Module):
    """One layer; what it shares with other architectures is in ``heads``."""

    def __init__(
        self, choice: LayerChoice, fan_in: int, *, last: bool, combine_width: int, heads: Heads | None = None
    ) -> None:
        super().__init__()
        self.choice, self.last = choice, last
        self.heads = heads or Heads(choice, fan_in, last=last)
        self.messages = None if choice.aggregator == "sum" else Bottleneck(choice.hidden, INNER)
        self.combine = Bottleneck(choice.hidden, combine_width) if choice.combine == "mlp" else None

    def forward(
        self,
        z: Tensor,
        near: Neighbours,
        drop_coefficients: Tensor | None = None,
        drop_messages: Tensor | None = None,
    ) -> Tensor:
        """Return h of the targets, [T, KF] or [T, F], from z [S, K, F].

        Masks are of coefficients [E, K], or of messages [E, K, F] where these have no coefficients.
        """
        coefficients = self.coefficients(z, near)
        if drop_coefficients is not None:
            coefficients = coefficients * drop_coefficients
        h = self.aggregate(z, near, coefficients, drop_messages)  # [T, K, F]
        if self.combine is not None:
            h = self.combine(h)
        h = h.mean(dim=1) if self.last else h.flatten(1)
        return ACTIVATIONS[self.choice.activation](h + self.heads.bias)

    def dropped(self, near: Neighbours) -> dict[str, tuple[int, ...]]:
        """Return the shapes of what is dropped while training, beside the input."""
        if self.choice.attention == "gcn":
            return {}
        if self.choice.attention == "const":
            return {"drop_messages": (len(near.edges), self.choice.heads, self.choice.hidden)}
        return {"drop_coefficients": (len(near.edges), self.choice.heads)}

    def coefficients(self, z: Tensor, near: Neighbours) -> Tensor:
        """Return c of every edge, [E, K], or [E, 1] where it is the same for all heads."""
        if self.choice.attention == "const":
            return z.new_ones(len(near.edges), 1)
        if self.choice.attention == "gcn":
            return near.weight.unsqueeze(1)
        return segment_softmax(self.scores(z, near.edges), near.edges)

    def scores(self, z: Tensor, edges: Edges) -> Tensor:
        """Return s of every edge, [E, K]."""
        kind, a_l, a_r = self.choice.attention, self.heads.score_target, self.heads.score_source
        if kind == "cos":
            targets = (z * (a_l * a_r)).index_select(0, edges.target)
            return (targets * z.index_select(0, edges.source)).sum(dim=2)
        if kind == "generalized_linear":
            both = (z * a_l).index_select(0, edges.target) + (z * a_r).index_select(0, edges.source)
            assert self.heads.score is not None
            return torch.tanh(both) @ self.heads.score
        left, right = (z * a_l).sum(dim=2), (z * a_r).sum(dim=2)  # [S, K]
        if kind == "linear":
            return torch.tanh(left + right).index_select(0, edges.source)
        scores = F.leaky_relu(left.index_select(0, edges.target) + right.index_select(0, edges.source), SLOPE)
        if kind == "gat_sym":
            turned = left.index_select(0, edges.source) + right.index_select(0, edges.target)
            scores = scores + F.leaky_relu(turned, SLOPE)
        return scores

    def aggregate(self, z: Tensor, near: Neighbours, coefficients: Tensor, drop_messages: Tensor | None) -> Tensor:
        """Return what the targets gather, [T, K, F]."""
        edges, kind = near.edges, self.choice.aggregator
        messages = z.index_select(0, edges.source) * coefficients.unsqueeze(2)
        if drop_messages is not None:
            messages = messages * drop_messages
        if kind == "max":
            matrix, bias = self.map_of_messages()
            return torch.segment_reduce(messages @ matrix, "max", lengths=edges.per_target, axis=0) + bias
        gathered = z.new_zeros(near.num_targets, *z.shape[1:]).index_add(0, edges.target, messages)
        if kind == "sum":
            return gathered
        matrix, bias = self.map_of_messages()
        counts = edges.per_target.to(z.dtype).view(-1, 1, 1)
        if kind == "mean":
            return (gathered / counts) @ matrix + bias
        return gathered @ matrix + counts * bias

    def map_of_messages(self) -> tuple[Tensor, Tensor]:
        """Return L as a matrix [F, F] and a bias [F]."""
        assert self.messages is not None  # all aggregators but sum have it
        return self.messages.composed()


def segment_softmax(scores: Tensor, edges: Edges) -> Tensor:
    """Return scores [E, K] as shares: those of a target sum to one."""
    with torch.no_grad():  # a softmax does not change when its inputs are shifted
        most = torch.segment_reduce(scores, "max", lengths=edges.per_target, axis=0)
    powers = torch.exp(scores - most.index_select(0, edges.target))
    totals = torch.zeros_like(most).index_add(0, edges.target, powers)
    return powers / totals.index_select(0, edges.target)


class ChildNet(NodeClassifier):
    """The network of an architecture. Self-loops are added where missing; edge weights are used by gcn alone."""

    def __init__(
        self,
        architecture: Architecture,
        *,
        num_features: int,
        num_classes: int,
        combine_width: int = INNER,
        shared: Sequence[Heads | None] | None = None,
        method: str = "",
        config: dict[str, Any] | None = None,
    ) -> None:
        """``shared`` are the heads of every layer, where they are those of another network: the same storage."""
        super().__init__()
        self.architecture, self.combine_width = architecture, combine_width
        self.method, self.config = method, config or {}
        self.num_features, self.num_classes = num_features, num_classes
        given = shared or [None] * len(architecture.layers)
        fan_ins = (num_features, *architecture.topology)
        last = len(architecture.layers) - 1
        self.layers = nn.ModuleList(
            ChildLayer(choice, fan_in, last=number == last, combine_width=combine_width, heads=heads)
            for number, (choice, fan_in, heads) in enumerate(zip(architecture.layers, fan_ins, given, strict=True))
        )
        self._own = [heads is None for heads in given]

    @classmethod
    def described(cls, description: dict[str, Any], config: dict[str, Any], *, method: str) -> "ChildNet":
        """Return the network of a description, its weights 0."""
        own = {name: description[name] for name in ("num_features", "num_classes", "combine_width")}
        return cls(Architecture.described(description["layers"]), **own, method=method, config=config)

    @property
    def description(self) -> dict[str, Any]:
        return {
            "num_features": self.num_features,
            "num_classes": self.num_classes,
            "combine_width": self.combine_width,
            "layers": self.architecture.description,
            "architecture": str(self.architecture),
        }

    @property
    def stack(self) -> list[ChildLayer]:
        """The layers, first to last."""
        return cast(list[ChildLayer], list(self.layers))

    @property
    def num_inherited(self) -> int:
        """How many layers have the heads of another network."""
        return self._own.count(False)

    def initialise(self, generator: torch.Generator) -> None:
        """Draw all weights that are not another network's."""
        for layer, own in zip(self.stack, self._own, strict=True):
            for part in (layer.heads if own else None, layer.messages, layer.combine):
                if part is not None:
                    part.initialise(generator)

    def forward(self, x: Tensor, edge_index: Tensor, edge_weight: Tensor | None = None) -> Tensor:
        near = Neighbours.of(normalized_adjacency(adjacency(edge_index, len(x), edge_weight)), x.device)
        for layer in self.stack:
            x = layer(torch.einsum("nd,dkf->nkf", x, layer.heads.weight), near)
        return x

    def extra_repr(self) -> str:
        return str(self.architecture)
