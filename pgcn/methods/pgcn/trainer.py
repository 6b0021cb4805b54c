"""Turns candidates into outcomes: initialise, solve the readout, fine-tune, measure; many candidates at once."""

import math
from collections.abc import Generator, Iterator, Sequence
from typing import NamedTuple

import torch
from torch import Tensor

from pgcn.engine.fields import Field, PreparedGraph
from pgcn.engine.lanes import LaneParameters, Weights, mixed_seed
from pgcn.engine.losses import Objective, score
from pgcn.engine.networks import LaneNetworks, LaneSettings
from pgcn.engine.pagerank import PageRank
from pgcn.engine.stopwatch import Stopwatch
from pgcn.engine.threads import on_threads, threads_for
from pgcn.engine.training import LanePass, evaluated, fine_tune, measured_outputs
from pgcn.events import Scores
from pgcn.methods.pgcn import LANE_SETTINGS, GrowthConfig
from pgcn.methods.pgcn.best import VALIDATE_EVERY, BestEpoch, best_start
from pgcn.methods.pgcn.candidate import Candidate, TrainedCandidate
from pgcn.methods.pgcn.initial import architecture_of, initial_weights
from pgcn.methods.pgcn.readout import regression_error, solve_readout

LARGE_GRAPH = 100_000
"""Nodes above which every epoch is reported, so that a run can be stopped soon, and the whole graph is computed
once a candidate only.
"""
_LANE_DEFAULTS = {name: getattr(GrowthConfig(), name) for name in LANE_SETTINGS}


def batch_key(config: GrowthConfig, candidate: Candidate) -> tuple[tuple[int, ...], int, bool, GrowthConfig]:
    """Return what two candidates must have in common to be trained in one batch."""
    shared = config.change(**_LANE_DEFAULTS)
    return candidate.widths, candidate.layer, config.input_dropout > 0, shared


def train_candidates(
    prepared: PreparedGraph,
    configs: Sequence[GrowthConfig],
    candidates: Sequence[Candidate],
    *,
    report_every: int = 1,
) -> Generator[tuple[int, Tensor | None], None, list[TrainedCandidate]]:
    """Train candidates of one :func:`batch_key` as lanes; yield (epoch, losses [K]); return their outcomes.

    The losses are given every ``report_every`` epochs and at the last one, and are None otherwise.
    """
    clock = Stopwatch()
    starts = configs[0].starts
    batch = _Batch(prepared, configs, candidates)
    solved = batch.solve_readouts()
    last_losses = torch.full((batch.networks.num_lanes,), math.nan)
    for epoch, losses in batch.fine_tune(report_every):
        clock.pause()
        yield epoch, losses if losses is None else losses[::starts]
        clock.resume()
        last_losses = last_losses if losses is None else losses
    tuned = batch.measure_tuned()
    chosen = [
        first + best_start([one.scores for one in tuned[first : first + starts]], configs[0].metric)
        for first in range(0, len(tuned), starts)
    ]
    return [
        TrainedCandidate(
            weights=batch.parameters.lane(lane),
            solved=solved[lane].scores,
            scores=tuned[lane].scores,
            error_solved=solved[lane].error,
            error_tuned=tuned[lane].error,
            loss=last_losses[lane].item(),
            seconds=clock.seconds / len(configs),
        )
        for lane in chosen
    ]


class _Measured(NamedTuple):
    """How well a network does, and the appendix's E (:func:`regression_error`)."""

    scores: Scores
    error: float


class _Batch:
    """Candidates of one :func:`batch_key` as lanes, from their initial weights (Eq. 13) to what is measured."""

    def __init__(
        self, prepared: PreparedGraph, configs: Sequence[GrowthConfig], candidates: Sequence[Candidate]
    ) -> None:
        self.config = configs[0]  # of the settings that all lanes share
        every = [(number, start) for number in range(len(configs)) for start in range(self.config.starts)]
        configs = [configs[number] for number, _ in every]
        candidates = [candidates[number] for number, _ in every]
        self.prepared, self.configs, self.candidates = prepared, configs, candidates
        graph, device = prepared.graph, prepared.device
        architecture = architecture_of(self.config, graph.num_features, candidates[0].widths, graph.num_classes)
        # A step has its own generator, so it can be repeated or resumed without the steps before it.
        generators = [
            torch.Generator().manual_seed(
                mixed_seed(config.seed, candidate.layer, candidate.block, *([start] if start else []))
            )
            for (_, start), config, candidate in zip(every, configs, candidates, strict=True)
        ]
        starts = [
            initial_weights(config, architecture, candidate, generator)
            for config, candidate, generator in zip(configs, candidates, generators, strict=True)
        ]
        drops_input = any(config.input_dropout for config in configs)
        raw = self.config.input_dropout_on == "features" if drops_input else None
        ranked = self.config.readout == "pagerank"
        pagerank = PageRank(self.config.teleport, self.config.pagerank_entries) if ranked else None
        self.field = prepared.field("labelled", architecture.hops, raw=raw, pagerank=pagerank)
        self._pagerank = pagerank
        self.whole = prepared.whole(architecture.hops, teleport=self.config.teleport if ranked else None)
        self.labelled, self.targets = prepared.nodes["labelled"], prepared.target_vectors("labelled")
        self.parameters = LaneParameters(architecture, starts, device, padded=self.field.tall)
        settings = LaneSettings.of(configs, device)
        self.networks = LaneNetworks(architecture, settings, generators, self.config.dropout_scope)

    def solve_readouts(self) -> list[_Measured]:
        """Solve every lane's readout in closed form and write it into the weights; measure the networks."""
        with threads_for(self.networks.work(self.whole)), torch.no_grad():
            hidden = self._hidden(dropout=self.config.solve_dropout)
            self._write_readouts(self._regressors(hidden))
            if self.config.solve_dropout:
                hidden = self._hidden(dropout=False)
            return self._measured(self._outputs(hidden))

    def fine_tune(self, report_every: int) -> Iterator[tuple[int, Tensor | None]]:
        """Train all weights on the labelled nodes; yield (epoch, losses [K])."""
        objective = Objective(
            loss=self.config.loss,
            mse_objective=self.config.mse_objective,
            ridge=self.config.ridge,
            weight_decay_scope=self.config.weight_decay_scope,
        )
        y, epochs = self.prepared.y[self.labelled], self.config.epochs
        training = fine_tune(
            self.networks, self.parameters, objective, self.field, y, epochs, report_every=report_every
        )
        if self.config.keep_epoch == "last":
            yield from training
            return
        best = BestEpoch(self.networks, self.prepared, self._looked_at, self.config.loss)
        for epoch, losses in training:
            if epoch % VALIDATE_EVERY == 0 or epoch == epochs:
                best.look(self.parameters)
            yield epoch, losses
        self.parameters = best.put_back(self.parameters)

    @property
    def _looked_at(self) -> Field:
        """What is computed to find the best epoch: on a large graph the validation nodes' field only."""
        if self.prepared.graph.num_nodes <= LARGE_GRAPH:
            return self.whole
        return self.prepared.field("val", self.networks.architecture.hops, pagerank=self._pagerank)

    def measure_tuned(self) -> list[_Measured]:
        """Measure the networks with the weights they have now, without dropout."""
        return self._measured(measured_outputs(self.networks, self.parameters, self.whole))

    @property
    def _readouts(self) -> Tensor:
        """Every lane's O, a view of the weights: [K, w, C]."""
        return self.parameters.named(self.parameters.flat)["output.weight"]

    def _on_whole_graph(self, name: str, compute: LanePass, *inputs: Tensor) -> Tensor:
        return evaluated(self.networks, self.parameters, self.whole, name, compute, *inputs)

    def _hidden(self, *, dropout: bool) -> Tensor:
        """Return the last hidden layer H at all nodes, [K, rows, w]."""

        def compute(networks: LaneNetworks, weights: Weights) -> Tensor:
            return networks.hidden(weights, self.whole, dropout=dropout)

        return self._on_whole_graph(f"hidden, dropout {dropout}", compute)

    def _regressors(self, hidden: Tensor) -> Tensor:
        """Return what the readout multiplies: H for Y = HO, or ÂH for Y = ÂHO, as the graph readout has it."""
        if self.config.solve_for == "hidden":
            return hidden

        def compute(_networks: LaneNetworks, _weights: Weights, hidden: Tensor) -> Tensor:
            return self.whole.steps[-1].on_lanes(hidden)

        return self._on_whole_graph("propagated", compute, hidden)

    def _write_readouts(self, regressors: Tensor) -> None:
        """Solve each lane's O, as printed or as derived (:mod:`pgcn.methods.pgcn.readout`), and write it.

        As printed: O = (Hᵀ(I + c L̃)H + I/λ₁)⁻¹ H_LᵀT_L.
        """
        smoothing = self.prepared.smoothing(self.config.laplacian)
        width = self.networks.architecture.widths[-1]
        with on_threads(1):  # several threads would sum over the nodes in another order
            for lane, (config, candidate) in enumerate(zip(self.configs, self.candidates, strict=True)):
                H = regressors[lane, : self.whole.count, :width]
                readout = solve_readout(H, self.labelled, self.targets, smoothing, config, candidate.solves)
                self._readouts[lane, :width].copy_(readout)

    def _outputs(self, hidden: Tensor) -> Tensor:
        """Return the logits HO or ÂHO of all nodes, [K, N, C]."""

        def compute(networks: LaneNetworks, weights: Weights, hidden: Tensor) -> Tensor:
            return networks.outputs(weights, self.whole, hidden)

        return self._on_whole_graph("read out", compute, hidden)

    def _measured(self, outputs: Tensor) -> list[_Measured]:
        """Return every lane's scores and error, from the logits of all nodes [K, N, C]."""
        scores = score(self.config.loss, outputs, self.prepared)
        outputs_labelled = outputs[:, self.labelled]
        with on_threads(1):
            errors = [
                regression_error(lane_outputs, self.targets, readout, config.lambda1)
                for lane_outputs, readout, config in zip(
                    outputs_labelled, self._readouts, self.configs, strict=True
                )
            ]
        return list(map(_Measured, scores, errors))
