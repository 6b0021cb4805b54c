"""The arena: every method of the paper on the same splits with the same seeds, beside its published figures.

published       the paper's three tables, with the protocol of every row
contenders      who competes: methods with their settings
question        what is asked: contenders x data sets x splits x seeds, as runs that are stored by their id
selection       best of many by validation, the Pareto front
paired          two contenders over the same splits and seeds
outcomes        what single runs came to, stored and recorded
results         what it came to, with the runs behind every number
estimate        how long it will take
tables          the paper's tables, published and measured
disagreements   the nodes that one network gets right and another wrong

Only ``disagreements`` imports torch, when asked; :mod:`pgcn.studies.study` has an arena carried out.
"""

from pgcn.studies.arena.contenders import ArenaContender, contenders, named_contenders
from pgcn.studies.arena.published import DATASETS, PUBLISHED, ROWS, Published, published
from pgcn.studies.arena.question import RUNS, Arena, ArenaPlace, ArenaTask, arenas_of

__all__ = [
    "DATASETS",
    "PUBLISHED",
    "ROWS",
    "RUNS",
    "Arena",
    "ArenaContender",
    "ArenaPlace",
    "ArenaTask",
    "Published",
    "arenas_of",
    "contenders",
    "named_contenders",
    "published",
]
