"""A graph with features and labels, checked when it is made, and the two matrices the method needs of it."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import scipy.sparse as sp
import torch
from torch import Tensor

from pgcn.errors import GraphError

MASKS = ("train_mask", "val_mask", "test_mask")


@dataclass(frozen=True, kw_only=True, eq=False)
class Graph:
    """An undirected graph for node classification.

    Make one with :func:`build_graph`, which checks and cleans; the loaders in :mod:`pgcn.data` do so.

    features     scipy CSR, float32, [N, D]
    edge_index   int64 [2, E], every undirected edge in both directions, no self-loop, no duplicate, sorted
    y            int64 [N], the class of each node, -1 where it is not known
    *_mask       bool [N], pairwise disjoint; ``train_mask`` marks the labelled nodes
    notes        what cleaning changed, and other things the user should know, as sentences
    split        in words, where the masks come from
    recipe       the arguments of ``load_graph`` that make this graph again, None for a graph of one's own
    """

    name: str
    features: sp.csr_array
    edge_index: Tensor
    y: Tensor
    train_mask: Tensor
    val_mask: Tensor
    test_mask: Tensor
    class_names: tuple[str, ...]
    split: str = "given"
    notes: tuple[str, ...] = field(default=())
    recipe: dict[str, Any] | None = None

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

    def with_masks(self, train: Tensor, val: Tensor, test: Tensor, *, split: str) -> "Graph":
        """Return the same graph with other labelled, validation and test nodes."""
        check_masks(self.y, self.num_classes, train, val, test)
        return replace(self, train_mask=train, val_mask=val, test_mask=test, split=split, recipe=None)

    def with_features(self, features, *, note: str) -> "Graph":
        """Return the same graph with other node features [N, D']."""
        return replace(self, features=clean_features(features), notes=(*self.notes, note), recipe=None)

    def to_pyg(self):
        """Return a ``torch_geometric.data.Data`` with dense features."""
        from torch_geometric.data import Data

        masks = {name: getattr(self, name) for name in MASKS}
        return Data(x=self.x, edge_index=self.edge_index, y=self.y, **masks)


def build_graph(
    *,
    name: str,
    features,
    edge_index,
    y,
    train_mask,
    val_mask,
    test_mask,
    class_names: Sequence[str] | None = None,
    split: str = "given",
    notes: Sequence[str] = (),
) -> Graph:
    """Check and clean the parts of a graph; say in ``notes`` what was changed.

    Self-loops are dropped (A + I adds one to every node), duplicate edges are merged and one-way edges are
    made mutual. Isolated nodes stay: they see only themselves.
    """
    features = clean_features(features)
    num_nodes = features.shape[0]
    edges, edge_notes = clean_edges(np.asarray(edge_index), num_nodes)
    y = torch.as_tensor(np.asarray(y)).to(torch.int64)
    if y.shape != (num_nodes,):
        raise GraphError(f"y must hold one class per node: expected shape ({num_nodes},), got {tuple(y.shape)}.")
    num_classes = len(class_names) if class_names is not None else int(y.max()) + 1
    if y.min() < -1 or y.max() >= num_classes:
        raise GraphError(
            f"Classes must lie between 0 and {num_classes - 1} (-1 where not known), "
            f"got values from {int(y.min())} to {int(y.max())}."
        )
    masks = [torch.as_tensor(np.asarray(mask)).to(torch.bool) for mask in (train_mask, val_mask, test_mask)]
    check_masks(y, num_classes, *masks)
    return Graph(
        name=name,
        features=features,
        edge_index=edges,
        y=y,
        train_mask=masks[0],
        val_mask=masks[1],
        test_mask=masks[2],
        class_names=tuple(class_names) if class_names else tuple(f"class {c}" for c in range(num_classes)),
        split=split,
        notes=(*notes, *edge_notes),
    )


def clean_features(features) -> sp.csr_array:
    """Return the features as float32 CSR [N, D]; refuse what is not finite."""
    if isinstance(features, Tensor):
        features = features.detach().cpu()
        features = features.to_dense().numpy() if features.layout != torch.strided else features.numpy()
    if not sp.issparse(features):
        features = np.asarray(features)
        if features.ndim != 2:
            raise GraphError(f"Features must be a matrix [nodes, features], got {features.ndim} dimension(s).")
    matrix = sp.csr_array(features, dtype=np.float32)
    if 0 in matrix.shape:
        raise GraphError(f"Features must have at least one row and one column, got shape {matrix.shape}.")
    matrix.sum_duplicates()
    bad = ~np.isfinite(matrix.data)
    if bad.any():
        first = int(np.flatnonzero(bad)[0])
        row = int(np.searchsorted(matrix.indptr, first, side="right")) - 1
        raise GraphError(
            f"Features must be finite: {int(bad.sum())} of them are NaN or infinite, the first at node {row}, "
            f"feature {int(matrix.indices[first])}. Replace them before building the graph."
        )
    return matrix


def clean_edges(edge_index: np.ndarray, num_nodes: int) -> tuple[Tensor, list[str]]:
    """Return the edges symmetric, simple and sorted, and sentences that say what that took."""
    if edge_index.size == 0:
        edge_index = np.zeros((2, 0), dtype=np.int64)
    if edge_index.ndim != 2 or edge_index.shape[0] != 2:
        raise GraphError(f"edge_index must have shape [2, edges], got {edge_index.shape}.")
    if not np.issubdtype(edge_index.dtype, np.integer):
        raise GraphError(f"edge_index must hold whole numbers, got {edge_index.dtype}.")
    outside = (edge_index < 0) | (edge_index >= num_nodes)
    if outside.any():
        which = int(np.flatnonzero(outside.any(axis=0))[0])
        source, target = (int(end) for end in edge_index[:, which])
        raise GraphError(
            f"Edge {which} joins {source} and {target}, but nodes are numbered 0 to {num_nodes - 1}. "
            f"{int(outside.any(axis=0).sum())} edge(s) name a node that is not there."
        )
    source, target = edge_index.astype(np.int64)
    loops = int((source == target).sum())
    if loops:
        keep = source != target
        source, target = source[keep], target[keep]
    without_loops = len(source)
    given = sorted_unique(source * num_nodes + target)
    source, target = np.divmod(given, num_nodes)
    mutual = target * num_nodes + source
    mutual.sort()
    one_way = not np.array_equal(given, mutual)
    if one_way:
        mutual = sorted_unique(np.concatenate([given, mutual]))
        source, target = np.divmod(mutual, num_nodes)
    notes = []
    if loops:
        notes.append(f"Dropped {loops} self-loop(s): A + I gives every node exactly one.")
    if len(given) < without_loops:
        notes.append(f"Merged {without_loops - len(given)} duplicate edge(s).")
    if one_way:
        notes.append(f"Made {len(mutual) - len(given)} one-way edge(s) mutual.")
    edges = np.stack([source, target])
    isolated = int((np.bincount(source, minlength=num_nodes) == 0).sum())
    if isolated:
        notes.append(f"{isolated} node(s) have no neighbour and see only themselves.")
    return torch.from_numpy(edges), notes


def sorted_unique(keys: np.ndarray) -> np.ndarray:
    """Return the different keys in order; the array given is sorted on the way.

    NumPy 2.3 and later look integers up in a hash table for np.unique: sixty times slower at 20 million keys.
    """
    keys.sort()
    first = np.ones(len(keys), dtype=bool)
    np.not_equal(keys[1:], keys[:-1], out=first[1:])
    return keys[first]


def check_masks(y: Tensor, num_classes: int, train: Tensor, val: Tensor, test: Tensor) -> None:
    """Refuse masks that overlap, mark a node of unknown class, or leave a class without a labelled node."""
    masks = {"labelled": train, "validation": val, "test": test}
    for name, mask in masks.items():
        if mask.dtype != torch.bool or mask.shape != y.shape:
            raise GraphError(
                f"The {name} mask must be bool of shape {tuple(y.shape)}, got {mask.dtype} {tuple(mask.shape)}."
            )
        unknown = int((y[mask] < 0).sum())
        if unknown:
            raise GraphError(f"The {name} mask marks {unknown} node(s) whose class is not known. Unmark them.")
    both = int(((train & val) | (train & test) | (val & test)).sum())
    if both:
        raise GraphError(f"Labelled, validation and test nodes must not overlap; {both} node(s) are in two masks.")
    if not train.any():
        raise GraphError("No node is labelled. Mark at least one node per class in train_mask.")
    for name in ("validation", "test"):
        if not masks[name].any():
            raise GraphError(
                f"No {name} node. Mark some: growth is judged on validation nodes, reported on test nodes."
            )
    counts = torch.bincount(y[train], minlength=num_classes)
    if (counts == 0).any():
        missing = ", ".join(str(int(c)) for c in torch.nonzero(counts == 0)[:10])
        raise GraphError(f"Every class needs a labelled node; class(es) {missing} have none.")


def row_normalized(features: sp.csr_array) -> sp.csr_array:
    """Return the features with every row's absolute sum scaled to one; empty rows stay empty."""
    totals = np.asarray(abs(features).sum(axis=1), dtype=np.float64).ravel()
    scale = np.divide(1.0, totals, out=np.zeros_like(totals), where=totals > 0)
    return scaled(features, scale).astype(np.float32)


def scaled(matrix: sp.csr_array, rows: np.ndarray, columns: np.ndarray | None = None) -> sp.csr_array:
    """Return diag(rows) M diag(columns) with M's own pattern; products with diagonal matrices take far longer."""
    data = matrix.data * np.repeat(rows, np.diff(matrix.indptr))
    if columns is not None:
        data *= columns[matrix.indices]
    return sp.csr_array((data, matrix.indices, matrix.indptr), matrix.shape)


def adjacency(edge_index: Tensor, num_nodes: int, edge_weight: Tensor | None = None) -> sp.csr_array:
    """Return A with A[i, j] the weight of the edge from j to i (PyG's source-to-target), shape [N, N]."""
    source, target = edge_index.cpu().numpy()
    weight = np.ones(len(source), dtype=np.float64) if edge_weight is None else edge_weight.cpu().numpy()
    return sp.csr_array((weight, (target, source)), shape=(num_nodes, num_nodes), dtype=np.float64)


def normalized_adjacency(adjacency: sp.csr_array, *, self_loops: bool = True) -> sp.csr_array:
    """Return Â = D̃^-½ (A + I) D̃^-½, or D^-½ A D^-½ without self-loops, float64 [N, N].

    A node that already has a self-loop keeps its weight, as in PyG.
    """
    if self_loops:
        missing = (adjacency.diagonal() == 0).astype(np.float64)
        adjacency = sp.csr_array(adjacency + sp.diags_array(missing))
    deg = np.asarray(adjacency.sum(axis=1), dtype=np.float64).ravel()
    deg_inv_sqrt = np.divide(1.0, np.sqrt(deg), out=np.zeros_like(deg), where=deg > 0)
    return scaled(adjacency, deg_inv_sqrt, deg_inv_sqrt)
