"""Growing one network, or many side by side: the rules ask, the trainer answers."""

from collections.abc import Generator, Iterator, Mapping, Sequence

from pgcn.engine.architecture import Architecture
from pgcn.engine.fields import PreparedGraph
from pgcn.engine.lanes import Weights
from pgcn.events import (
    BlockAccepted,
    BlockJudged,
    EpochsTrained,
    LayerAccepted,
    LayerRejected,
    RunFinished,
    RunStarted,
)
from pgcn.graph import Graph
from pgcn.methods.pgcn import GrowthConfig
from pgcn.methods.pgcn.rule import Candidate, Outcome, growth_rule
from pgcn.methods.pgcn.trainer import architecture_of, batch_key, train_candidates
from pgcn.methods.run import RunRecord, Step, run_started

LANE_BUDGET = 50_000_000
"""How many hidden numbers of the whole graph one batch may hold at a time."""

LARGE_GRAPH = 100_000
"""Nodes above which every epoch is reported, so that a run can be stopped soon."""


def architecture(config: GrowthConfig, graph: Graph, topology: tuple[int, ...]) -> Architecture:
    """Return the network a run has at a topology."""
    return architecture_of(config, graph.num_features, topology, graph.num_classes)


def steps(
    graph: Graph,
    configs: Sequence[GrowthConfig],
    report_every: int,
    records: Mapping[int, RunRecord] | None = None,
    prepared: PreparedGraph | None = None,
) -> Generator[Step]:
    """Yield what happens in every run, with the accepted weights where these changed.

    Runs in ``records`` go on from what is known of them. ``prepared`` is the graph made ready in another way.
    """
    records = records or {}
    if graph.num_nodes > LARGE_GRAPH:
        report_every = 1
    for run, config in enumerate(configs):
        if run not in records:
            yield run, run_started(graph, "pgcn", config), None
    prepared = prepared or PreparedGraph(graph, configs[0].device)
    growths = [_Growth(config, graph) for config in configs]
    for run, growth in enumerate(growths):
        for event, weights in growth.replay(records[run]) if run in records else growth.advance(None):
            yield run, event, weights
    while waiting := [run for run, growth in enumerate(growths) if growth.candidate]:
        batch = next_batch(waiting, configs, [growth.candidate for growth in growths], graph.num_nodes)
        candidates = [growths[run].candidate for run in batch]
        these = [configs[run] for run in batch]
        training = train_candidates(prepared, these, candidates, report_every=report_every)
        outcomes = yield from _reported(training, batch, candidates, these[0].epochs)
        for run, outcome in zip(batch, outcomes, strict=True):
            for event, weights in growths[run].advance(outcome):
                yield run, event, weights


def _reported(
    training: Generator, batch: list[int], candidates: list[Candidate], epochs: int
) -> Generator[Step, None, list[Outcome]]:
    """Train to the end and return the outcomes; yield every run's loss where it is told."""
    while True:
        try:
            epoch, losses = next(training)
        except StopIteration as end:
            return end.value
        if losses is not None:
            for run, candidate, loss in zip(batch, candidates, losses.tolist(), strict=True):
                place = {"layer": candidate.layer, "block": candidate.block}
                yield run, EpochsTrained(**place, epoch=epoch, epochs=epochs, loss=loss), None


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

    def replay(self, record: RunRecord) -> Iterator[tuple]:
        """Answer the candidates from a record; yield only what the rule says beyond it."""
        outcomes = [outcome_of(event, record) for event in record.kept if isinstance(event, BlockJudged)]
        known = sum(not isinstance(event, RunStarted | EpochsTrained) for event in record.kept)
        for outcome in (None, *outcomes):
            for event, weights in self.advance(outcome):
                if known:
                    known -= 1
                else:
                    yield event, weights


def outcome_of(event: BlockJudged, record: RunRecord) -> Outcome:
    """Return the outcome that a block was judged by."""
    return Outcome(
        weights=record.weights.get(event.topology) if isinstance(event, BlockAccepted) else None,
        solved=event.solved,
        scores=event.after,
        error_solved=event.error_solved,
        error_tuned=event.error_tuned,
        loss=event.loss,
        seconds=event.seconds,
    )


def next_batch(
    waiting: Sequence[int], configs: Sequence[GrowthConfig], candidates: Sequence[Candidate], num_nodes: int
) -> list[int]:
    """Return the runs to train next: those of one shape, the least grown first, so that others can catch up."""
    keys = {run: batch_key(configs[run], candidates[run]) for run in waiting}
    first = min(waiting, key=lambda run: (candidates[run].layer, candidates[run].widths))
    most = max(1, LANE_BUDGET // (num_nodes * max(candidates[first].widths)))
    return [run for run in waiting if keys[run] == keys[first]][:most]
