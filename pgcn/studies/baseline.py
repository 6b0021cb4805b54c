"""The GCN baseline: a GCN with 16 hidden neurons on the same graph and split, ten seeds.

What it reached is looked up here without torch.
"""

import hashlib
import json
import statistics
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pgcn.config import IDENTITY
from pgcn.methods.gcn import GCNConfig

if TYPE_CHECKING:
    from pgcn.execution.execute import Divided
    from pgcn.store import Store

CONFIGS = [GCNConfig(seed=seed) for seed in range(10)]


@dataclass(frozen=True, kw_only=True)
class Baseline:
    """Means and standard deviations over the seeds."""

    seeds: int
    parameters: int
    val: float
    val_sd: float
    test: float
    test_sd: float

    def describe(self) -> str:
        return (
            "GCN with 16 hidden neurons on the same split: "
            f"test {100 * self.test:.1f} ± {100 * self.test_sd:.1f} % (mean ± sd, {self.seeds} seeds), "
            f"{self.parameters:,} parameters"
        )


def baseline_batch(recipe: dict[str, Any], *, reproducible: bool = False) -> str:
    """Return the id under which the baseline of a graph is kept: the same question has the same id."""
    asked = {"recipe": recipe, "configs": [config.to_dict() for config in CONFIGS], "pgcn": IDENTITY}
    if reproducible:
        asked["reproducible"] = True
    return hashlib.sha256(json.dumps(asked, sort_keys=True).encode()).hexdigest()[:32]


def stored_baseline(recipe: dict[str, Any], store: "Store", *, reproducible: bool = False) -> Baseline | None:
    """Return what the baseline of a graph reached, None if it has not been trained to the end."""
    runs = store.runs(batch=baseline_batch(recipe, reproducible=reproducible))
    ended = [run for run in runs if run.status == "finished" and run.scores]
    by_seed = {run.seed: run for run in ended}
    if len(by_seed) < len(CONFIGS):
        return None
    val, test = ([run.scores[f"{name}_accuracy"] for run in by_seed.values()] for name in ("val", "test"))
    return Baseline(
        seeds=len(by_seed),
        parameters=ended[0].parameters,
        val=statistics.fmean(val),
        val_sd=statistics.stdev(val),
        test=statistics.fmean(test),
        test_sd=statistics.stdev(test),
    )


def start_baseline(
    recipe: dict[str, Any], store: "Store", tell: Callable[[str], None], *, reproducible: bool = False
) -> "Divided":
    """Train the GCNs of the baseline; a job's work. Imports torch."""
    from pgcn.execution.execute import Divided, graph_of
    from pgcn.execution.recorder import record_runs
    from pgcn.execution.start import train_gcns

    runs = train_gcns(graph_of(recipe, tell), CONFIGS, reproducible=reproducible)
    record_runs(runs, store, batch=baseline_batch(recipe, reproducible=reproducible))
    return Divided(runs)
