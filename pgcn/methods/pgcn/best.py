"""Of several trained networks the best: over the epochs of a candidate, and over its random starts."""

import math
from collections.abc import Sequence

from pgcn.engine.fields import Field, PreparedGraph
from pgcn.engine.lanes import LaneParameters, Weights
from pgcn.engine.losses import lane_means, node_losses
from pgcn.engine.networks import LaneNetworks
from pgcn.engine.training import measured_outputs
from pgcn.events import Scores
from pgcn.methods.pgcn.improvement import is_loss, metric_value

VALIDATE_EVERY = 10
"""Epochs between two looks at the validation nodes."""


class BestEpoch:
    """Each lane's weights of the epoch with the best validation accuracy; of equal ones, with the lowest loss.

    ``field`` is the whole graph, or that of the validation nodes: much less where there are a million others, but
    by the largest entries of their PageRanks where the readout has them.
    """

    def __init__(self, networks: LaneNetworks, prepared: PreparedGraph, field: Field, loss: str) -> None:
        self.networks, self.prepared, self.field, self.loss = networks, prepared, field, loss
        self.merits = [(-math.inf, -math.inf)] * networks.num_lanes
        self.weights: list[Weights | None] = [None] * networks.num_lanes

    def look(self, parameters: LaneParameters) -> None:
        """Measure all lanes, and remember the weights of those that are better than ever before."""
        nodes = self.prepared.nodes["val"]
        logits = measured_outputs(self.networks, parameters, self.field)
        if self.field.whole:
            logits = logits[:, nodes]
        y = self.prepared.y[nodes]
        accuracies = (logits.argmax(dim=2) == y).double().mean(dim=1)
        losses = lane_means(node_losses(self.loss, logits.double(), y))
        for lane, merit in enumerate(zip(accuracies.tolist(), (-losses).tolist(), strict=True)):
            if merit > self.merits[lane]:
                self.merits[lane], self.weights[lane] = merit, parameters.lane(lane)

    def put_back(self, parameters: LaneParameters) -> LaneParameters:
        """Return the parameters with each lane's remembered weights."""
        lanes = [best or parameters.lane(lane) for lane, best in enumerate(self.weights)]
        architecture, device = self.networks.architecture, self.prepared.device
        return LaneParameters(architecture, lanes, device, padded=parameters.padded)


def best_start(scores: Sequence[Scores], metric: str) -> int:
    """Return which of several starts is the best by what growth goes by; of equal ones the one with the lower loss.

    A start that diverged is never better than one that did not.
    """

    def merit(number: int) -> tuple[float, float]:
        value = metric_value(metric, scores[number])
        loss: float = getattr(scores[number], f"{metric.split('_')[0]}_loss")
        if not math.isfinite(value + loss):
            return -math.inf, -math.inf
        return (-value if is_loss(metric) else value), -loss

    return max(range(len(scores)), key=merit)
