"""Growing one network, or many side by side: the rules ask, the trainer answers."""

from collections.abc import Generator, Iterator, Mapping, Sequence
from typing import Any

from torch import Tensor

from pgcn.engine.fields import PreparedGraph
from pgcn.engine.model import GraphNet
from pgcn.errors import PgcnError
from pgcn.events import EpochsTrained, Event, RunFinished, RunStarted
from pgcn.generators import WithResult
from pgcn.graph import Graph
from pgcn.methods.network import Network
from pgcn.methods.pgcn import GrowthConfig
from pgcn.methods.pgcn.events import BlockAccepted, BlockJudged, LayerAccepted, LayerRejected
from pgcn.methods.pgcn.initial import architecture_of
from pgcn.methods.pgcn.rule import Candidate, TrainedCandidate, growth_rule
from pgcn.methods.pgcn.trainer import batch_key, train_candidates
from pgcn.methods.run import RunRecord, RunStep, run_started

LANE_BUDGET = 50_000_000
"""How many hidden numbers of the whole graph one batch may hold at a time."""

LARGE_GRAPH = 100_000
"""Nodes above which every epoch is reported, so that a run can be stopped soon."""


def build(description: dict[str, Any], config: dict[str, Any]) -> GraphNet:
    """Return the network of a description, its weights 0."""
    return GraphNet.described(description, config, method="pgcn")


def accepted(graph: Graph, config: GrowthConfig, record: RunRecord) -> Network | None:
    """Return the network a run had accepted when it was interrupted."""
    growth = _Growth(config, graph)
    list(growth.replay(record))
    return growth.network


def steps(
    graph: Graph,
    configs: Sequence[GrowthConfig],
    report_every: int,
    records: Mapping[int, RunRecord] | None = None,
    prepared: PreparedGraph | None = None,
) -> Generator[RunStep]:
    """Yield what happens in every run, with the accepted network where that changed.

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
        for event, network in growth.replay(records[run]) if run in records else growth.advance(None):
            yield run, event, network
    while waiting := {run: growth.candidate for run, growth in enumerate(growths) if growth.candidate}:
        batch = next_batch(waiting, configs, graph.num_nodes)
        candidates = [waiting[run] for run in batch]
        these = [configs[run] for run in batch]
        training = train_candidates(prepared, these, candidates, report_every=report_every)
        outcomes = yield from _reported(training, batch, candidates, these[0].epochs)
        for run, outcome in zip(batch, outcomes, strict=True):
            for event, network in growths[run].advance(outcome):
                yield run, event, network


def _reported(
    training: Generator[tuple[int, Tensor | None], None, list[TrainedCandidate]],
    batch: list[int],
    candidates: list[Candidate],
    epochs: int,
) -> Generator[RunStep, None, list[TrainedCandidate]]:
    """Train to the end and return the outcomes; yield every run's loss at the epochs that report it."""
    reports = WithResult(training)
    for epoch, losses in reports:
        if losses is not None:
            for run, candidate, loss in zip(batch, candidates, losses.tolist(), strict=True):
                place = {"layer": candidate.layer, "block": candidate.block}
                yield run, EpochsTrained(**place, epoch=epoch, epochs=epochs, loss=loss), None
    return reports.result


class _Growth:
    """One rule on its way: the candidate it waits for, and the network that stands."""

    def __init__(self, config: GrowthConfig, graph: Graph) -> None:
        self.config, self.graph = config, graph
        self.rule = growth_rule(config, graph.num_features, graph.num_classes)
        self.candidate: Candidate | None = None
        self.network: Network | None = None
        self._before_layer: Network | None = None
        self._steps = 0

    def advance(self, outcome: TrainedCandidate | None) -> Iterator[tuple[Event, Network | None]]:
        """Answer the candidate; yield the events up to the next one, with the network where that changed."""
        self.candidate = None
        answer = outcome
        while True:
            try:
                event = self.rule.send(answer)
            except StopIteration:
                return
            answer = None
            if isinstance(event, Candidate):
                self.candidate = event
                return
            if isinstance(event, BlockAccepted) and outcome is not None:
                self.network = self._accept(event, outcome)
            elif isinstance(event, LayerAccepted):
                self._before_layer = self.network
            elif isinstance(event, LayerRejected):
                self.network = self._before_layer
            changed = isinstance(event, BlockAccepted | LayerRejected | RunFinished)
            yield event, self.network if changed else None

    def _accept(self, event: BlockAccepted, outcome: TrainedCandidate) -> Network:
        self._steps += 1
        graph = self.graph
        architecture = architecture_of(self.config, graph.num_features, event.topology, graph.num_classes)
        return Network(
            step=self._steps,
            description=architecture.description,
            weights=outcome.weights,
            topology=event.topology,
            parameters=event.parameters,
            scores=event.after,
        )

    def replay(self, record: RunRecord) -> Iterator[tuple[Event, Network | None]]:
        """Answer the candidates from a record; yield only what the rule says beyond it."""
        known = sum(not isinstance(event, RunStarted | EpochsTrained) for event in record.standing)
        for outcome in (None, *recorded_candidates(record)):
            for event, network in self.advance(outcome):
                if known:
                    known -= 1
                else:
                    yield event, network
        for network in filter(None, (self.network, self._before_layer)):
            if network.weights is None:
                raise PgcnError(
                    f"The record lacks the weights of step {network.step}, the network "
                    f"{list(network.topology)}; it cannot be resumed."
                )


def recorded_candidates(record: RunRecord) -> Iterator[TrainedCandidate]:
    """Yield the outcomes that the blocks of a record were judged by; weights that it lacks are None."""
    step = 0
    for event in record.standing:
        if not isinstance(event, BlockJudged):
            continue
        accepted = isinstance(event, BlockAccepted)
        step += accepted
        yield TrainedCandidate(
            weights=record.weights.get(step) if accepted else None,
            solved=event.solved,
            scores=event.after,
            error_solved=event.error_solved,
            error_tuned=event.error_tuned,
            loss=event.loss,
            seconds=event.seconds,
        )


def next_batch(waiting: Mapping[int, Candidate], configs: Sequence[GrowthConfig], num_nodes: int) -> list[int]:
    """Return the runs to train next: those of one shape, the least grown first, so that others can catch up."""
    keys = {run: batch_key(configs[run], candidate) for run, candidate in waiting.items()}
    first = min(waiting, key=lambda run: (waiting[run].layer, waiting[run].widths))
    most = max(1, LANE_BUDGET // (num_nodes * max(waiting[first].widths) * configs[first].starts))
    return [run for run in waiting if keys[run] == keys[first]][:most]
