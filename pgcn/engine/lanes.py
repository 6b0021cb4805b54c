"""Networks of equal shape, trained side by side: lane k is run k's network. See README.md beside this file."""

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
    # The product with the truth values of "activated > 0" would take six times as long.
    "relu": lambda grad, activated: torch.ops.aten.threshold_backward.default(grad, activated, 0),
    "leaky_relu": lambda grad, activated: grad * torch.where(activated > 0, 1.0, 0.01),
    "elu": lambda grad, activated: grad * torch.where(activated > 0, 1.0, activated + 1),
    "tanh": lambda grad, activated: grad * (1 - activated.square()),
    "linear": lambda grad, activated: grad,
}
"""The gradient by what went into an activation, from the gradient by what it returned and what it returned."""


def aligned(count: int) -> int:
    """Return the count rounded up to the alignment."""
    return -(-count // ALIGNMENT) * ALIGNMENT


def room_for(width: int) -> int:
    """Return the width at which products of tall matrices are fastest: the next multiple of 8, 16 at least.

    With ten columns such a product takes three times as long as with sixteen.
    """
    return max(16, -(-width // 8) * 8)


def weight_gradient(hidden: Tensor, grad: Tensor) -> Tensor:
    """Return HᵀG for every lane, [K, R, i] and [K, R, o] -> [K, i, o], the same bits for any K."""
    num_lanes, fan_in, fan_out = hidden.shape[0], hidden.shape[2], grad.shape[2]
    # The kernel, and so the last bits, depend on how the output is aligned and on its longer side.
    left, right = (hidden, grad) if fan_out <= fan_in else (grad, hidden)
    rows, columns = left.shape[2], right.shape[2]
    stride = aligned(rows * columns)
    product = hidden.new_empty(num_lanes * stride).as_strided((num_lanes, rows, columns), (stride, columns, 1))
    torch.bmm(left.transpose(1, 2), right, out=product)
    return product if left is hidden else product.transpose(1, 2)


class LaneParameters:
    """The weights of K networks of one architecture in one flat vector, which the optimiser steps through.

    The first layer's weight is kept as [D, K, w], so that it meets the features in a single product;
    everything else is [K, ...]. Where ``roomy``, hidden layers have neurons beyond their own (:func:`room_for`)
    with weights of 0: these put out 0, are sent back 0, and so stay 0. Only the first layer's weight has none of
    them: there are as many features to each as nowhere else.
    """

    def __init__(
        self, architecture: Architecture, lanes: Sequence[Weights], device: torch.device, *, roomy: bool = False
    ) -> None:
        self.num_lanes, self.architecture, self.roomy = len(lanes), architecture, roomy
        self.own_shapes = architecture.parameter_shapes()
        widths = tuple(map(room_for, architecture.widths)) if roomy else architecture.widths
        self.shapes: dict[str, tuple[int, ...]] = {}
        stacked = []
        shapes = replace(architecture, widths=widths).parameter_shapes()
        for name, shape in {**shapes, FIRST: self.own_shapes[FIRST]}.items():
            room = [missing for full, own in zip(shape, self.own_shapes[name], strict=True)
                    for missing in (full - own, 0)][::-1]  # fmt: skip
            stack = torch.stack([F.pad(lane[name].to(device), room) for lane in lanes], dim=self.lane_axis(name))
            self.shapes[name] = tuple(stack.shape)
            stacked.append(stack.reshape(-1))
        self.sizes = [part.numel() for part in stacked]
        padding = torch.zeros(aligned(sum(self.sizes)) - sum(self.sizes), device=device)
        self.flat = torch.cat([*stacked, padding])

    @staticmethod
    def lane_axis(name: str) -> int:
        return 1 if name == FIRST else 0

    def named(self, flat: Tensor) -> Weights:
        """Return views of a flat vector by name; the padding at its end has no name."""
        parts = flat.split([*self.sizes, flat.numel() - sum(self.sizes)])
        return {name: part.view(shape) for (name, shape), part in zip(self.shapes.items(), parts, strict=False)}

    def spread(self, lane_values: Tensor, only: Sequence[str] | None = None) -> Tensor:
        """Return a flat vector that holds lane k's value [K] at each of its weights, 0 at those not in ``only``."""
        flat = torch.zeros_like(self.flat)
        for name, part in self.named(flat).items():
            if only is None or name in only:
                axis = self.lane_axis(name)
                part.copy_(lane_values.view([-1 if i == axis else 1 for i in range(part.dim())]))
        return flat

    def lane(self, index: int, flat: Tensor | None = None) -> Weights:
        """Return a copy of one lane's weights, which nothing else will change; or of its part of another vector."""
        return {
            name: part.select(self.lane_axis(name), index)[tuple(map(slice, self.own_shapes[name]))].clone()
            for name, part in self.named(self.flat if flat is None else flat).items()
        }

    def alone(self, index: int) -> "LaneParameters":
        """Return a copy of one lane's weights as the only lane."""
        return LaneParameters(self.architecture, [self.lane(index)], self.flat.device, roomy=self.roomy)

    def put(self, index: int, other: "LaneParameters") -> None:
        """Write the only lane of others into one of these."""
        for name, part in other.named(other.flat).items():
            axis = self.lane_axis(name)
            self.named(self.flat)[name].select(axis, index).copy_(part.select(axis, 0))


class LaneAdam:
    """Adam with a learning rate and a weight decay for each lane.

    Adam's moments depend on the gradients alone and its steps add up, so torch's fused Adam runs with rate 1
    on a displacement u that starts at 0, and the weights are start + rate · u.
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
        adam(
            [self.displacement], [gradient], [self._mean], [self._square], [], [self._steps],
            fused=True, amsgrad=False, beta1=0.9, beta2=0.999, lr=1.0, weight_decay=0.0, eps=1e-8, maximize=False,
        )  # fmt: skip
        torch.mul(self.rate, self.displacement, out=self.weights).add_(self.start)


class LaneDropout:
    """Dropout masks, each lane's drawn from its own generator at its own rate [K].

    One draw of 64 random bits serves four numbers: a number is dropped when its 16 bits, read as an integer,
    lie below the rate's share of their range.
    """

    def __init__(self, generators: Sequence[torch.Generator], rates: Tensor) -> None:
        self.generators = generators
        self.active = bool(rates.any())
        self._threshold = ((rates * 2**16).round() - 2**15).clamp(max=2**15 - 1).to(torch.int16).unsqueeze(1)
        self.scale = (1 / (1 - rates)).to(torch.float32).view(-1, 1, 1)
        """What is kept is multiplied by it, [K, 1, 1]."""

    def masks(self, sizes: Sequence[int]) -> list[Tensor]:
        """Return a mask [K, size] for each size: 0 where dropped and 1 / (1 - rate) elsewhere.

        All of them at once: for small networks a draw by itself takes as long as what is drawn.
        """
        lengths = [-(-size // 4) * 4 for size in sizes]
        bits = torch.empty(len(self.generators), sum(lengths) // 4, dtype=torch.int64)
        for lane, generator in zip(bits, self.generators, strict=True):
            lane.random_(-(2**63), None, generator=generator)
        numbers = bits.view(torch.int16).to(self.scale.device)
        # Compared straight into float numbers: to turn truth values into them takes longer than all the rest.
        mask = torch.empty(numbers.shape, device=numbers.device)
        torch.ge(numbers, self._threshold, out=mask).mul_(self.scale[:, 0])
        return [part[:, :size] for part, size in zip(mask.split(lengths, dim=1), sizes, strict=True)]


def mixed_seed(seed: int, *purpose: object) -> int:
    """Return a generator's seed for one purpose of a run, far from those of its other purposes and other runs."""
    text = "/".join(map(str, (seed, *purpose)))
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big") >> 1


def glorot_limit(fan_in: int, fan_out: int) -> float:
    """Return √(6 / (in + out)), half the width of Glorot's uniform range."""
    return math.sqrt(6 / (fan_in + fan_out))


def uniform(shape: tuple[int, ...], limit: float, generator: torch.Generator) -> Tensor:
    """Return numbers drawn from U(−limit, limit)."""
    return torch.empty(shape).uniform_(-limit, limit, generator=generator)
