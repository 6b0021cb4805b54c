"""A landscape of a few seconds, and outcomes made by hand."""

from pgcn.methods.pgcn import growth_preset
from pgcn.source import GraphSource
from pgcn.studies.landscape import Landscape
from pgcn.studies.landscape.outcomes import LandscapeOutcome
from pgcn.studies.landscape.paths import Step
from pgcn.studies.landscape.results import LandscapeResults

GROWTH = growth_preset(epochs=8, max_layers=2, max_width=4, block_width=2)


def small(**changes):
    """Two widths, two depths and two seeds on the karate club, three paths of growth and three GCNs."""
    usual = {"source": GraphSource(name="karate"), "growth": GROWTH, "widths": (2, 4), "depths": (1, 2)}
    return Landscape(**{**usual, "runs": 2, "paths": 3, **changes})


def step(*topology, accepted=True):
    return Step(topology=topology, parameters=100, accepted=accepted, val_accuracy=0.5, test_accuracy=0.5)


def outcome_of(task, *, val, test, **values):
    """What a task may have come to; accuracies in %."""
    topology = task.point.topology if task.point else (2, 4)
    about = {"kind": task.kind, "point": task.point, "seed": task.seed, "run": task.id, "topology": topology}
    steps = (step(2), step(2, 2), step(2, 4), step(2, 4, accepted=False)) if task.kind == "pgcn" else ()
    usual = {"status": "finished", "parameters": 100 * sum(topology), "seconds": 1.0, "steps": steps}
    accuracies = {"labelled_accuracy": 1.0, "val_accuracy": val / 100, "test_accuracy": test / 100}
    return LandscapeOutcome(**{**about, **usual, **accuracies, **values})


def results_of(landscape, val, test, **values):
    """The results of a landscape whose tasks came to these accuracies, given as functions of the task."""
    outcomes = [outcome_of(task, val=val(task), test=test(task), **values) for task in landscape.tasks()]
    return LandscapeResults(landscape, outcomes)
