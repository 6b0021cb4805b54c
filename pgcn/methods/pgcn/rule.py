"""The growth rule: when a block or a layer stays. No tensors, no training, no clock.

Blocks of B neurons are added to the newest hidden layer while

    r_b = (A_b − A_{b−1}) / A_{b−1}  ≥  ε_b        (improvement by a block)

then a new layer is opened, which stays if

    r_l = (A_l − A_{l−1}) / A_{l−1}  ≥  ε_l        (improvement by a layer)

and growth ends with the first layer that does not. A is the metric of the config; for a loss, which should
fall, the signs turn. The very first block of a layer has nothing to be compared with and is always taken:
its layer is judged as a whole.
"""

import math
from collections.abc import Generator
from dataclasses import dataclass
from typing import Any

from pgcn.engine.architecture import count_parameters
from pgcn.events import (
    BlockAccepted,
    BlockProposed,
    BlockRejected,
    Event,
    LayerAccepted,
    LayerRejected,
    RunFinished,
    Scores,
)
from pgcn.methods.pgcn import GrowthConfig
from pgcn.methods.pgcn.explain import NAMES
from pgcn.methods.pgcn.improvement import improvement_rate, stays


@dataclass(frozen=True, kw_only=True)
class Candidate:
    """A network to be trained: the accepted one (``base``, None at first) and one new block at its end.

    ``solves`` counts the readouts solved in the run so far, this one included.
    """

    layer: int
    block: int
    widths: tuple[int, ...]
    base: Any
    solves: int


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What became of a candidate. ``weights`` is opaque here: the rule keeps it or lets it go."""

    weights: Any
    solved: Scores
    scores: Scores
    error_solved: float
    error_tuned: float
    loss: float
    seconds: float


def growth_rule(
    config: GrowthConfig, num_features: int, num_classes: int
) -> Generator[Candidate | Event, Outcome | None, None]:
    """Yield candidates, to be answered with outcomes, and events, to be answered with nothing."""

    def parameters(widths: tuple[int, ...]) -> int:
        return count_parameters(num_features, widths, num_classes, bias=config.bias) if widths else 0

    accepted: Outcome | None = None
    topology: tuple[int, ...] = ()
    last_tried: Outcome | None = None
    solves = 0
    seconds = 0.0
    ending = f"it reached the limit of {config.max_layers} hidden layer(s)"

    for layer in range(1, config.max_layers + 1):
        before_layer, topology_before = accepted, topology
        layer_baseline = last_tried if config.layer_baseline == "rejected" else accepted

        for block in range(1, config.max_width // config.block_width + 1):
            widths = (*topology_before, block * config.block_width)
            yield BlockProposed(
                layer=layer,
                block=block,
                width=config.block_width,
                topology=widths,
                parameters=parameters(widths),
            )
            solves += 1
            outcome = yield Candidate(
                layer=layer, block=block, widths=widths, base=accepted and accepted.weights, solves=solves
            )  # fmt: skip
            seconds += outcome.seconds
            diverged = not math.isfinite(outcome.loss + outcome.error_tuned)
            rate = accepted and improvement_rate(config.metric, accepted.scores, outcome.scores)
            taken = not diverged and (block == 1 or stays(rate, config.epsilon_b, reject_equal=config.reject_equal))
            judged = {
                "layer": layer, "block": block, "width": config.block_width,
                "topology": widths if taken else topology,
                "parameters": parameters(widths if taken else topology),
                "parameters_before": parameters(topology), "metric": config.metric,
                "before": accepted and accepted.scores, "solved": outcome.solved, "after": outcome.scores,
                "rate": rate, "epsilon": config.epsilon_b,
                "error_before": accepted and accepted.error_tuned, "error_solved": outcome.error_solved,
                "error_tuned": outcome.error_tuned, "loss": outcome.loss, "seconds": outcome.seconds,
            }  # fmt: skip
            if not taken:
                last_tried = last_tried if diverged else outcome
                yield BlockRejected(**judged)
                break
            yield BlockAccepted(**judged)
            accepted, topology, last_tried = outcome, widths, outcome

        if topology == topology_before:  # not even its first block could be trained
            ending = f"training diverged in layer {layer}; a smaller learning_rate may help"
            break
        rate = before_layer and improvement_rate(config.metric, layer_baseline.scores, accepted.scores)
        taken = before_layer is None or stays(rate, config.epsilon_l, reject_equal=config.reject_equal)
        judged = {
            "layer": layer, "blocks": topology[-1] // config.block_width, "width": topology[-1],
            "topology": topology if taken else topology_before,
            "parameters": parameters(topology if taken else topology_before), "metric": config.metric,
            "before": layer_baseline and layer_baseline.scores, "after": accepted.scores,
            "rate": rate, "epsilon": config.epsilon_l,
        }  # fmt: skip
        if not taken:
            yield LayerRejected(**judged)
            accepted, topology = before_layer, topology_before
            ending = f"layer {layer} did not improve {NAMES[config.metric]}"
            break
        yield LayerAccepted(**judged)

    yield RunFinished(
        status="finished" if accepted else "failed", reason=f"Growth ended because {ending}.", topology=topology,
        parameters=parameters(topology), scores=accepted and accepted.scores, seconds=seconds,
    )  # fmt: skip
