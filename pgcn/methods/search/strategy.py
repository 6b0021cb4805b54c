"""What a search asks of whoever proposes architectures, and what the controllers have in common."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol, Self

import torch
from torch import Tensor, nn

from pgcn.methods.search import ControllerConfig
from pgcn.methods.search.space import Space

INITIAL = 0.1
"""All weights of a controller are first drawn between minus and plus this."""


@dataclass(frozen=True, kw_only=True)
class Proposal:
    """An architecture to try; ``decision`` is the class of actions it changes of the best one, "" for all."""

    choices: tuple[int, ...]
    decision: str = ""


@dataclass(frozen=True, kw_only=True)
class Lesson:
    """What a controller has learned from."""

    reward: float | None = None
    baseline: float | None = None


class Strategy(Protocol):
    """Proposes architectures and learns from what they reach.

    Its state is a function of what it was told by :meth:`learn`, so that a search can be resumed from its events.
    """

    space: Space

    def propose(self, number: int, attempt: int) -> Proposal:
        """Return an architecture; where one does not fit, another ``attempt`` for the same ``number``."""

    def learn(self, proposal: Proposal, val_accuracy: float, *, best: bool) -> Lesson:
        """Take note of what an architecture reached, and whether it is the best so far."""

    def preferences(self) -> tuple[tuple[float, ...], ...]:
        """Return the probability of every choice of every decision, () where all are alike."""

    def finals(self, ranked: Sequence[tuple[int, ...]], count: int) -> list[tuple[int, ...]]:
        """Return what is retrained in the end, from all that was tried, the best first."""


class Controller(nn.Module):
    """An LSTM over choices, with a decoder for every decision: logits are c tanh(output / T)."""

    def __init__(self, space: Space, decisions: Sequence[int], config: ControllerConfig) -> None:
        """``decisions`` are the numbers of those it makes."""
        super().__init__()
        size = config.controller_size
        self.space, self.config = space, config
        self.embedding = nn.Embedding(space.num_tokens, size)
        self.cell = nn.LSTMCell(size, size)
        self.decoders = nn.ModuleDict(
            {str(number): nn.Linear(size, len(space.decisions[number].choices)) for number in decisions}
        )

    def initialise(self, generator: torch.Generator) -> Self:
        """Draw all weights from U(−0.1, 0.1); the decoders' biases are 0."""
        for parameter in self.parameters():
            parameter.data.uniform_(-INITIAL, INITIAL, generator=generator)
        for name, parameter in self.decoders.named_parameters():
            if name.endswith("bias"):
                nn.init.zeros_(parameter)
        return self

    def logits(self, position: int, hidden: Tensor) -> Tensor:
        """Return the logits of the choices at a position, [B, n]."""
        raw = self.decoders[str(self.space.positions[position])](hidden)
        return self.config.tanh_constant * torch.tanh(raw / self.config.temperature)

    def embed(self, position: int, choices: Tensor) -> Tensor:
        """Return the embeddings of choices [B] at a position, [B, size]."""
        return self.embedding(choices + self.space.token(position, 0))


def drawn(logits: Tensor, generator: torch.Generator) -> Tensor:
    """Return a choice for every row of logits, [B, n] -> [B]."""
    return torch.multinomial(torch.softmax(logits, dim=1), 1, generator=generator).squeeze(1)


def entropy(log_probabilities: Tensor) -> Tensor:
    """Return −Σ p log p of every row, [B, n] -> [B]."""
    return -(log_probabilities.exp() * log_probabilities).sum(dim=1)


class MovingAverage:
    """An exponential moving average, which begins with its first value."""

    def __init__(self, decay: float) -> None:
        self.decay = decay
        self.value: Tensor | None = None

    def update(self, value: Tensor) -> Tensor:
        """Take a value in and return the average."""
        self.value = value if self.value is None else self.decay * self.value + (1 - self.decay) * value
        return self.value


def uniform_choices(space: Space, generator: torch.Generator) -> tuple[int, ...]:
    """Return an architecture, all choices drawn uniformly."""
    counts = (len(space.decisions[number].choices) for number in space.positions)
    return tuple(int(torch.randint(count, (1,), generator=generator)) for count in counts)
