"""The growth rule (Algorithm 1): when a block or a layer is accepted. No tensors, no training, no clock.

Blocks of B neurons are added to the newest hidden layer while

    r_b = (A_b − A_{b−1}) / A_{b−1}  ≥  ε_b        (improvement by a block)

then a new layer is opened, which is accepted if

    r_l = (A_l − A_{l−1}) / A_{l−1}  ≥  ε_l        (improvement by a layer)

and growth ends with the first layer that is not. A is the metric of the config; for a loss, which should fall, the
sign is reversed. The first block of a layer is always accepted, because its layer is judged as a whole, unless its
training diverged.
"""

from collections.abc import Generator
from dataclasses import dataclass
from typing import Any, NamedTuple

from pgcn.engine.architecture import count_parameters
from pgcn.events import Event, RunFinished, Scores
from pgcn.methods.pgcn import GrowthConfig
from pgcn.methods.pgcn.events import BlockAccepted, BlockProposed, BlockRejected, LayerAccepted, LayerRejected
from pgcn.methods.pgcn.improvement import has_diverged, improvement_rate, is_enough

Widths = tuple[int, ...]


@dataclass(frozen=True, kw_only=True)
class Candidate:
    """A network to be trained: the accepted one, whose weights are ``base`` (None at first), and one new block.

    ``solves`` counts the readouts solved in the run so far, this one included.
    """

    layer: int
    block: int
    widths: Widths
    base: Any
    solves: int


@dataclass(frozen=True, kw_only=True)
class TrainedCandidate:
    """A candidate after training. The rule only passes ``weights`` on."""

    weights: Any
    solved: Scores
    scores: Scores
    error_solved: float
    error_tuned: float
    loss: float
    seconds: float

    @property
    def diverged(self) -> bool:
        return has_diverged(self.loss, self.error_tuned)


class Trained(NamedTuple):
    """A trained network; where there is none yet, None stands for it."""

    widths: Widths
    outcome: TrainedCandidate


def growth_rule(
    config: GrowthConfig, num_features: int, num_classes: int
) -> Generator[Candidate | Event, TrainedCandidate | None, None]:
    """Yield candidates, to be answered with outcomes, and events, to be answered with None."""
    events = _Events(config, num_features, num_classes)
    accepted: Trained | None = None
    last_trained: Trained | None = None  # accepted or not
    solves, seconds = 0, 0.0
    ending: str = "max_layers"
    facts: dict[str, Any] = {"max_layers": config.max_layers}

    for layer in range(1, config.max_layers + 1):
        before_layer = accepted
        baseline = last_trained if config.layer_baseline == "rejected" else accepted

        for block in range(1, config.max_width // config.block_width + 1):
            widths = (*_widths(before_layer), block * config.block_width)
            yield events.block_proposed(layer, block, widths)
            solves += 1
            base = accepted and accepted.outcome.weights
            outcome = yield Candidate(layer=layer, block=block, widths=widths, base=base, solves=solves)
            assert outcome is not None, "a candidate is answered with its outcome"
            candidate = Trained(widths, outcome)
            seconds += outcome.seconds
            r_b = _rate(config, accepted, candidate)
            accept = not outcome.diverged and (block == 1 or _is_enough(config, r_b, config.epsilon_b))
            yield events.block_judged(layer, block, accepted, candidate, r_b, accept=accept)
            if not outcome.diverged:
                last_trained = candidate
            if not accept:
                break
            accepted = candidate

        if accepted is None or accepted is before_layer:
            ending, facts = "layer_diverged", {"layer": layer}
            break
        r_l = _rate(config, baseline, accepted)
        accept = _is_enough(config, r_l, config.epsilon_l)
        yield events.layer_judged(layer, before_layer, baseline, accepted, r_l, accept=accept)
        if not accept:
            accepted = before_layer
            ending, facts = "layer_rejected", {"layer": layer, "metric": config.metric}
            break

    yield events.run_finished(accepted, ending, facts, seconds)


def _widths(network: Trained | None) -> Widths:
    return network.widths if network else ()


def _scores(network: Trained | None) -> Scores | None:
    return network.outcome.scores if network else None


def _rate(config: GrowthConfig, before: Trained | None, after: Trained) -> float | None:
    """Return r_b or r_l; None where there is no network to compare with."""
    return improvement_rate(config.metric, before.outcome.scores, after.outcome.scores) if before else None


def _is_enough(config: GrowthConfig, rate: float | None, epsilon: float) -> bool:
    return rate is None or is_enough(rate, epsilon, reject_equal=config.reject_equal)


@dataclass(frozen=True)
class _Events:
    """The events of one run, made from the networks they are about."""

    config: GrowthConfig
    num_features: int
    num_classes: int

    def parameters(self, widths: Widths) -> int:
        """Return how many parameters a network has; none without a hidden layer, before the first block."""
        return count_parameters(self.num_features, widths, self.num_classes, bias=self.config.bias) if widths else 0

    def block_proposed(self, layer: int, block: int, widths: Widths) -> BlockProposed:
        return BlockProposed(
            layer=layer,
            block=block,
            width=self.config.block_width,
            topology=widths,
            parameters=self.parameters(widths),
        )

    def block_judged(
        self, layer: int, block: int, before: Trained | None, after: Trained, rate: float | None, *, accept: bool
    ) -> BlockAccepted | BlockRejected:
        topology = after.widths if accept else _widths(before)
        outcome = after.outcome
        return (BlockAccepted if accept else BlockRejected)(
            layer=layer,
            block=block,
            width=self.config.block_width,
            topology=topology,
            parameters=self.parameters(topology),
            parameters_before=self.parameters(_widths(before)),
            metric=self.config.metric,
            before=_scores(before),
            solved=outcome.solved,
            after=outcome.scores,
            rate=rate,
            epsilon=self.config.epsilon_b,
            error_before=before.outcome.error_tuned if before else None,
            error_solved=outcome.error_solved,
            error_tuned=outcome.error_tuned,
            loss=outcome.loss,
            seconds=outcome.seconds,
        )

    def layer_judged(
        self,
        layer: int,
        before: Trained | None,
        baseline: Trained | None,
        after: Trained,
        rate: float | None,
        *,
        accept: bool,
    ) -> LayerAccepted | LayerRejected:
        topology = after.widths if accept else _widths(before)
        width = after.widths[-1]
        return (LayerAccepted if accept else LayerRejected)(
            layer=layer,
            blocks=width // self.config.block_width,
            width=width,
            topology=topology,
            parameters=self.parameters(topology),
            metric=self.config.metric,
            before=_scores(baseline),
            after=after.outcome.scores,
            rate=rate,
            epsilon=self.config.epsilon_l,
        )

    def run_finished(
        self, network: Trained | None, ending: str, facts: dict[str, Any], seconds: float
    ) -> RunFinished:
        return RunFinished(
            status="finished" if network else "failed",
            ending=ending,
            facts=facts,
            topology=_widths(network),
            parameters=self.parameters(_widths(network)),
            scores=_scores(network),
            seconds=seconds,
        )
