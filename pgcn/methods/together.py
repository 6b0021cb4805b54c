"""Runs that take their steps together, each the same as alone, to the last bit.

What could not be written so that this must hold is checked: in the first epoch, and whenever the number of runs has
changed, the first and the last run also take the step alone. Where they differ in any bit, this CPU uses other
kernels for more runs, and every run goes on alone: slower, never different.
"""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor

from pgcn.engine.lanes import Weights
from pgcn.engine.threads import on_threads
from pgcn.engine.training import same_bits
from pgcn.methods.stacked import Stacked

if TYPE_CHECKING:
    from pgcn.methods.fitting import Fitting


class Measured(NamedTuple):
    """An epoch of one run: the loss before its step, and of the validation nodes after it loss and accuracy."""

    loss: float
    val_loss: float
    val_accuracy: float


class Lanes:
    """Runs that take their steps together; ``runs`` says which."""

    def __init__(
        self,
        fitting: "Fitting",
        val_classes: Tensor,
        runs: Sequence[int],
        parameters: Stacked,
        generators: Sequence[torch.Generator],
    ) -> None:
        self.fitting, self.val_classes, self.runs = fitting, val_classes, list(runs)
        self.parameters, self.generators = parameters, generators
        self.dropout = fitting.dropout(generators)
        self.checked = len(self.runs) == 1

    @classmethod
    def start(cls, fitting: "Fitting", val_classes: Tensor) -> "Lanes":
        """Return all runs at their beginning."""
        starts = [dict(model.named_parameters()) for model in fitting.models]
        parameters = Stacked(starts, rate=fitting.learning_rate, decay=fitting.decay)
        return cls(fitting, val_classes, range(len(starts)), parameters, fitting.generators)

    def only(self, lanes: Sequence[int]) -> "Lanes":
        """Return copies of some of the runs, which go on from here by themselves."""
        generators = [torch.Generator() for _ in lanes]
        for generator, lane in zip(generators, lanes, strict=True):
            generator.set_state(self.generators[lane].get_state())
        runs, parameters = [self.runs[lane] for lane in lanes], self.parameters.only(lanes)
        return Lanes(self.fitting, self.val_classes, runs, parameters, generators)

    def epoch(self) -> list[Measured]:
        """Take one step and measure the validation nodes."""
        # One thread: the steps are small, and sums on several depend on how many there are.
        with on_threads(1):
            weights = self.parameters.named
            losses = self.fitting.losses(weights, self.dropout)
            self.parameters.step(losses.sum())
            return [Measured(*values) for values in zip(losses.tolist(), *self.measure(weights), strict=True)]

    @torch.no_grad()
    def measure(self, weights: Weights) -> tuple[list[float], list[float]]:
        """Return each run's loss and accuracy on the validation nodes."""
        outputs, y = self.fitting.val_outputs(weights), self.val_classes
        losses = lane_losses(outputs, y)
        if self.fitting.penalty is not None:
            lanes = [{name: part[lane] for name, part in weights.items()} for lane in range(len(losses))]
            losses = losses + torch.stack([self.fitting.penalty(lane) for lane in lanes])
        right = (outputs.argmax(dim=2) == y).sum(dim=1)
        return losses.tolist(), (right.double() / len(y)).tolist()


def lane_losses(outputs: Tensor, y: Tensor) -> Tensor:
    """Return each run's mean cross-entropy, [S, n, C] and classes [n] -> [S]; run by run, as if each were alone."""
    return torch.stack([F.cross_entropy(lane, y) for lane in outputs.unbind()])


def reuse_freed_memory() -> None:
    """Let the process keep up to 64 MB of what it frees, instead of returning it and asking for it again.

    An epoch makes and frees a few megabytes. glibc gives the end of its heap back when more than twice the largest
    block freed so far is free there, and pages asked for again are filled with zeros: a third of an epoch of GAT
    on Cora. A block of nearly 32 MB, the largest that it learns from, raises that limit; it is never written to.
    """
    torch.empty(2**25 - 2**16, dtype=torch.uint8)


class Together:
    """All runs of a fitting that have not ended, in batches: one for each thread, where there are several.

    A single run stays on one thread, because its steps are too small to be divided. Batches do not wait for each
    other but at the end of an epoch, and what a run computes does not depend on the batch it is in.
    """

    def __init__(self, fitting: "Fitting", val_classes: Tensor) -> None:
        reuse_freed_memory()
        self.threads = torch.get_num_threads()
        self.pool = ThreadPoolExecutor(self.threads)  # its threads begin when they are needed
        self.parts = self._spread([Lanes.start(fitting, val_classes)])

    def _spread(self, parts: list[Lanes]) -> list[Lanes]:
        """Return the batches, the largest halved until every thread has one."""
        while len(parts) < self.threads and (most := max(len(part.runs) for part in parts)) > 1:
            split = next(part for part in parts if len(part.runs) == most)
            halves = (range(most // 2), range(most // 2, most))
            parts = [part for part in parts if part is not split] + [split.only(half) for half in halves]
        return parts

    def epoch(self) -> dict[int, Measured]:
        """Take one step with every run and return what was measured, by run."""
        if len(self.parts) == 1 or self.threads == 1:
            taken = [checked_epoch(part) for part in self.parts]
        else:
            taken = list(self.pool.map(checked_epoch, self.parts))
        self.parts = [part for parts, _ in taken for part in parts]
        runs = (run for part in self.parts for run in part.runs)
        found = dict(zip(runs, (values for _, measured in taken for values in measured), strict=True))
        return {run: found[run] for run in sorted(found)}

    def weights(self, run: int) -> Weights:
        """Return a copy of a run's weights."""
        [part] = (part for part in self.parts if run in part.runs)
        return part.parameters.weights(part.runs.index(run))

    def without(self, ended: Sequence[int]) -> bool:
        """Let some runs leave; return whether any is left."""
        left = []
        for part in self.parts:
            stay = [lane for lane, run in enumerate(part.runs) if run not in ended]
            if stay:
                left.append(part if len(stay) == len(part.runs) else part.only(stay))
        self.parts = self._spread(left) if left else []
        return bool(left)


def checked_epoch(lanes: Lanes) -> tuple[list[Lanes], list[Measured]]:
    """Take one step; return what goes on together, and what was measured.

    The first time, the first and the last run take it alone too.
    """
    if lanes.checked:
        return [lanes], lanes.epoch()
    lanes.checked = True
    start = lanes.only(range(len(lanes.runs)))
    ends = {lane: lanes.only([lane]) for lane in (0, len(lanes.runs) - 1)}
    measured = lanes.epoch()
    if all(
        same_numbers(alone.epoch()[0], measured[lane])
        and same_bits(alone.parameters.everything(0), lanes.parameters.everything(lane))
        for lane, alone in ends.items()
    ):
        return [lanes], measured
    separate = [start.only([lane]) for lane in range(len(start.runs))]
    return separate, [alone.epoch()[0] for alone in separate]


def same_numbers(one: Measured, other: Measured) -> bool:
    """Return whether two runs were measured alike, NaNs included."""
    return all(a == b or (a != a and b != b) for a, b in zip(one, other, strict=True))
