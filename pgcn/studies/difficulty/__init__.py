"""The difficulty study: how much a grown topology gains over a fixed one depends on N_L/D.

The features of a data set are projected at random to D' dimensions (:mod:`pgcn.data.projection`) and a share of its
nodes is labelled; either handle moves N_L/D'. In every experiment all contenders meet the same split and the same
projection.

contenders   the networks compared
task         one run: where it stands, what is carried out
question     what is asked of a data set, as tasks
estimate     how long it will take
results      what it came to, in numbers
origins      what the lead is made of: size, depth, growing
words        what it came to, in words

No torch here; :mod:`pgcn.studies.study` has a study carried out and stored.
"""

from pgcn.studies.difficulty.contenders import CONTENDERS, DEFAULT_CONTENDERS, Contender
from pgcn.studies.difficulty.question import (
    DIMS,
    EXPERIMENTS,
    LOW_DROPOUT,
    RATES,
    Study,
    check_rate,
    check_runs,
    is_large_enough,
    read_numbers,
    studies_of,
    study_growth,
)
from pgcn.studies.difficulty.task import Place, Task

__all__ = [
    "CONTENDERS",
    "DEFAULT_CONTENDERS",
    "DIMS",
    "EXPERIMENTS",
    "LOW_DROPOUT",
    "RATES",
    "Contender",
    "Place",
    "Study",
    "Task",
    "check_rate",
    "check_runs",
    "is_large_enough",
    "read_numbers",
    "studies_of",
    "study_growth",
]
