"""Auto-GNN (Zhou et al. 2019): the best architecture is changed one class of actions at a time.

The controllers are in :mod:`.controller`, the search in :mod:`pgcn.methods.search.run`, how weights are handed on
in :mod:`pgcn.methods.search.sharing`. There is no code of the authors': what their text leaves open is a setting.
Reported is the mean of five networks of the best architecture, each from weights drawn anew.
"""

from pgcn.methods.autognn.controller import AutoGNNStrategy
from pgcn.methods.search.trainer import SearchTrainer

_trainer = SearchTrainer("autognn", AutoGNNStrategy)
build, accepted, steps = _trainer.build, _trainer.accepted, _trainer.steps
