"""What the growth rule asks to have trained, and what it is answered."""

from dataclasses import dataclass
from typing import Any, NamedTuple

from pgcn.events import Scores
from pgcn.methods.pgcn import GrowthConfig
from pgcn.methods.pgcn.improvement import has_diverged

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


def widths_of(network: Trained | None) -> Widths:
    return network.widths if network else ()


def scores_of(network: Trained | None) -> Scores | None:
    return network.outcome.scores if network else None


Answer = TrainedCandidate | str | GrowthConfig | None
"""To a candidate its outcome, to a question a decision, to an accepted block the settings of a branch or None."""
