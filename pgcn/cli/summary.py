"""What many runs reached: mean and standard deviation, and the best of them."""

import statistics
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from pgcn.events import jsonable
from pgcn.methods.run import RunResult
from pgcn.studies.arena.outcomes import reported_accuracies
from pgcn.studies.statistics import Spread


def best_run(results: Sequence[RunResult]) -> RunResult | None:
    """Return the run of best validation accuracy; of equal ones, the one with fewer parameters."""
    succeeded = [result for result in results if result.scores]
    return max(succeeded, key=lambda result: (result.scores.val_accuracy, -result.parameters), default=None)


def summarize(results: Sequence[RunResult]) -> dict[str, Any]:
    """Return mean and standard deviation over the runs that did not fail, and the run of best validation."""
    succeeded = [result for result in results if result.scores]
    best = best_run(results)
    return {
        "runs": len(results),
        "failed": len(results) - len(succeeded),
        "test_accuracy": Spread.of([test_accuracy(result) for result in succeeded]).plain(),
        "val_accuracy": Spread.of([result.scores.val_accuracy for result in succeeded]).plain(),
        "parameters": Spread.of([float(result.parameters) for result in succeeded]).plain(),
        "best": best and best_as_dict(best, run=results.index(best)),
    }


def test_accuracy(result: RunResult) -> float:
    """Return the test accuracy that stands for a run: of a search the mean of the networks it retrained."""
    retrained = reported_accuracies(result.events)
    return statistics.fmean(retrained) if retrained else result.scores.test_accuracy


def best_as_dict(best: RunResult, *, run: int) -> dict[str, Any]:
    return {
        "run": run,
        "seed": best.config.seed,
        "topology": list(best.topology),
        "parameters": best.parameters,
        "scores": jsonable(asdict(best.scores)),
    }
