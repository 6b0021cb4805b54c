"""Training contenders for an advice: on each half of the validation nodes, measured on the other. Imports torch."""

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch
from torch import nn

from pgcn.data.splits import proportional_order
from pgcn.engine.sparse import to_csr
from pgcn.engine.stopwatch import Stopwatch
from pgcn.execution.start import start
from pgcn.graph import Graph
from pgcn.methods.run import Runs
from pgcn.studies.advice.evidence import Tried
from pgcn.studies.advice.plan import Contender, together

HALVES = (0, 1)
REPORT_EVERY = 10


@dataclass(frozen=True, kw_only=True, eq=False)
class Ended:
    """One run: which measuring nodes it is right about [n], its accuracy on the deciding nodes, its size."""

    right: np.ndarray
    deciding: float
    parameters: int
    finished: bool


def without_test(graph: Graph) -> Graph:
    """Return the graph without the classes of the nodes that are neither for training nor for validation."""
    seen = graph.train_mask | graph.val_mask
    return replace(graph, y=torch.where(seen, graph.y, torch.full_like(graph.y, -1)))


def halves_of(graph: Graph) -> list[Graph]:
    """Return the graph twice: one half of the validation nodes validates, the other stands where test nodes do.

    Each half holds the classes in proportion. Always the same halves: they are part of the question.
    """
    nodes = np.flatnonzero(graph.val_mask.numpy())
    order = nodes[proportional_order(graph.y.numpy()[nodes], np.random.default_rng(0))]
    masks = []
    for half in (order[::2], order[1::2]):
        mask = torch.zeros(graph.num_nodes, dtype=torch.bool)
        mask[torch.from_numpy(half)] = True
        masks.append(mask)
    hidden = without_test(graph)
    return [
        hidden.with_masks(graph.train_mask, masks[half], masks[1 - half], split=f"{graph.split}, half {half + 1}")
        for half in HALVES
    ]


class Probe:
    """The runs of all contenders on both halves, as far as they have come."""

    def __init__(self, graph: Graph, contenders: Sequence[Contender], *, reproducible: bool | None = None) -> None:
        self.contenders = {contender.name: contender for contender in contenders}
        self.graphs = halves_of(graph)
        self.features = to_csr(graph.features, torch.device("cpu"))
        self.reproducible = reproducible
        self.clock = Stopwatch()
        self.ended: dict[tuple[str, int, int], Ended] = {}
        """By contender, half and seed."""
        self.failed = 0

    def train(self, name: str, half: int, seeds: Sequence[int], until: float) -> Generator[None, None, bool]:
        """Train a contender on one half, at most until the clock says so; return whether all runs ended in time."""
        at_once = together(self.graphs[half].num_nodes, len(seeds))
        for first in range(0, len(seeds), at_once):
            some = seeds[first : first + at_once]
            if not (yield from self._train(self.contenders[name], half, some, until)):
                return False
        return True

    def _train(
        self, contender: Contender, half: int, seeds: Sequence[int], until: float
    ) -> Generator[None, None, bool]:
        configs = [contender.config.change(seed=seed) for seed in seeds]
        graph = self.graphs[half]
        runs = start(contender.method, graph, configs, report_every=REPORT_EVERY, reproducible=self.reproducible)
        in_time = True
        try:
            while in_time:
                try:
                    runs.poll()
                except StopIteration:
                    break
                self.clock.pause()
                yield
                self.clock.resume()
                in_time = self.clock.seconds < until
        finally:
            runs.cancel("Time ran out.")
        for run, seed in enumerate(seeds):
            self._note(contender.name, half, seed, runs, run, in_time)
        return in_time

    def _note(self, name: str, half: int, seed: int, runs: Runs, run: int, in_time: bool) -> None:
        """Measure the network that a run came to."""
        model = runs.model(run)
        ended = None if model is None else runs.result(run)
        if model is None or ended is None or ended.scores is None or not ended.scores.finite:
            self.failed += in_time
            return
        self.ended[name, half, seed] = Ended(
            right=self.right(model, self.graphs[half]),
            deciding=ended.scores.val_accuracy,
            parameters=ended.parameters,
            finished=ended.finished.status == "finished",
        )

    @torch.no_grad()
    def right(self, model: nn.Module, graph: Graph) -> np.ndarray:
        """Return which of the measuring nodes a network is right about, bool [n]."""
        nodes = graph.test_mask
        logits = model(self.features, graph.edge_index, graph.edge_weight)
        return (logits[nodes].argmax(dim=1) == graph.y[nodes]).numpy()

    def seeds(self, name: str, half: int) -> list[int]:
        """Return the seeds of a contender's runs on a half."""
        return [seed for other, where, seed in self.ended if (other, where) == (name, half)]

    def finished(self, name: str, half: int) -> bool:
        """Return whether all runs of a contender on a half came to their own end."""
        return all(self.ended[name, half, seed].finished for seed in self.seeds(name, half))

    def favoured(self, names: Sequence[str], half: int, halves: Sequence[int]) -> str:
        """Return the contender that a half's deciding nodes favour, by networks that they did not drive.

        Those are the runs of the other half; by its own it would be the one that is fitted most to these nodes.
        Where the other half has no runs nothing else is known.
        """
        apart = 1 - half in halves
        ended = [name for name in names if all(self.finished(name, one) for one in halves)] or names

        def merit(name: str) -> tuple[float, float]:
            one = self.tried({1 - half if apart else half: name})
            assert one is not None, "what is compared has runs"
            return (one.accuracy if apart else one.deciding), -one.parameters

        return max(ended, key=merit)

    def so_far(self) -> str:
        """Return what was measured up to now, for people."""
        both = {name: self.tried(dict.fromkeys(HALVES, name)) for name in self.contenders}
        known = [f"{name} {100 * one.accuracy:.1f} %" for name, one in both.items() if one is not None]
        return f" So far: {', '.join(known)}." if known else ""

    def tried(self, names: Mapping[int, str]) -> Tried | None:
        """Return what runs did on some halves, by half the contender; None where one has no run that counts."""
        by_half = [set(self.seeds(name, half)) for half, name in names.items()]
        seeds = sorted(set.intersection(*by_half)) if by_half else []
        if not seeds:
            return None
        runs = [[self.ended[name, half, seed] for half, name in names.items()] for seed in seeds]
        flat = [ended for ends in runs for ended in ends]
        return Tried(
            right=np.stack([np.concatenate([ended.right for ended in ends]) for ends in runs]),
            deciding=float(np.mean([ended.deciding for ended in flat])),
            parameters=float(np.mean([ended.parameters for ended in flat])),
            finished=all(ended.finished for ended in flat),
        )
