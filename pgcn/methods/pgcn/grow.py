"""Growing one network, or many side by side: the rules ask, the trainer answers."""

import itertools
from collections.abc import Generator, Iterator, Mapping, Sequence
from typing import Any, Self

from torch import Tensor

from pgcn.engine.fields import PreparedGraph
from pgcn.engine.model import GraphNet
from pgcn.errors import PgcnError
from pgcn.events import DecisionAwaited, EpochsTrained, Event, RunFinished, RunStarted
from pgcn.generators import WithResult
from pgcn.graph import Graph
from pgcn.methods.network import Network
from pgcn.methods.pgcn import GrowthConfig
from pgcn.methods.pgcn.candidate import Answer, Candidate, TrainedCandidate
from pgcn.methods.pgcn.decisions import UNDO
from pgcn.methods.pgcn.events import BlockAccepted, BlockAwaited, BlockJudged, LayerJudged, LayerRejected, Undone
from pgcn.methods.pgcn.initial import architecture_of
from pgcn.methods.pgcn.lineage import lineage
from pgcn.methods.pgcn.rule import growth_rule
from pgcn.methods.pgcn.steer import steered_rule
from pgcn.methods.pgcn.trainer import LARGE_GRAPH, batch_key, train_candidates
from pgcn.methods.run import RunRecord, RunStep
from pgcn.methods.run_events import run_started

LANE_BUDGET = 50_000_000
"""How many hidden numbers of the whole graph one batch may hold at a time."""


def build(description: dict[str, Any], config: dict[str, Any]) -> GraphNet:
    """Return the network of a description, its weights 0."""
    return GraphNet.described(description, config, method="pgcn")


def accepted(graph: Graph, config: GrowthConfig, record: RunRecord) -> Network | None:
    """Return the network a run had accepted when it was interrupted."""
    growth = _Growth.of(record, graph)
    list(growth.replay(record))
    return growth.network


def steps(
    graph: Graph,
    configs: Sequence[GrowthConfig],
    report_every: int,
    records: Mapping[int, RunRecord] | None = None,
    prepared: PreparedGraph | None = None,
) -> Generator[RunStep | None, str | None]:
    """Yield what happens in every run, with the accepted network where that changed.

    Runs in ``records`` go on from what is known of them. ``prepared`` is the graph made ready in another way. Where
    a person decides, None is yielded until a decision is sent.
    """
    records = records or {}
    if graph.num_nodes > LARGE_GRAPH:
        report_every = 1
    for run, config in enumerate(configs):
        if run not in records:
            yield run, run_started(graph, "pgcn", config), None
    prepared = prepared or PreparedGraph(graph, configs[0].device)
    growths = [
        _Growth.of(records[run], graph) if run in records else _Growth(config, graph)
        for run, config in enumerate(configs)
    ]
    for run, growth in enumerate(growths):
        beginning = growth.replay(records[run]) if run in records else growth.advance(None)
        yield from _told(run, growth, beginning)
    while waiting := {run: growth.candidate for run, growth in enumerate(growths) if growth.candidate}:
        batch = next_batch(waiting, configs, graph.num_nodes)
        candidates = [waiting[run] for run in batch]
        these = [configs[run] for run in batch]
        training = train_candidates(prepared, these, candidates, report_every=report_every)
        outcomes = yield from _reported(training, batch, candidates, these[0].epochs)
        for run, outcome in zip(batch, outcomes, strict=True):
            yield from _told(run, growths[run], growths[run].advance(outcome))


def _told(
    run: int, growth: "_Growth", happening: Iterator[tuple[Event, Network | None]]
) -> Generator[RunStep | None, str | None]:
    """Yield what happens up to the next candidate; ask a person on the way where the run is one's."""
    while True:
        for event, network in happening:
            yield run, event, network
        if not growth.asks:
            return
        while (decision := (yield None)) is None:
            pass
        happening = growth.advance(decision)


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


def counts_of(graph: Graph) -> dict[str, int]:
    """Return how many nodes there are that a metric may count."""
    return {"labelled": int(graph.train_mask.sum()), "val": int(graph.val_mask.sum())}


class _Growth:
    """One rule on its way: the candidate or the decision it waits for, and the networks that stand."""

    def __init__(self, config: GrowthConfig, graph: Graph, turns: Sequence[tuple[int, GrowthConfig]] = ()) -> None:
        """``turns`` say after which steps which other settings hold: of a branch."""
        self.config, self.graph, self._turns = config, graph, list(turns)
        self.steered = any(one.decider == "person" for one in (config, *(turned for _, turned in turns)))
        rule = steered_rule if self.steered else growth_rule
        self.rule = rule(config, graph.num_features, graph.num_classes, counts_of(graph))
        self.candidate: Candidate | None = None
        self.asks = False
        self._networks: list[Network] = []
        self._trained: Any = None
        """The weights of the candidate that was trained last, or that is asked about again."""
        self._steps = 0

    @classmethod
    def of(cls, record: RunRecord, graph: Graph) -> Self:
        """Return the rule of a run that is known so far, at its beginning."""
        config, turns = lineage(record.started)
        return cls(
            GrowthConfig.from_dict(config),
            graph,
            [(step, GrowthConfig.from_dict(turned)) for step, turned in turns],
        )

    @property
    def network(self) -> Network | None:
        """The network that stands."""
        return self._networks[-1] if self._networks else None

    def advance(self, answer: Answer) -> Iterator[tuple[Event, Network | None]]:
        """Answer the rule; yield the events up to its next candidate or question, with a network that changed."""
        self.candidate, self.asks = None, False
        if isinstance(answer, TrainedCandidate):
            self._trained = answer.weights
        while True:
            try:
                event = self.rule.send(answer)
            except StopIteration:
                return
            answer = None
            if isinstance(event, Candidate):
                self.candidate = event
                return
            if isinstance(event, BlockAccepted):
                self._accept(event)
                if self._turns and self._turns[0][0] == self._steps:
                    _, self.config = self._turns.pop(0)
                    answer = self.config
            elif isinstance(event, LayerRejected):
                self._networks = [one for one in self._networks if len(one.topology) < event.layer]
            elif isinstance(event, Undone):
                self._trained = self._networks.pop().weights
            changed = isinstance(event, BlockAccepted | LayerRejected | Undone | RunFinished)
            self.asks = isinstance(event, DecisionAwaited)
            yield event, self.network if changed else None
            if self.asks:
                return

    def _accept(self, event: BlockAccepted) -> None:
        self._steps += 1
        graph = self.graph
        architecture = architecture_of(self.config, graph.num_features, event.topology, graph.num_classes)
        network = Network(
            step=self._steps,
            description=architecture.description,
            weights=self._trained,
            topology=event.topology,
            parameters=event.parameters,
            scores=event.after,
        )
        if not self.steered:  # no way leads back to another block, only to the layer before
            self._networks = [one for one in self._networks if len(one.topology) < len(event.topology)][-1:]
        self._networks.append(network)

    def replay(self, record: RunRecord) -> Iterator[tuple[Event, Network | None]]:
        """Answer the rule from a record; yield only what it says beyond it."""
        known = sum(not isinstance(event, RunStarted | EpochsTrained) for event in record.standing)
        candidates, decisions = recorded_candidates(record), recorded_decisions(record)
        answer: Answer = None
        while True:
            for event, network in self.advance(answer):
                if known:
                    known -= 1
                else:
                    yield event, network
            answer = next(decisions, None) if self.asks else next(candidates, None) if self.candidate else None
            if answer is None:
                break
        for network in self._networks:
            if network.weights is None:
                raise PgcnError(
                    f"The record lacks the weights of step {network.step}, the network "
                    f"{list(network.topology)}; it cannot be resumed."
                )


def recorded_candidates(record: RunRecord) -> Iterator[TrainedCandidate]:
    """Yield the outcomes that the blocks of a record were judged by; weights that it lacks are None."""
    step, told = 0, [event for event in record.standing if not isinstance(event, EpochsTrained)]
    for event, before, after in zip(told, [None, *told], [*told[1:], None], strict=False):
        step += isinstance(event, BlockAccepted)
        if isinstance(event, BlockJudged) and not isinstance(before, BlockAwaited):
            accepted = step if isinstance(event, BlockAccepted) else None
        elif isinstance(event, BlockAwaited) and not isinstance(before, Undone):
            accepted = step + 1 if isinstance(after, BlockAccepted) else None
        else:
            continue
        yield TrainedCandidate(
            weights=record.weights.get(accepted) if accepted else None,
            solved=event.solved,
            scores=event.after,
            error_solved=event.error_solved,
            error_tuned=event.error_tuned,
            loss=event.loss,
            seconds=event.seconds,
        )


def recorded_decisions(record: RunRecord) -> Iterator[str]:
    """Yield what a person decided in a record."""
    told = [event for event in record.standing if not isinstance(event, EpochsTrained)]
    for asked, event in itertools.pairwise(told):
        if isinstance(asked, DecisionAwaited):
            yield event.decision if isinstance(event, BlockJudged | LayerJudged) else UNDO


def next_batch(waiting: Mapping[int, Candidate], configs: Sequence[GrowthConfig], num_nodes: int) -> list[int]:
    """Return the runs to train next: those of one shape, the least grown first, so that others can catch up."""
    keys = {run: batch_key(configs[run], candidate) for run, candidate in waiting.items()}
    first = min(waiting, key=lambda run: (waiting[run].layer, waiting[run].widths))
    most = max(1, LANE_BUDGET // (num_nodes * max(waiting[first].widths) * configs[first].starts))
    return [run for run in waiting if keys[run] == keys[first]][:most]
