"""Auto-GNN, the architecture search of Zhou et al. (2019), with shared weights or without. No torch."""

from dataclasses import dataclass

from pgcn.config import option
from pgcn.limits import MOST_EPOCHS, MOST_NEURONS
from pgcn.methods.search import MOST_ARCHITECTURES, PAPER_BUDGET, ControllerConfig
from pgcn.methods.search.space import INNER

GUIDES = ("sample", "largest")


@dataclass(frozen=True, kw_only=True)
class AutoGNNConfig(ControllerConfig):
    """How Auto-GNN searches; the best architecture is retrained ``final_runs`` times.

    Its text leaves open what the search starts from, how long an architecture with inherited weights is
    trained, and the size of the MLP that combines; these are settings. The class of actions to change is the
    one of ``largest`` entropy in its text; that would be the one with most choices as long as the controllers
    have learned little, so that by default classes are drawn, the more often the larger their entropy.
    """

    initial: int = option(
        10,
        "Architectures drawn at random before the best so far is changed.",
        at_least=1,
        at_most=MOST_ARCHITECTURES,
    )
    share: bool = option(False, "Architectures inherit the weights of earlier ones where their layers match.")
    shared_epochs: int = option(
        20, "Epochs for which an architecture with inherited weights is trained.", at_least=1, at_most=MOST_EPOCHS
    )
    guide: str = option(
        "sample",
        "Which class of actions is changed: drawn in proportion to its entropy, or the one with the largest.",
        choices=GUIDES,
    )
    combine_width: int = option(INNER, "Neurons inside the MLP that combines.", at_least=1, at_most=MOST_NEURONS)


PRESETS: dict[str, AutoGNNConfig] = {
    "laptop": AutoGNNConfig(),
    "paper": AutoGNNConfig(**PAPER_BUDGET, child_epochs=200, patience=None, guide="largest"),
}
