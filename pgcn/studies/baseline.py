"""The GCN baseline: a GCN with 16 hidden neurons on the same graph and split, ten seeds.

What it reached is looked up here without torch.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pgcn.execution.spec import RunSpec
from pgcn.methods.gcn import GCNConfig
from pgcn.numbers import percent_spread
from pgcn.source import GraphSource
from pgcn.studies.identity import question_id
from pgcn.studies.statistics import Spread

if TYPE_CHECKING:
    from pgcn.execution.execute import Execution
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

    @property
    def measured(self) -> str:
        """What is compared: test accuracy, or validation accuracy where there are no test nodes."""
        return "validation" if math.isnan(self.test) else "test"

    @property
    def accuracy(self) -> tuple[float, float]:
        """Mean and standard deviation of what is compared."""
        return (self.val, self.val_sd) if self.measured == "validation" else (self.test, self.test_sd)

    def describe(self) -> str:
        return (
            "GCN with 16 hidden neurons on the same split: "
            f"{self.measured} {percent_spread(*self.accuracy)} (mean ± sd, {self.seeds} seeds), "
            f"{self.parameters:,} parameters"
        )


def baseline_batch(source: GraphSource, *, reproducible: bool = False) -> str:
    """Return the id under which the baseline of a graph is stored: the same question has the same id."""
    mode = {"reproducible": True} if reproducible else {}
    return question_id(recipe=source.to_recipe(), configs=[config.to_dict() for config in CONFIGS], **mode)


def stored_baseline(source: GraphSource, store: "Store", *, reproducible: bool = False) -> Baseline | None:
    """Return what the baseline of a graph reached, None if it has not been trained to the end."""
    runs = store.runs(batch=baseline_batch(source, reproducible=reproducible))
    by_seed = {run.seed: run for run in runs if run.status == "finished" and run.scores}
    if len(by_seed) < len(CONFIGS):
        return None
    val, test = (
        Spread.of([run.scores[f"{name}_accuracy"] for run in by_seed.values() if run.scores])
        for name in ("val", "test")
    )
    return Baseline(
        seeds=len(by_seed),
        parameters=next(iter(by_seed.values())).parameters,
        val=val.mean,
        val_sd=val.sd or 0.0,
        test=test.mean,
        test_sd=test.sd or 0.0,
    )


def start_baseline(
    source: GraphSource,
    store: "Store",
    progress: Callable[[str], None],
    *,
    reproducible: bool = False,
    creator: str = "",
) -> "Execution":
    """Train the GCNs of the baseline; a job's work. Imports torch."""
    from pgcn.execution.execute import execute

    specs = [RunSpec(method="gcn", config=config, source=source, reproducible=reproducible) for config in CONFIGS]
    batch = baseline_batch(source, reproducible=reproducible)
    return execute(specs, store, batch=batch, creator=creator, progress=progress)
