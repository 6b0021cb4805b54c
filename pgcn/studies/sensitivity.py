"""How much of a run hangs on the last bit: the same seed grown again with tiny changes of the initial weights.

A relative change of 1e-7 is about one unit in the last place of a float32. What another CPU does to a run is of the
same size. No torch here; :func:`pgcn.execution.execute.execute` grows the runs.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pgcn.errors import ConfigError, shown
from pgcn.execution.spec import RunSpec
from pgcn.limits import checked_number
from pgcn.methods.pgcn import GrowthConfig
from pgcn.numbers import known, percent_spread
from pgcn.studies.identity import question_id
from pgcn.studies.statistics import Spread

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
        raise ConfigError(f"times must be a whole number from 2 to {MOST:,}, got {shown(times)}.")
    checked_number("size", size, kind=float, above=0, below=1)
    return [config.change(perturbation=size, perturbation_seed=number) for number in range(1, times + 1)]


def perturbed_specs(spec: RunSpec) -> list[RunSpec]:
    """Return the perturbed runs of a run."""
    changed = (config.to_dict() for config in perturbed_configs(spec.config))
    return [spec.with_config(**config) for config in changed]


def sensitivity_batch(spec: RunSpec) -> str:
    """Return the id under which the perturbed runs of a run are stored: the same question has the same id."""
    return question_id(
        sensitivity=[TIMES, SIZE],
        recipe=spec.source.to_recipe(),
        config=spec.config.to_dict(),
        reproducible=spec.reproducible,
    )


def findings(topology: tuple[int, ...], runs: Sequence[Grown]) -> dict[str, Any]:
    """Return how often the topology was the same, which ones there were, and how far accuracies spread.

    The spread of an accuracy that was not measured is None: there may be no test nodes.
    """
    if not runs:
        raise ConfigError("No run has ended yet.")

    def spread(values: list[float]) -> dict[str, float | None] | None:
        if any(known(value) is None for value in values):
            return None
        return {**Spread.of(values).plain(), "least": min(values), "most": max(values)}

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
    name, spread = "test", found["test_accuracy"]
    if spread is None:
        name, spread = "validation", found["val_accuracy"]
    same, different = found["same_topology"], len(found["topologies"])
    return (
        f"Grown again {found['runs']} times with the initial weights changed by {size_text(size)} of their size, "
        f"it had the same topology {same} time{'s' * (same != 1)} ({different} different one"
        f"{'s' * (different != 1)} in all); {name} accuracy "
        f"{percent_spread(spread['mean'], spread['sd'])} (mean ± sd), from {100 * spread['least']:.1f} to "
        f"{100 * spread['most']:.1f} %."
    )
