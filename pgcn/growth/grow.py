"""Growing one network, or many side by side: the rules ask, the trainer answers."""

from collections.abc import Iterator, Sequence

from pgcn.config import GrowthConfig, growth_preset
from pgcn.engine.fields import PreparedGraph
from pgcn.engine.lanes import Weights
from pgcn.errors import ConfigError
from pgcn.events import BlockAccepted, EpochsTrained, LayerAccepted, LayerRejected, RunFinished
from pgcn.graph import Graph
from pgcn.growth.rule import Candidate, Outcome, growth_rule
from pgcn.growth.trainer import architecture_of, batch_key, train_candidates
from pgcn.processes import in_processes
from pgcn.runs import Run, Runs, Step, run_started

LANE_BUDGET = 50_000_000
"""How many hidden numbers of the whole graph one batch may hold at a time."""

LARGE_GRAPH = 100_000
"""Nodes above which every epoch is reported, so that a run can be stopped soon."""


def grow(graph: Graph, config: GrowthConfig | None = None, *, report_every: int = 10) -> Run:
    """Grow a network on the labelled nodes of a graph; the default config is the preset ``reproduction``.

    >>> run = grow(graph)
    >>> for event in run: print(event)
    >>> run.result.model.predict(graph.x, graph.edge_index)
    """
    return Run(grow_many(graph, [config or growth_preset()], report_every=report_every))


def grow_many(graph: Graph, configs: Sequence[GrowthConfig], *, report_every: int = 10, workers: int = 1) -> Runs:
    """Grow many networks on one graph; those whose next block has the same shape are trained together.

    Configs may differ in anything; runs share a batch as long as they differ only in seed, dropout, lambda,
    learning rate and weight decay. Every run is the same as if it were grown alone. With ``workers`` above 1 the
    runs are divided among so many processes; a script that asks for it needs the usual
    ``if __name__ == "__main__":``.
    """
    if not configs:
        raise ConfigError("grow_many needs at least one config, got none.")
    if len({config.device for config in configs}) > 1:
        raise ConfigError("All configs of grow_many must name the same device.")

    def architecture(config: GrowthConfig, topology: tuple[int, ...]):
        return architecture_of(config, graph.num_features, topology, graph.num_classes)

    if graph.num_nodes > LARGE_GRAPH:
        report_every = 1
    steps = in_processes(_drive, graph, configs, report_every, min(workers, len(configs)))
    return Runs(configs, steps, architecture)


def _drive(graph: Graph, configs: Sequence[GrowthConfig], report_every: int) -> Iterator[Step]:
    for run, config in enumerate(configs):
        yield run, run_started(graph, "pgcn", config), None
    prepared = PreparedGraph(graph, configs[0].device)
    growths = [_Growth(config, graph) for config in configs]
    for run, growth in enumerate(growths):
        for event, weights in growth.advance(None):
            yield run, event, weights
    while waiting := [run for run, growth in enumerate(growths) if growth.candidate]:
        batch = next_batch(waiting, configs, [growth.candidate for growth in growths], graph.num_nodes)
        candidates = [growths[run].candidate for run in batch]
        training = train_candidates(prepared, [configs[run] for run in batch], candidates)
        outcomes: list[Outcome] = []
        while not outcomes:
            try:
                epoch, losses = next(training)
            except StopIteration as done:
                outcomes = done.value
                break
            epochs = configs[batch[0]].epochs
            if epoch % report_every == 0 or epoch == epochs:
                for run, candidate, loss in zip(batch, candidates, losses.tolist(), strict=True):
                    trained = EpochsTrained(
                        layer=candidate.layer, block=candidate.block, epoch=epoch, epochs=epochs, loss=loss
                    )
                    yield run, trained, None
        for run, outcome in zip(batch, outcomes, strict=True):
            for event, weights in growths[run].advance(outcome):
                yield run, event, weights


class _Growth:
    """One rule on its way: the candidate it waits for, and which weights stand."""

    def __init__(self, config: GrowthConfig, graph: Graph) -> None:
        self.rule = growth_rule(config, graph.num_features, graph.num_classes)
        self.candidate: Candidate | None = None
        self.weights: Weights | None = None
        self.weights_before_layer: Weights | None = None

    def advance(self, outcome: Outcome | None) -> Iterator[tuple]:
        """Answer the candidate; yield the events up to the next one, with the weights where these changed."""
        self.candidate = None
        answer = outcome
        while True:
            try:
                said = self.rule.send(answer)
            except StopIteration:
                return
            answer = None
            if isinstance(said, Candidate):
                self.candidate = said
                return
            if isinstance(said, BlockAccepted):
                self.weights = outcome.weights
            elif isinstance(said, LayerAccepted):
                self.weights_before_layer = self.weights
            elif isinstance(said, LayerRejected):
                self.weights = self.weights_before_layer
            changed = isinstance(said, BlockAccepted | LayerRejected | RunFinished)
            yield said, self.weights if changed else None


def next_batch(
    waiting: Sequence[int], configs: Sequence[GrowthConfig], candidates: Sequence[Candidate], num_nodes: int
) -> list[int]:
    """Return the runs to train next: those of one shape, the least grown first, so that others can catch up."""
    keys = {run: batch_key(configs[run], candidates[run]) for run in waiting}
    first = min(waiting, key=lambda run: (candidates[run].layer, candidates[run].widths))
    most = max(1, LANE_BUDGET // (num_nodes * max(candidates[first].widths)))
    return [run for run in waiting if keys[run] == keys[first]][:most]
