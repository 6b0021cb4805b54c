"""GraphNAS (Gao et al. 2019): an LSTM proposes architectures and learns from their validation accuracy.

The controller is in :mod:`.controller`, the search in :mod:`pgcn.methods.search.run`. Sources contradict each
other: this is the authors' code where it does what its paper says. Softmax is over the neighbours of a node (their
PyG layer takes the wrong end of an edge), and test accuracy is of the epoch that validation chose (theirs is the
largest of several). Reported is what the PGCN paper reports: the mean of the five best architectures, each trained
anew.
"""

from pgcn.methods.graphnas.controller import GraphNASStrategy
from pgcn.methods.search.trainer import SearchTrainer

_trainer = SearchTrainer("graphnas", GraphNASStrategy)
build, accepted, steps = _trainer.build, _trainer.accepted, _trainer.steps
