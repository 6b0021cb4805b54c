"""Random search over the space of GraphNAS or of Auto-GNN: the control of both. Its settings; no torch."""

from dataclasses import dataclass

from pgcn.config import option
from pgcn.methods.search import PAPER_BUDGET, SearchConfig
from pgcn.methods.search.space import SPACES


@dataclass(frozen=True, kw_only=True)
class RandomConfig(SearchConfig):
    """How architectures are drawn; the top ``final_runs`` by validation are retrained, as in GraphNAS."""

    space: str = option(
        "graphnas", "Search space from which architectures are drawn uniformly.", choices=tuple(SPACES)
    )


PRESETS: dict[str, RandomConfig] = {
    "laptop": RandomConfig(),
    "paper": RandomConfig(**PAPER_BUDGET, child_epochs=300, patience=None),
}
