"""A graph for node classification."""

import importlib
from dataclasses import dataclass, field, replace

import scipy.sparse as sp
import torch
from torch import Tensor

from pgcn.errors import GraphError
from pgcn.graph.arrays import clean_mask
from pgcn.graph.checks import check_masks, clean_features
from pgcn.source import GraphSource

MASKS = ("train_mask", "val_mask", "test_mask")


@dataclass(frozen=True, kw_only=True, eq=False)
class Graph:
    """An undirected graph for node classification.

    Make one with :func:`build_graph`, which checks and cleans; the loaders in :mod:`pgcn.data` do so.

    features       scipy CSR, float32, [N, D]
    edge_index     int64 [2, E], every undirected edge in both directions, no self-loop, no duplicate, sorted
    edge_weight    float32 [E], the same in both directions; None where every edge weighs 1
    y              int64 [N], the class of each node, -1 where it is not known
    *_mask         bool [N], pairwise disjoint; ``train_mask`` marks the labelled nodes; test nodes may be missing
    node_names     what nodes are called, [N]; None where they are only numbered
    feature_names  what features are called, [D]; None where they are only numbered
    notes          what cleaning changed, and other things the user should know, as sentences
    fitted         what its features were made with, as JSON (:mod:`pgcn.data.importers.fit`); "" if not known
    split          in words, where the masks come from
    source         what makes this graph again; None for a graph that is only in memory
    """

    name: str
    features: sp.csr_array
    edge_index: Tensor
    y: Tensor
    train_mask: Tensor
    val_mask: Tensor
    test_mask: Tensor
    class_names: tuple[str, ...]
    edge_weight: Tensor | None = None
    node_names: tuple[str, ...] | None = None
    feature_names: tuple[str, ...] | None = None
    split: str = "given"
    notes: tuple[str, ...] = field(default=())
    source: GraphSource | None = None
    fitted: str = ""

    @property
    def num_nodes(self) -> int:
        return self.features.shape[0]

    @property
    def num_features(self) -> int:
        return self.features.shape[1]

    @property
    def num_classes(self) -> int:
        return len(self.class_names)

    @property
    def num_edges(self) -> int:
        """The number of undirected edges."""
        return self.edge_index.shape[1] // 2

    @property
    def label_rate(self) -> float:
        return int(self.train_mask.sum()) / self.num_nodes

    @property
    def x(self) -> Tensor:
        """The features as a dense float32 tensor [N, D], made anew at each call."""
        return torch.from_numpy(self.features.toarray())

    @property
    def recipe(self) -> dict | None:
        """The source in plain values, as events and stores have it."""
        return self.source.to_recipe() if self.source else None

    def with_masks(self, train: Tensor, val: Tensor, test: Tensor, *, split: str) -> "Graph":
        """Return the same graph with other labelled, validation and test nodes."""
        given = {"labelled": train, "validation": val, "test": test}
        train, val, test = (clean_mask(mask, name, self.num_nodes) for name, mask in given.items())
        check_masks(self.y, self.num_classes, train, val, test, self.class_names)
        return replace(self, train_mask=train, val_mask=val, test_mask=test, split=split, source=None)

    def with_features(self, features, *, note: str) -> "Graph":
        """Return the same graph with other node features [N, D']."""
        cleaned = clean_features(features)
        if cleaned.shape[0] != self.num_nodes:
            raise GraphError(f"Features must have a row for each of {self.num_nodes:,} nodes, got {cleaned.shape}.")
        changed = {"features": cleaned, "feature_names": None, "source": None, "fitted": ""}
        return replace(self, notes=(*self.notes, note), **changed)

    def facts(self) -> dict[str, int]:
        """Return how many nodes, edges, features, classes and labelled nodes there are."""
        return {
            "nodes": self.num_nodes,
            "edges": self.num_edges,
            "features": self.num_features,
            "classes": self.num_classes,
            "labelled": int(self.train_mask.sum()),
        }

    def content_id(self) -> str:
        """Return the id of its content: :func:`pgcn.graph.content_id`."""
        from pgcn.graph.content import content_id

        return content_id(self)

    def to_bytes(self) -> bytes:
        """Return it as bytes: :func:`pgcn.graph.graph_to_bytes`."""
        from pgcn.graph.content import graph_to_bytes

        return graph_to_bytes(self)

    @classmethod
    def from_pyg(cls, data, **settings) -> "Graph":
        """Return the graph of a ``torch_geometric.data.Data``: :func:`pgcn.data.importers.objects.from_pyg`."""
        return importer("from_pyg")(data, **settings)

    @classmethod
    def from_networkx(cls, graph, **settings) -> "Graph":
        """Return the graph of a networkx graph: :func:`pgcn.data.importers.objects.from_networkx`."""
        return importer("from_networkx")(graph, **settings)

    @classmethod
    def from_pandas(cls, nodes, edges, **settings) -> "Graph":
        """Return the graph of two data frames: :func:`pgcn.data.importers.objects.from_pandas`."""
        return importer("from_pandas")(nodes, edges, **settings)

    @classmethod
    def from_scipy(cls, adjacency, features=None, labels=None, **settings) -> "Graph":
        """Return the graph of an adjacency of SciPy's: :func:`pgcn.data.importers.objects.from_scipy`."""
        return importer("from_scipy")(adjacency, features, labels, **settings)

    def to_pyg(self):
        """Return a ``torch_geometric.data.Data`` with dense features."""
        from torch_geometric.data import Data

        masks = {name: getattr(self, name) for name in MASKS}
        weights = {} if self.edge_weight is None else {"edge_weight": self.edge_weight}
        return Data(x=self.x, edge_index=self.edge_index, y=self.y, **masks, **weights)


def importer(name: str):
    """Return a function of the importers, which stand above this module: named when it is asked for, not imported.

    People look for ``Graph.from_pyg`` on the class; splits and columns, which it needs, are no part of a graph. So
    the class only knows the name of whoever can, as the package itself knows its parts (``pgcn._HOMES``).
    """
    return getattr(importlib.import_module("pgcn.data.importers.objects"), name)
