"""A sweep of a few seconds, and outcomes made by hand."""

from pgcn.methods.pgcn import growth_preset
from pgcn.studies.sweep import Sweep
from pgcn.studies.sweep.outcomes import SweepOutcome
from pgcn.studies.sweep.results import SweepResults

GROWTH = growth_preset(epochs=8, max_layers=2, max_width=4, block_width=1)
GRID = (("block_width", (1, 2)), ("dropout", (0.1, 0.5)))


def small(**changes):
    """Two block widths, two dropouts and three seeds on the karate club: two groups of six runs."""
    return Sweep(**{"dataset": "karate", "growth": GROWTH, "grid": GRID, "runs": 3, **changes})


def outcome_of(task, *, val, test, **values):
    """What a task may have come to; accuracies in %."""
    usual = {"status": "finished", "topology": (10, 20), "parameters": 14_000, "seconds": 1.0}
    accuracies = {"labelled_accuracy": 1.0, "val_accuracy": val / 100, "test_accuracy": test / 100}
    return SweepOutcome(point=task.point, seed=task.seed, run=task.id, **{**usual, **accuracies, **values})


def results_of(sweep, val, test, **values):
    """The results of a sweep whose tasks came to these accuracies, given as functions of the task."""
    outcomes = [outcome_of(task, val=val(task), test=test(task), **values) for task in sweep.tasks()]
    return SweepResults(sweep, outcomes)
