"""The sweep: PGCN over a grid of settings, as the paper searched it, with all that its best run leaves unsaid.

grid        which settings are varied, and the values of each
question    what is asked: points of the grid x seeds, as runs that are stored by their id
outcomes    what single runs came to
effects     which settings mattered
results     the best run by validation, the distribution behind it, sentences
estimate    how long it will take

No torch here; :mod:`pgcn.studies.study` has a sweep carried out, runs of equal shape together, and stored.
"""

from pgcn.studies.sweep.grid import PAPER_GRID, PROTOCOLS, Grid, Point, point_text, protocol_grid, read_grid
from pgcn.studies.sweep.question import RUNS, Sweep, SweepTask, sweep_of

__all__ = [
    "PAPER_GRID",
    "PROTOCOLS",
    "RUNS",
    "Grid",
    "Point",
    "Sweep",
    "SweepTask",
    "point_text",
    "protocol_grid",
    "read_grid",
    "sweep_of",
]
