"""Random search: architectures drawn uniformly from the same space, trained and reported like GraphNAS's."""

from collections.abc import Sequence

import torch

from pgcn.engine.lanes import mixed_seed
from pgcn.methods.random import RandomConfig
from pgcn.methods.search.space import SPACES
from pgcn.methods.search.strategy import Lesson, Proposal, uniform_choices
from pgcn.methods.search.trainer import SearchTrainer


class RandomStrategy:
    """Draws every choice uniformly and learns nothing."""

    def __init__(self, config: RandomConfig) -> None:
        self.config, self.space = config, SPACES[config.space]

    def propose(self, number: int, attempt: int) -> Proposal:
        generator = torch.Generator().manual_seed(mixed_seed(self.config.seed, "sample", number, attempt))
        return Proposal(choices=uniform_choices(self.space, generator))

    def learn(self, proposal: Proposal, val_accuracy: float, *, best: bool) -> Lesson:
        return Lesson()

    def preferences(self) -> tuple[tuple[float, ...], ...]:
        return ()

    def finals(self, ranked: Sequence[tuple[int, ...]], count: int) -> list[tuple[int, ...]]:
        return list(ranked[:count])


_trainer = SearchTrainer("random", RandomStrategy)
build, accepted, steps = _trainer.build, _trainer.accepted, _trainer.steps
