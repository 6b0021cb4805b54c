"""Sparse matrices of a graph: the adjacency and its normalisation, and features with normalised rows."""

import numpy as np
import scipy.sparse as sp
from torch import Tensor


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
