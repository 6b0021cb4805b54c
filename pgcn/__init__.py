"""PGCN explorer: graph convolutional networks that grow their own topology.

>>> from pgcn import load_graph, grow
>>> result = grow(load_graph("cora")).finish()
>>> result.topology, result.scores.test_accuracy
"""

import importlib

from pgcn.reproducible import follow_environment

follow_environment()  # before anything imports torch

_HOMES = {
    "load_graph": "pgcn.execution.graphs",
    "load_network": "pgcn.methods.network",
    "GraphSource": "pgcn.source",
    "Store": "pgcn.store",
    "Graph": "pgcn.graph",
    "build_graph": "pgcn.graph",
    "random_split": "pgcn.data.splits",
    "fraction_split": "pgcn.data.splits",
    "known_split": "pgcn.data.splits",
    "import_graph": "pgcn.data.importers",
    "ImportOptions": "pgcn.data.importers",
    "GrowthConfig": "pgcn.methods.pgcn",
    "GCNConfig": "pgcn.methods.gcn",
    "growth_preset": "pgcn.methods.pgcn",
    "PgcnError": "pgcn.errors",
    "grow": "pgcn.execution.start",
    "grow_many": "pgcn.execution.start",
    "resume": "pgcn.execution.start",
    "branch": "pgcn.execution.start",
    "advise": "pgcn.studies.advice",
    "choose_preset": "pgcn.studies.advice",
    "RunRecord": "pgcn.methods.run",
    "SGCConfig": "pgcn.methods.sgc",
    "GATConfig": "pgcn.methods.gat",
    "NGCNConfig": "pgcn.methods.ngcn",
    "APPNPConfig": "pgcn.methods.appnp",
    "MLPConfig": "pgcn.methods.mlp",
    "train": "pgcn.execution.start",
    "train_many": "pgcn.execution.start",
    "train_gcn": "pgcn.execution.start",
    "train_gcns": "pgcn.execution.start",
    "GraphNet": "pgcn.engine.model",
}
__all__ = list(_HOMES)


def __getattr__(name: str):
    # Names are looked up when they are used, so that importing pgcn does not import torch.
    if name not in _HOMES:
        raise AttributeError(f"module 'pgcn' has no attribute {name!r}")
    return getattr(importlib.import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return [*globals(), *__all__]
