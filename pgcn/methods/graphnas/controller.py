"""The controller of GraphNAS: it decides for one layer after the other, each decision given all before it.

REINFORCE: with reward Rᵢ = (validation accuracy) + β Hᵢ of decision i and b the moving average of rewards, the
gradient is that of −Σᵢ log π(choice i) (Rᵢ − bᵢ). As in the authors' code b takes the new reward in first. Left out
is what that code has beside this: it forgets b after every hundred architectures, and scales advantages so that
their sign turns where the last ten were negative.
"""

from collections.abc import Callable, Sequence

import torch
from torch import Tensor

from pgcn.engine.lanes import mixed_seed
from pgcn.methods.graphnas import GraphNASConfig
from pgcn.methods.search.space import GRAPHNAS, Space
from pgcn.methods.search.strategy import Controller, Lesson, MovingAverage, Proposal, drawn, entropy

ROLLOUTS = 64
"""Architectures that the shown preferences are an average over."""


class GraphNASController(Controller):
    """All decisions by one LSTM, a decoder for each kind, the same in every layer."""

    def __init__(self, space: Space, config: GraphNASConfig) -> None:
        super().__init__(space, range(len(space.decisions)), config)

    def walk(self, count: int, choose: Callable[[int, Tensor], Tensor]) -> list[tuple[Tensor, Tensor]]:
        """Decide position by position; return choices [B] and log-probabilities [B, n] of each."""
        inputs = torch.zeros(count, self.cell.input_size)
        state = (torch.zeros(count, self.cell.hidden_size), torch.zeros(count, self.cell.hidden_size))
        walked = []
        for position in range(len(self.space.positions)):
            state = self.cell(inputs, state)
            logits = self.logits(position, state[0])
            choices = choose(position, logits)
            walked.append((choices, torch.log_softmax(logits, dim=1)))
            inputs = self.embed(position, choices)
        return walked

    @torch.no_grad()
    def sample(self, generator: torch.Generator, count: int = 1) -> list[tuple[Tensor, Tensor]]:
        """Draw architectures: choices and log-probabilities by position."""
        return self.walk(count, lambda position, logits: drawn(logits, generator))

    def judge(self, choices: Sequence[int]) -> tuple[Tensor, Tensor]:
        """Return the log-probability and the entropy of every decision of an architecture, [P] each."""
        given = torch.tensor(choices)
        walked = self.walk(1, lambda position, _: given[position : position + 1])
        chosen = torch.stack([row[0, choice[0]] for choice, row in walked])
        return chosen, torch.cat([entropy(row) for _, row in walked])


class GraphNASStrategy:
    """Samples architectures from its controller and teaches it by REINFORCE, one architecture at a time."""

    def __init__(self, config: GraphNASConfig, space: Space = GRAPHNAS) -> None:
        self.config, self.space = config, space
        generator = torch.Generator().manual_seed(mixed_seed(config.seed, "controller"))
        self.controller = GraphNASController(space, config).initialise(generator)
        self._optimizer = torch.optim.Adam(self.controller.parameters(), lr=config.controller_learning_rate)
        self._baseline = MovingAverage(config.baseline_decay)

    def propose(self, number: int, attempt: int) -> Proposal:
        generator = torch.Generator().manual_seed(mixed_seed(self.config.seed, "sample", number, attempt))
        return Proposal(choices=tuple(int(choices[0]) for choices, _ in self.controller.sample(generator)))

    def learn(self, proposal: Proposal, val_accuracy: float, *, best: bool) -> Lesson:
        log_probabilities, entropies = self.controller.judge(proposal.choices)
        rewards = val_accuracy + self.config.entropy_weight * entropies.detach()
        baseline = self._baseline.update(rewards)
        loss = -(log_probabilities * (rewards - baseline)).sum()
        self._optimizer.zero_grad()
        loss.backward()
        self._optimizer.step()
        return Lesson(reward=rewards.mean().item(), baseline=baseline.mean().item())

    def preferences(self) -> tuple[tuple[float, ...], ...]:
        generator = torch.Generator().manual_seed(mixed_seed(self.config.seed, "preferences"))
        walked = self.controller.sample(generator, ROLLOUTS)
        return tuple(tuple(round(p, 4) for p in row.exp().mean(dim=0).tolist()) for _, row in walked)

    def finals(self, ranked: Sequence[tuple[int, ...]], count: int) -> list[tuple[int, ...]]:
        return list(ranked[:count])
