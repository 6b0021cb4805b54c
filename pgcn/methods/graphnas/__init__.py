"""GraphNAS, the architecture search of Gao et al. (2019). Its settings and presets; no torch."""

from dataclasses import dataclass

from pgcn.config import option
from pgcn.limits import MOST_FACTOR
from pgcn.methods.search import PAPER_BUDGET, ControllerConfig


@dataclass(frozen=True, kw_only=True)
class GraphNASConfig(ControllerConfig):
    """How GraphNAS searches; the top ``final_runs`` architectures by validation are retrained."""

    entropy_weight: float = option(
        1e-4, "Weight of a decision's entropy in its reward.", at_least=0, at_most=MOST_FACTOR
    )


PRESETS: dict[str, GraphNASConfig] = {
    "laptop": GraphNASConfig(),
    "paper": GraphNASConfig(**PAPER_BUDGET, child_epochs=300, patience=None),
}
