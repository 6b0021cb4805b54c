"""The controllers of Auto-GNN, one for each class of actions, which changes that class of the best architecture.

For every class c an LSTM reads the best architecture without c's actions, then decides c's action in each layer.
The class with the most entropy in its decisions is changed, the others stay: one small step from what works. With
R = (validation accuracy) − (that of the best) and b_c the moving average of R, the gradient is that of
−Σ log π_c(actions) (R − b_c).
"""

from collections.abc import Callable, Sequence

import torch
from torch import Tensor

from pgcn.engine.lanes import mixed_seed
from pgcn.methods.autognn import AutoGNNConfig
from pgcn.methods.search.space import AUTOGNN, Space
from pgcn.methods.search.strategy import (
    Controller,
    Lesson,
    MovingAverage,
    Proposal,
    drawn,
    entropy,
    uniform_choices,
)


class ClassController(Controller):
    """Decides one class of actions, in every layer, given all other choices of an architecture."""

    def __init__(self, space: Space, decision: int, config: AutoGNNConfig) -> None:
        super().__init__(space, [decision], config)
        self.places = space.of_decision(decision)

    def walk(self, choices: Sequence[int], choose: Callable[[int, Tensor], Tensor]) -> list[tuple[Tensor, Tensor]]:
        """Read an architecture without the own class, then decide it; return actions [1] and log-probabilities."""
        size = self.cell.hidden_size
        state = (torch.zeros(1, size), torch.zeros(1, size))
        for position, choice in enumerate(choices):
            if position not in self.places:
                state = self.cell(self.embed(position, torch.tensor([choice])), state)
        walked = []
        for layer, position in enumerate(self.places):
            logits = self.logits(position, state[0])
            action = choose(layer, logits)
            walked.append((action, torch.log_softmax(logits, dim=1)))
            state = self.cell(self.embed(position, action), state)
        return walked

    @torch.no_grad()
    def sample(self, choices: Sequence[int], generator: torch.Generator) -> tuple[list[int], float]:
        """Draw the own class's actions; return them and the entropy of the decisions."""
        walked = self.walk(choices, lambda layer, logits: drawn(logits, generator))
        return [int(action) for action, _ in walked], sum(entropy(row).item() for _, row in walked)

    def judge(self, choices: Sequence[int], actions: Sequence[int]) -> Tensor:
        """Return the log-probability of actions, a number."""
        walked = self.walk(choices, lambda layer, _: torch.tensor([actions[layer]]))
        return torch.stack([row[0, action[0]] for action, row in walked]).sum()


class AutoGNNStrategy:
    """Keeps the best architecture and changes one class of its actions at a time."""

    def __init__(self, config: AutoGNNConfig, space: Space = AUTOGNN) -> None:
        self.config, self.space = config, space
        self.best: tuple[int, ...] | None = None
        self.best_accuracy = 0.0
        count = range(len(space.decisions))
        self.controllers = [
            ClassController(space, c, config).initialise(self._generator("controller", c)) for c in count
        ]
        self._optimizers = [
            torch.optim.Adam(controller.parameters(), lr=config.controller_learning_rate)
            for controller in self.controllers
        ]
        self._baselines = [MovingAverage(config.baseline_decay) for _ in count]

    def _generator(self, *purpose: object) -> torch.Generator:
        return torch.Generator().manual_seed(mixed_seed(self.config.seed, *purpose))

    def propose(self, number: int, attempt: int) -> Proposal:
        """The first architectures are drawn uniformly; later ones are the best with one class changed."""
        generator = self._generator("sample", number, attempt)
        if number <= self.config.initial or self.best is None:
            return Proposal(choices=uniform_choices(self.space, generator))
        sampled = [controller.sample(self.best, generator) for controller in self.controllers]
        entropies = torch.tensor([[amount for _, amount in sampled]])
        guided = entropies.argmax(dim=1) if self.config.guide == "largest" else drawn(entropies, generator)
        changed = int(guided)
        choices = list(self.best)
        for position, action in zip(self.space.of_decision(changed), sampled[changed][0], strict=True):
            choices[position] = action
        return Proposal(choices=tuple(choices), decision=self.space.decisions[changed].name)

    def learn(self, proposal: Proposal, val_accuracy: float, *, best: bool) -> Lesson:
        changed = self.best if proposal.decision else None
        lesson = self._learn(changed, proposal, val_accuracy) if changed else Lesson()
        if best:
            self.best, self.best_accuracy = proposal.choices, val_accuracy
        return lesson

    def _learn(self, parent: tuple[int, ...], proposal: Proposal, val_accuracy: float) -> Lesson:
        changed = [decision.name for decision in self.space.decisions].index(proposal.decision)
        reward = torch.tensor(val_accuracy - self.best_accuracy)
        baseline = self._baselines[changed].update(reward)
        actions = [proposal.choices[position] for position in self.space.of_decision(changed)]
        loss = -self.controllers[changed].judge(parent, actions) * (reward - baseline)
        self._optimizers[changed].zero_grad()
        loss.backward()
        self._optimizers[changed].step()
        return Lesson(reward=reward.item(), baseline=baseline.item())

    @torch.no_grad()
    def preferences(self) -> tuple[tuple[float, ...], ...]:
        """Each class's probabilities given the rest of the best architecture; later layers follow the likeliest."""
        if self.best is None:
            return ()
        rows: dict[int, tuple[float, ...]] = {}
        for controller in self.controllers:
            walked = controller.walk(self.best, lambda layer, logits: logits.argmax(dim=1))
            for position, (_, row) in zip(controller.places, walked, strict=True):
                rows[position] = tuple(round(p, 4) for p in row.exp()[0].tolist())
        return tuple(rows[position] for position in sorted(rows))

    def finals(self, ranked: Sequence[tuple[int, ...]], count: int) -> list[tuple[int, ...]]:
        return list(ranked[:1]) * count
