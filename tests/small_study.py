"""A difficulty study of a few seconds, for the tests of its numbers and of how it is carried out."""

from pgcn.studies.difficulty import CONTENDERS, Study, study_growth
from pgcn.studies.difficulty.results import stored_outcomes

GROWTH = study_growth(epochs=4, max_layers=1, max_width=10)
SET = ["--set", "epochs=4", "max_layers=1", "max_width=10"]


def small(**changes):
    """A study of a few seconds, on the synthetic graph."""
    asked = {"dims": (5, 20), "experiments": 2, "methods": tuple(CONTENDERS), "growth": GROWTH}
    return Study(dataset="synthetic", **{**asked, **changes})


def table(store, study):
    return {
        one.run: (one.test_accuracy, one.val_accuracy, one.topology, one.parameters)
        for one in stored_outcomes(study, store)
    }
