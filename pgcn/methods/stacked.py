"""Networks of one shape, one for each seed: their parameters stacked, and products with them.

A seed is one more dimension beside heads and towers. As everywhere (README.md in :mod:`pgcn.engine`), a run gives
among others the bits that it gives alone: products are computed seed by seed where their kernel could depend on
the number of seeds, and Adam steps through every network's tensors as if it were alone.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Self

import torch
from torch import Tensor
from torch.optim.adam import adam

from pgcn.engine.fields import Rows
from pgcn.engine.lanes import ADAM, Weights


class Stacked:
    """The parameters of S networks, [S, ...] by name, and Adam's state; ``decay`` is the weight decay by name."""

    def __init__(
        self, networks: Sequence[Mapping[str, Tensor]], *, rate: float, decay: Mapping[str, float]
    ) -> None:
        self.rate, self.decay = rate, decay
        self.named = {
            name: torch.stack([weights[name].detach() for weights in networks]).requires_grad_()
            for name in networks[0]
        }
        self._mean, self._square = (
            {name: torch.zeros_like(part, requires_grad=False) for name, part in self.named.items()}
            for _ in range(2)
        )
        self._steps = {name: [torch.zeros(()) for _ in networks] for name in self.named}

    def step(self, loss: Tensor) -> None:
        """Take a step of Adam down the sum of all losses: that of one network moves no other.

        Each network's part of a tensor is one of Adam's: the last numbers of a vector may have other bits there.
        """
        gradients = torch.autograd.grad(loss, list(self.named.values()))
        # Fused Adam reads memory in order, whatever the strides.
        by_name = {name: own.contiguous() for name, own in zip(self.named, gradients, strict=True)}
        for decay in dict.fromkeys(self.decay.values()):
            names = [name for name in self.named if self.decay[name] == decay]
            weights, slopes, means, squares = (
                [own for name in names for own in tensors[name].detach().unbind()]
                for tensors in (self.named, by_name, self._mean, self._square)
            )
            steps = [step for name in names for step in self._steps[name]]
            how: dict[str, Any] = {**ADAM, "lr": self.rate, "weight_decay": decay}
            adam(weights, slopes, means, squares, [], steps, **how)

    def weights(self, lane: int) -> Weights:
        """Return a copy of one network's parameters."""
        return {name: part[lane].detach().clone() for name, part in self.named.items()}

    def everything(self, lane: int) -> list[Tensor]:
        """Return all that one network is trained with."""
        return [part[lane].detach() for parts in (self.named, self._mean, self._square) for part in parts.values()]

    def only(self, lanes: Sequence[int]) -> Self:
        """Return copies of some of the networks, with their state."""
        chosen = object.__new__(type(self))
        chosen.rate, chosen.decay = self.rate, self.decay
        for name in ("named", "_mean", "_square"):
            parts = getattr(self, name).items()
            setattr(chosen, name, {key: part.detach()[list(lanes)] for key, part in parts})  # copies
        for part in chosen.named.values():
            part.requires_grad_()
        chosen._steps = {key: [steps[lane].clone() for lane in lanes] for key, steps in self._steps.items()}
        return chosen


def by_seed(function: Callable[..., Tensor], *values: Tensor) -> Tensor:
    """Return what a function gives for every seed, [S, ...], computed seed by seed and from copies.

    Kernels differ by where their inputs begin (BLAS, VML), and the last numbers of a vector may have other bits.
    """
    if len(values[0]) == 1:
        return function(*(part[0] for part in values)).unsqueeze(0)
    return torch.stack([function(*(own.clone() for own in parts)) for parts in zip(*values, strict=True)])


class Products(torch.autograd.Function):
    """X̃W of every seed and head, of constant rows X: weights [S, D, K, F], masks [S, K, values] -> [S, K, R, F]."""

    @staticmethod
    def forward(ctx, weight: Tensor, rows: Rows, mask: Tensor | None) -> Tensor:
        ctx.rows, ctx.mask, width = rows, mask, weight.shape[3]
        masks = iter([None] * len(weight) if mask is None else mask)
        return by_seed(lambda own: rows.times(own, next(masks), width=width), weight)

    @staticmethod
    def backward(ctx, grad: Tensor) -> tuple[Tensor, None, None]:
        rows, width = ctx.rows, grad.shape[3]
        masks = iter([None] * len(grad) if ctx.mask is None else ctx.mask)
        gradient = by_seed(lambda own: rows.weight_gradient(own.contiguous(), next(masks), width=width), grad)
        return gradient, None, None


class Shifted(torch.autograd.Function):
    """Values [n, S, ...] plus a bias of every seed [S, ...]; the gradient of a bias is summed seed by seed."""

    @staticmethod
    def forward(ctx, values: Tensor, bias: Tensor) -> Tensor:
        return values + bias

    @staticmethod
    def backward(ctx, grad: Tensor) -> tuple[Tensor, Tensor]:
        return grad, by_seed(lambda own: own.contiguous().sum(dim=0), grad.transpose(0, 1))


def to_columns(values: Tensor) -> Tensor:
    """Return what S seeds have, [S, n, w], side by side: [n, S·w]."""
    return values[0] if len(values) == 1 else values.transpose(0, 1).flatten(1)


def to_seeds(columns: Tensor, seeds: int) -> Tensor:
    """Return columns [n, S·w] as [S, n, w]."""
    return columns.view(len(columns), seeds, -1).transpose(0, 1)


class Matmul(torch.autograd.Function):
    """A B of every seed, [S, ..., n, m] and [S, ..., m, o] -> [S, ..., n, o]."""

    @staticmethod
    def forward(ctx, left: Tensor, right: Tensor) -> Tensor:
        ctx.save_for_backward(left, right)
        return matmul(left, right)

    @staticmethod
    def backward(ctx, grad: Tensor) -> tuple[Tensor, Tensor]:
        left, right = ctx.saved_tensors
        return matmul(grad, right.transpose(-2, -1)), matmul(left.transpose(-2, -1), grad)


def matmul(left: Tensor, right: Tensor) -> Tensor:
    """Return A B of every seed."""
    multiply = torch.bmm if left.dim() == 4 else torch.mm
    return by_seed(lambda one, other: multiply(one.clone(), other.clone()), left, right)
