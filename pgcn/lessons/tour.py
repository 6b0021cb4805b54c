"""The lesson of every stop, by its name."""

from collections.abc import Callable
from typing import Any

from pgcn.lessons.growth import block_lesson, convergence_lesson, layers_lesson, threshold_lesson
from pgcn.lessons.propagation import convolution_lesson, graph_lesson, normalisation_lesson
from pgcn.lessons.training import readout_lesson, tuning_lesson

LESSONS: dict[str, Callable[[], dict[str, Any]]] = {
    "graph": graph_lesson,
    "normalise": normalisation_lesson,
    "convolution": convolution_lesson,
    "readout": readout_lesson,
    "tuning": tuning_lesson,
    "block": block_lesson,
    "test": threshold_lesson,
    "layers": layers_lesson,
    "convergence": convergence_lesson,
}
