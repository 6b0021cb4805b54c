"""How much of a run hangs on the last bit: the same seed grown again with tiny changes of the initial weights.

A relative change of 1e-7 is about one unit in the last place of a float32. What another CPU does to a run is of the
same size. No torch here; :func:`pgcn.methods.pgcn.grow.grow_many` grows the runs.
"""

import hashlib
import json
import statistics
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pgcn.config import IDENTITY
from pgcn.errors import ConfigError
from pgcn.methods.pgcn import GrowthConfig

TIMES = 20
SIZE = 1e-7
MOST = 1000


@dataclass(frozen=True, kw_only=True)
class Grown:
    """What one run came to; accuracies are shares of 1."""

    topology: tuple[int, ...]
    val_accuracy: float
    test_accuracy: float


def perturbed_configs(config: GrowthConfig, times: int = TIMES, size: float = SIZE) -> list[GrowthConfig]:
    """Return the settings of so many runs of one seed that differ in a tiny change of their initial weights."""
    if isinstance(times, bool) or not isinstance(times, int) or not 2 <= times <= MOST:
        raise ConfigError(f"times must be a whole number from 2 to {MOST:,}, got {times!r}.")
    if not size > 0:
        raise ConfigError(f"size must be greater than 0, got {size}.")
    return [config.change(perturbation=size, perturbation_seed=number) for number in range(1, times + 1)]


def sensitivity_batch(recipe: dict[str, Any], config: dict[str, Any], *, reproducible: bool) -> str:
    """Return the id under which the perturbed runs of a run are kept: the same question has the same id."""
    asked = {
        "sensitivity": [TIMES, SIZE], "recipe": recipe, "config": config, "pgcn": IDENTITY,
        "reproducible": reproducible,
    }  # fmt: skip
    return hashlib.sha256(json.dumps(asked, sort_keys=True).encode()).hexdigest()[:32]


def findings(topology: tuple[int, ...], runs: Sequence[Grown]) -> dict[str, Any]:
    """Return how often the topology was the same, which ones there were, and how far accuracies spread."""
    if not runs:
        raise ConfigError("No run has ended yet.")

    def spread(values: list[float]) -> dict[str, float]:
        sd = statistics.stdev(values) if len(values) > 1 else 0.0
        return {"mean": statistics.fmean(values), "sd": sd, "least": min(values), "most": max(values)}

    counts = Counter(run.topology for run in runs)
    return {
        "runs": len(runs),
        "same_topology": counts[tuple(topology)],
        "topologies": [{"topology": list(found), "runs": count} for found, count in counts.most_common()],
        "val_accuracy": spread([run.val_accuracy for run in runs]),
        "test_accuracy": spread([run.test_accuracy for run in runs]),
    }


def size_text(size: float) -> str:
    """Return for example '1e-7'."""
    return f"{size:g}".replace("e-0", "e-")


def sentence(found: dict[str, Any], size: float = SIZE) -> str:
    """Say in words what perturbed runs show."""
    test, different = found["test_accuracy"], len(found["topologies"])
    same = found["same_topology"]
    return (
        f"Grown again {found['runs']} times with the initial weights changed by {size_text(size)} of their size, "
        f"it had the same topology {same} time{'s' * (same != 1)} ({different} different one"
        f"{'s' * (different != 1)} in all); test accuracy {100 * test['mean']:.1f} ± {100 * test['sd']:.1f} % "
        f"(mean ± sd), from {100 * test['least']:.1f} to {100 * test['most']:.1f} %."
    )
