"""Networks of equal shape, trained together: lane k is run k's network. See README.md in this folder."""

import hashlib
import math
from collections.abc import Sequence
from dataclasses import replace

import torch
import torch.nn.functional as F
from torch import Tensor
from torch.optim.adam import adam

from pgcn.engine.architecture import Architecture

ALIGNMENT = 16  # float32 numbers in 64 bytes
FIRST = "hidden.0.weight"
Weights = dict[str, Tensor]

ACTIVATIONS = {
    "relu": torch.relu_,
    "leaky_relu": F.leaky_relu,
    "elu": F.elu,
    "tanh": torch.tanh,
    "linear": lambda values: values,
}
BACKWARD = {
    # A product with the booleans "activated > 0" would take six times as long.
    "relu": lambda grad, activated: torch.ops.aten.threshold_backward.default(grad, activated, 0),
    "leaky_relu": lambda grad, activated: grad * torch.where(activated > 0, 1.0, 0.01),
    "elu": lambda grad, activated: grad * torch.where(activated > 0, 1.0, activated + 1),
    "tanh": lambda grad, activated: grad * (1 - activated.square()),
    "linear": lambda grad, activated: grad,
}
"""The gradient with respect to an activation's input, from that with respect to its output, and the output."""


def aligned(count: int) -> int:
    """Return the count rounded up to a multiple of the alignment."""
    return -(-count // ALIGNMENT) * ALIGNMENT


def padded_width(width: int) -> int:
    """Return the width at which products of tall matrices are fastest: the next multiple of 8, at least 16.

    With ten columns such a product takes three times as long as with sixteen.
    """
    return max(16, -(-width // 8) * 8)


def pad_after(shape: Sequence[int], padded: Sequence[int]) -> list[int]:
    """Return the argument with which ``F.pad`` pads one shape to another; the last axis comes first."""
    missing = [full - own for full, own in zip(padded, shape, strict=True)]
    return [count for axis in reversed(missing) for count in (0, axis)]


def weight_gradient(hidden: Tensor, grad: Tensor) -> Tensor:
    """Return HᵀG for every lane, [K, R, i] and [K, R, o] -> [K, i, o], the same bits for any K."""
    num_lanes, fan_in, fan_out = hidden.shape[0], hidden.shape[2], grad.shape[2]
    # The alignment and the longer side of the output decide which kernel runs, and so the last bits.
    left, right = (hidden, grad) if fan_out <= fan_in else (grad, hidden)
    rows, columns = left.shape[2], right.shape[2]
    stride = aligned(rows * columns)
    product = hidden.new_empty(num_lanes * stride).as_strided((num_lanes, rows, columns), (stride, columns, 1))
    torch.bmm(left.transpose(1, 2), right, out=product)
    return product if left is hidden else product.transpose(1, 2)


class LaneParameters:
    """The weights of K networks of one architecture in one flat vector, which the optimiser steps through.

    The first layer's weight is stored as [D, K, w], so that one product with the features serves all lanes;
    everything else is [K, ...]. Where ``padded``, hidden layers have extra neurons (:func:`padded_width`) with
    weights of 0: their outputs and gradients are 0, and so their weights stay 0. Only the first layer's weight is
    not padded: each of its neurons has as many weights as there are features.
    """

    def __init__(
        self, architecture: Architecture, lanes: Sequence[Weights], device: torch.device, *, padded: bool = False
    ) -> None:
        self.num_lanes, self.architecture, self.padded = len(lanes), architecture, padded
        self.own_shapes = architecture.parameter_shapes()
        widths = tuple(map(padded_width, architecture.widths)) if padded else architecture.widths
        self.shapes: dict[str, tuple[int, ...]] = {}
        stacked = []
        shapes = replace(architecture, widths=widths).parameter_shapes()
        for name, shape in {**shapes, FIRST: self.own_shapes[FIRST]}.items():
            padding = pad_after(self.own_shapes[name], shape)
            stack = torch.stack([F.pad(lane[name].to(device), padding) for lane in lanes], self.lane_axis(name))
            self.shapes[name] = tuple(stack.shape)
            stacked.append(stack.reshape(-1))
        self.sizes = [part.numel() for part in stacked]
        tail = torch.zeros(aligned(sum(self.sizes)) - sum(self.sizes), device=device)
        self.flat = torch.cat([*stacked, tail])

    @staticmethod
    def lane_axis(name: str) -> int:
        return 1 if name == FIRST else 0

    def named(self, flat: Tensor) -> Weights:
        """Return views of a flat vector by name; the zeros at its end have no name."""
        parts = flat.split([*self.sizes, flat.numel() - sum(self.sizes)])
        return {name: part.view(shape) for (name, shape), part in zip(self.shapes.items(), parts, strict=False)}

    def spread(self, lane_values: Tensor, only: Sequence[str] | None = None) -> Tensor:
        """Return a flat vector with lane k's value of [K] at each of its weights, 0 at those not in ``only``."""
        flat = torch.zeros_like(self.flat)
        for name, part in self.named(flat).items():
            if only is None or name in only:
                axis = self.lane_axis(name)
                part.copy_(lane_values.view([-1 if i == axis else 1 for i in range(part.dim())]))
        return flat

    def lane(self, index: int, flat: Tensor | None = None) -> Weights:
        """Return a copy of one lane's weights, or of its part of another flat vector, without the padding."""
        return {
            name: part.select(self.lane_axis(name), index)[tuple(map(slice, self.own_shapes[name]))].clone()
            for name, part in self.named(self.flat if flat is None else flat).items()
        }

    def alone(self, index: int) -> "LaneParameters":
        """Return a copy of one lane's weights as the only lane."""
        return LaneParameters(self.architecture, [self.lane(index)], self.flat.device, padded=self.padded)

    def write_lane(self, index: int, other: "LaneParameters") -> None:
        """Overwrite one lane with the only lane of other parameters."""
        for name, part in other.named(other.flat).items():
            axis = self.lane_axis(name)
            self.named(self.flat)[name].select(axis, index).copy_(part.select(axis, 0))


ADAM = {
    "lr": 1.0,
    "beta1": 0.9,
    "beta2": 0.999,
    "eps": 1e-8,
    "weight_decay": 0.0,
    "amsgrad": False,
    "maximize": False,
    "fused": True,
}


class LaneAdam:
    """Adam with a learning rate and a weight decay for each lane.

    Adam's moments depend on the gradients alone and its steps add up. So torch's fused Adam runs with rate 1 on a
    displacement u that starts at 0, and the weights are start + rate · u.
    """

    def __init__(self, parameters: LaneParameters, rates: Tensor, decay: Tensor) -> None:
        self.weights = parameters.flat
        self.start = parameters.flat.clone()
        self.rate = parameters.spread(rates)
        self.decay = decay if bool(decay.any()) else None
        self.displacement, self._mean, self._square = (torch.zeros_like(self.start) for _ in range(3))
        self._steps = torch.zeros((), device=self.start.device)

    def step(self, gradient: Tensor) -> None:
        if self.decay is not None:
            gradient = torch.mul(self.decay, self.weights).add_(gradient)
        # The function behind torch.optim.Adam; the class around it costs more than the work of a small step.
        state = ([self._mean], [self._square], [], [self._steps])
        adam([self.displacement], [gradient], *state, **ADAM)
        torch.mul(self.rate, self.displacement, out=self.weights).add_(self.start)


class LaneDropout:
    """Dropout masks, each lane's drawn from its own generator at its own rate [K].

    One draw of 64 random bits serves four values: a value is dropped when its 16 bits, read as an integer, lie in
    the lowest part of their range, whose share is the rate.
    """

    def __init__(self, generators: Sequence[torch.Generator], rates: Tensor) -> None:
        self.generators = generators
        self.active = bool(rates.any())
        self._threshold = ((rates * 2**16).round() - 2**15).clamp(max=2**15 - 1).to(torch.int16).unsqueeze(1)
        self.scale = (1 / (1 - rates)).to(torch.float32).view(-1, 1, 1)
        """The factor of the values that are not dropped, [K, 1, 1]."""

    def masks(self, sizes: Sequence[int]) -> list[Tensor]:
        """Return a mask [K, size] for each size: 0 where dropped and 1 / (1 - rate) elsewhere.

        All are drawn at once: for small networks the overhead of a call is as long as the drawing.
        """
        lengths = [-(-size // 4) * 4 for size in sizes]
        bits = torch.empty(len(self.generators), sum(lengths) // 4, dtype=torch.int64)
        for lane, generator in zip(bits, self.generators, strict=True):
            lane.random_(-(2**63), None, generator=generator)
        numbers = bits.view(torch.int16).to(self.scale.device)
        # The comparison writes floats: converting booleans would take longer than everything else.
        mask = torch.empty(numbers.shape, device=numbers.device)
        torch.ge(numbers, self._threshold, out=mask).mul_(self.scale[:, 0])
        return [part[:, :size] for part, size in zip(mask.split(lengths, dim=1), sizes, strict=True)]


def mixed_seed(seed: int, *purpose: object) -> int:
    """Return the seed of a generator for one purpose of a run, independent of other purposes and other runs."""
    text = "/".join(map(str, (seed, *purpose)))
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big") >> 1


def glorot_limit(fan_in: int, fan_out: int) -> float:
    """Return √(6 / (in + out)), the limit of Glorot's uniform range."""
    return math.sqrt(6 / (fan_in + fan_out))


def uniform(shape: tuple[int, ...], limit: float, generator: torch.Generator) -> Tensor:
    """Return numbers drawn from U(−limit, limit)."""
    return torch.empty(shape).uniform_(-limit, limit, generator=generator)
