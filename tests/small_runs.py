"""Runs of every method that take a moment."""

from pgcn.methods.registry import METHODS

QUICK = {
    "epochs": 2,
    "max_layers": 1,
    "replicas": 1,
    "architectures": 2,
    "child_epochs": 2,
    "final_runs": 1,
    "max_width": 10,
}


def quick(method):
    """Return settings of a method under which a run takes a moment."""
    config = METHODS[method].settings()
    return config.change(**{name: value for name, value in QUICK.items() if name in config.to_dict()})
