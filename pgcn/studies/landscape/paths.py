"""The steps that a growth run took, and where on the map a topology lies. No torch.

Widths of a grown network differ from layer to layer, those of the map do not. A topology is therefore drawn at its
depth, and at the width at which a network of equal layers has as many parameters: so the contours of the map hold
for it too. 15-10-5 on Cora lies at depth 3, a little to the right of width 15.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pgcn.events import Event
from pgcn.methods.pgcn.events import BlockAccepted, BlockJudged, BlockProposed
from pgcn.numbers import known


@dataclass(frozen=True, kw_only=True)
class Step:
    """A candidate that growth trained; ``accepted`` says that it is part of the network in the end.

    A block that was accepted into a layer that was rejected later is not. Accuracies are shares of 1.
    """

    topology: tuple[int, ...]
    parameters: int
    accepted: bool
    val_accuracy: float | None
    test_accuracy: float | None

    def to_row(self) -> list[Any]:
        """Return the step in plain values."""
        return [list(self.topology), self.parameters, self.accepted, self.val_accuracy, self.test_accuracy]

    @classmethod
    def from_row(cls, row: Sequence[Any]) -> "Step":
        topology, parameters, accepted, val, test = row
        return cls(
            topology=tuple(topology),
            parameters=parameters,
            accepted=accepted,
            val_accuracy=val,
            test_accuracy=test,
        )


def path_of(events: Sequence[Event]) -> tuple[Step, ...]:
    """Return the steps of a run that has ended."""
    depth, steps, proposed = len(events[-1].topology), [], None
    for event in events:
        if isinstance(event, BlockProposed):
            proposed = event  # its topology has the block, that of a rejected one has not
        elif isinstance(event, BlockJudged) and proposed is not None:
            step = Step(
                topology=proposed.topology,
                parameters=proposed.parameters,
                accepted=isinstance(event, BlockAccepted) and event.layer <= depth,
                val_accuracy=known(event.after.val_accuracy),
                test_accuracy=known(event.after.test_accuracy),
            )
            steps.append(step)
    return tuple(steps)


def equal_width(parameters: float, depth: float, num_features: int, num_classes: int, *, bias: bool) -> float:
    """Return the width w at which a network of ``depth`` layers of one width has so many parameters.

    F w + (L − 1) w² + w C, and L w + C with biases, is a quadratic in w.
    """
    square, linear = max(0.0, depth - 1), num_features + num_classes + bias * depth
    rest = max(0.0, parameters - bias * num_classes)
    if not square:
        return rest / linear
    return (math.sqrt(linear**2 + 4 * square * rest) - linear) / (2 * square)
