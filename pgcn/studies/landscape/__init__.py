"""The landscape: what fixed topologies reach over a grid of widths and depths, and where growth goes on it.

Every point of the grid is a network of so many hidden layers of one width, trained from scratch as a candidate
of growth is trained: its readout, dropout, weight decay and epochs. Growth itself, and the GCN baseline, are on the
same graph; their seeds are more than those of the grid, because a path is worth seeing many times.

question   what is asked of a graph, as tasks
paths      the steps of a growth run, and where on the map a topology lies
outcomes   what single runs came to: from a store, from a file, as a table
results    means by point, the best point
words      what it came to, in words
estimate   how long it will take

No torch here; :mod:`pgcn.studies.study` has a study carried out and stored.
"""

from pgcn.studies.landscape.question import (
    DEPTHS,
    MOST_EACH,
    PATHS,
    RUNS,
    WIDTHS,
    Landscape,
    LandscapeTask,
    Point,
    landscape_of,
)

__all__ = [
    "DEPTHS",
    "MOST_EACH",
    "PATHS",
    "RUNS",
    "WIDTHS",
    "Landscape",
    "LandscapeTask",
    "Point",
    "landscape_of",
]
