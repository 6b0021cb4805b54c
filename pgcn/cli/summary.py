"""What many runs reached: mean and standard deviation, and the best of them."""

import statistics
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from pgcn.events import jsonable
from pgcn.methods.run import RunResult
from pgcn.numbers import known
from pgcn.studies.arena.outcomes import reported_accuracies
from pgcn.studies.statistics import Spread


def best_run(results: Sequence[RunResult]) -> RunResult | None:
    """Return the run of best validation accuracy; of equal ones, the one with fewer parameters."""
    succeeded = [result for result in results if result.scores]
    return max(succeeded, key=lambda result: (result.scores.val_accuracy, -result.parameters), default=None)


def mean_and_sd(values: Sequence[float]) -> dict[str, float | None]:
    """Return mean and standard deviation: 0 for a single value, None for no value."""
    if not values or any(known(value) is None for value in values):
        return {"mean": None, "sd": None}
    found = Spread.of(values)
    return {"mean": found.mean, "sd": found.sd or 0.0}


def summarize(results: Sequence[RunResult]) -> dict[str, Any]:
    """Return mean and standard deviation over the runs that did not fail, and the run of best validation."""
    succeeded = [result for result in results if result.scores]
    best = best_run(results)
    return {
        "runs": len(results),
        "failed": len(results) - len(succeeded),
        "test_accuracy": mean_and_sd([test_accuracy(result) for result in succeeded]),
        "val_accuracy": mean_and_sd([result.scores.val_accuracy for result in succeeded]),
        "parameters": mean_and_sd([float(result.parameters) for result in succeeded]),
        "best": best and best_as_dict(best, run=results.index(best)),
    }


def test_accuracy(result: RunResult) -> float:
    """Return the test accuracy that stands for a run: of a search the mean of the networks it trained anew."""
    trained_anew = reported_accuracies(result.events)
    return statistics.fmean(trained_anew) if trained_anew else result.scores.test_accuracy


def best_as_dict(best: RunResult, *, run: int) -> dict[str, Any]:
    return {
        "run": run,
        "seed": best.config.seed,
        "topology": list(best.topology),
        "parameters": best.parameters,
        "scores": jsonable(asdict(best.scores)),
    }
