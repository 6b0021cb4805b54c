"""What features, edges and masks must be, and how they are cleaned."""

from collections.abc import Sequence

import numpy as np
import scipy.sparse as sp
import torch
from torch import Tensor

from pgcn.errors import GraphError
from pgcn.graph.arrays import NUMBERS, WHOLE, first_line, plain_array
from pgcn.numbers import counted


def clean_features(features) -> sp.csr_array:
    """Return the features as float32 CSR [N, D]; refuse what is not finite."""
    if isinstance(features, Tensor) and features.layout != torch.strided:
        features = features.detach().cpu().to_dense()
    matrix = sparse_features(features) if sp.issparse(features) else dense_features(features)
    if 0 in matrix.shape:
        raise GraphError(f"Features must have at least one row and one column, got shape {matrix.shape}.")
    matrix.sum_duplicates()
    bad = ~np.isfinite(matrix.data)
    if bad.any():
        first = int(np.flatnonzero(bad)[0])
        row = int(np.searchsorted(matrix.indptr, first, side="right")) - 1
        raise GraphError(
            f"Features must be finite: {int(bad.sum())} of them are NaN, infinite or too large for float32, the "
            f"first at node {row}, feature {int(matrix.indices[first])}. Replace them before building the graph."
        )
    return matrix


def dense_features(features) -> sp.csr_array:
    """Return features that are given as an array."""
    array = plain_array(features, "Features")
    if array.ndim != 2:
        raise GraphError(f"Features must be a matrix [nodes, features], got {counted(array.ndim, 'dimension')}.")
    check_kind(array.dtype)
    with np.errstate(over="ignore", invalid="ignore"):
        return sp.csr_array(array, dtype=np.float32)


def sparse_features(features) -> sp.csr_array:
    """Return features that are given as a matrix of SciPy's."""
    if features.ndim != 2:
        raise GraphError(f"Features must be a matrix [nodes, features], got {counted(features.ndim, 'dimension')}.")
    check_kind(features.dtype)
    try:
        if hasattr(features, "check_format"):
            features.check_format(full_check=True)  # what points outside of itself would end the process
        with np.errstate(over="ignore", invalid="ignore"):
            matrix = sp.csr_array(features, dtype=np.float32)
        matrix.check_format(full_check=True)
    except (ValueError, TypeError, IndexError) as error:
        raise GraphError(f"Features are a damaged sparse matrix: {first_line(error)}.") from error
    return matrix


def check_kind(dtype: np.dtype) -> None:
    """Refuse features that are no real numbers."""
    if dtype.kind not in "biuf":
        raise GraphError(f"Features must be real numbers, got {dtype}.")


def edge_array(edge_index, num_nodes: int) -> tuple[np.ndarray, np.ndarray | None, list[str]]:
    """Return edges as they are given, whole numbers [2, E], the weights of an adjacency, and notes.

    An edge list is [2, E] or [E, 2]; one of shape [2, 2] is read as [2, E], as PyG has it.
    """
    if isinstance(edge_index, Tensor) and edge_index.layout != torch.strided:
        edge_index = sparse_tensor(edge_index)
    if sp.issparse(edge_index):
        return adjacency_edges(edge_index, num_nodes)
    edges = plain_array(edge_index, "edge_index")
    if edges.size == 0:
        return np.zeros((2, 0), dtype=np.int64), None, []
    if edges.ndim != 2 or 2 not in edges.shape:
        hint = ""
        if edges.ndim == 2 and edges.shape[0] == edges.shape[1]:
            hint = " If it is an adjacency matrix, give scipy.sparse.csr_array(matrix)."
        raise GraphError(f"edge_index must have shape [2, edges] or [edges, 2], got {edges.shape}.{hint}")
    if edges.dtype.kind not in WHOLE:
        raise GraphError(f"edge_index must hold whole numbers, got {edges.dtype}.")
    if edges.shape[0] != 2:
        return edges.T, None, ["Read edge_index as one row for each edge."]
    return edges, None, []


def sparse_tensor(tensor: Tensor) -> sp.coo_array:
    """Return a sparse tensor of torch's as a matrix of SciPy's."""
    try:
        found = tensor.detach().cpu().to_sparse_coo().coalesce()
        return sp.coo_array((found.values().numpy(), tuple(found.indices().numpy())), shape=tuple(found.shape))
    except (RuntimeError, ValueError, TypeError) as error:
        raise GraphError(f"edge_index is a damaged sparse tensor: {first_line(error)}.") from error


def adjacency_edges(matrix, num_nodes: int) -> tuple[np.ndarray, np.ndarray | None, list[str]]:
    """Return the edges of an adjacency [N, N] and their weights, None where all are 1; zeros are no edges."""
    if matrix.shape != (num_nodes, num_nodes):
        raise GraphError(
            f"The adjacency matrix must have a row and a column for each of {num_nodes:,} nodes, got shape "
            f"{matrix.shape}."
        )
    if matrix.dtype.kind not in "biuf":
        raise GraphError(f"An adjacency matrix must hold real numbers, got {matrix.dtype}.")
    try:
        if hasattr(matrix, "check_format"):
            matrix.check_format(full_check=True)
        found = sp.coo_array(matrix)
    except (ValueError, TypeError, IndexError) as error:
        raise GraphError(f"The adjacency matrix is damaged: {first_line(error)}.") from error
    source, target = found.coords
    weights = found.data.astype(np.float64)
    stored = weights != 0
    edges = np.stack([source, target]).astype(np.int64)[:, stored]
    weights = weights[stored]
    return edges, None if (weights == 1).all() else weights, []


def clean_edges(edge_index: np.ndarray, num_nodes: int) -> tuple[Tensor, list[str]]:
    """Return edges [2, E] symmetric, simple and sorted, and sentences that say what that took."""
    outside = (edge_index < 0) | (edge_index >= num_nodes)
    if outside.any():
        which = int(np.flatnonzero(outside.any(axis=0))[0])
        source, target = (int(end) for end in edge_index[:, which])
        raise GraphError(
            f"Edge {which} joins {source} and {target}, but nodes are numbered 0 to {num_nodes - 1}. "
            f"{counted(int(outside.any(axis=0).sum()), 'edge')} to a node that is not there."
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
        notes.append(f"Dropped {counted(loops, 'self-loop')}: A + I gives every node exactly one.")
    if len(given) < without_loops:
        notes.append(f"Merged {counted(without_loops - len(given), 'duplicate edge')}.")
    if one_way:
        notes.append(f"Made {counted(len(mutual) - len(given), 'one-way edge')} mutual.")
    edges = np.stack([source, target])
    isolated = int((np.bincount(source, minlength=num_nodes) == 0).sum())
    if isolated:
        notes.append(f"{counted(isolated, 'node')} without a neighbour.")
    return torch.from_numpy(edges), notes


def clean_weights(given: np.ndarray, weights: np.ndarray, edges: Tensor) -> tuple[Tensor, list[str]]:
    """Return a weight for each of the cleaned edges, float32 [E], and sentences that say what that took."""
    count = given.shape[1]
    if weights.shape != (count,) or weights.dtype.kind not in NUMBERS:
        raise GraphError(
            f"edge_weight must hold one number per edge, {count}; got {weights.dtype} {weights.shape}."
        )
    weights = weights.astype(np.float64)
    bad = ~np.isfinite(weights) | (weights <= 0)
    if bad.any():
        first = int(np.flatnonzero(bad)[0])
        raise GraphError(
            f"Edge weights must be finite and above 0: {int(bad.sum())} are not, the first is {weights[first]} at "
            f"edge {first}. Leave such edges out, or make their weights positive."
        )
    if edges.shape[1] == 0:  # there were none, or self-loops only
        return torch.zeros(0), []
    source, target = edges.numpy()
    size = int(max(given.max(initial=0), edges.max().item() if edges.numel() else 0)) + 1
    added = sp.csr_array((weights, (given[0], given[1])), shape=(size, size))
    there, back = (np.asarray(added[ends]).ravel() for ends in ((source, target), (target, source)))
    both = (there > 0) & (back > 0)
    differ = int((both & (there != back)).sum()) // 2
    found = np.where(both, (there + back) / 2, there + back)
    with np.errstate(over="ignore", under="ignore"):
        found = found.astype(np.float32)
    if not (np.isfinite(found) & (found > 0)).all():
        raise GraphError("Edge weights must be finite and above 0 as float32; some are too large or too small.")
    notes = (
        [f"{counted(differ, 'edge')} with another weight in each direction: the mean is used."] if differ else []
    )
    return torch.from_numpy(found), notes


def sorted_unique(keys: np.ndarray) -> np.ndarray:
    """Return the different keys in order; the array given is sorted on the way.

    NumPy 2.3 and later look integers up in a hash table for np.unique: sixty times slower at 20 million keys.
    """
    keys.sort()
    first = np.ones(len(keys), dtype=bool)
    np.not_equal(keys[1:], keys[:-1], out=first[1:])
    return keys[first]


def check_masks(
    y: Tensor, num_classes: int, train: Tensor, val: Tensor, test: Tensor, names: Sequence[str] = ()
) -> None:
    """Refuse masks that overlap, mark a node of unknown class, or leave a class without a labelled node.

    ``names`` are those of the classes, where they have some.
    """
    masks = {"labelled": train, "validation": val, "test": test}
    for name, mask in masks.items():
        unknown = int((y[mask] < 0).sum())
        if unknown:
            raise GraphError(
                f"The {name} mask marks {counted(unknown, 'node')} whose class is not known. Unmark them."
            )
    both = int(((train & val) | (train & test) | (val & test)).sum())
    if both:
        raise GraphError(
            f"Labelled, validation and test nodes must not overlap; {counted(both, 'node')} in two masks."
        )
    if not train.any():
        raise GraphError("No node is labelled. Mark at least one node per class in train_mask.")
    if not val.any():
        raise GraphError("No validation node. Mark some: what a network gains is judged on them.")
    counts = torch.bincount(y[train], minlength=num_classes)
    if (counts == 0).any():
        without = torch.nonzero(counts == 0).flatten().tolist()
        missing = ", ".join(names[number] if names else str(number) for number in without[:10])
        missing += ", ..." * (len(without) > 10)
        raise GraphError(
            f"Every class needs a labelled node; without one: {missing}. Mark one in "
            "train_mask, or leave the class out; or ask for a random split."
        )
