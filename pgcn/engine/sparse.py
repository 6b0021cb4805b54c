"""Constant sparse matrices that gradients flow through."""

import warnings

import numpy as np
import scipy.sparse as sp
import torch
from torch import Tensor

with warnings.catch_warnings():
    # torch announces once per process that CSR is in beta; every product here rests on it knowingly.
    warnings.simplefilter("ignore")
    torch.sparse_csr_tensor([0, 1], [0], [1.0], (1, 1), check_invariants=False)


def index_tensor(numbers: np.ndarray, device: torch.device) -> Tensor:
    """Return 32-bit indices, which the CPU kernels take as they are."""
    return torch.from_numpy(numbers.reshape(-1).astype(np.int32, copy=False)).to(device)


def to_csr(matrix: sp.csr_array, device: torch.device, dtype: torch.dtype = torch.float32) -> Tensor:
    """Return a scipy CSR matrix as a torch CSR tensor."""
    values = torch.from_numpy(matrix.data).to(device, dtype)
    indices = index_tensor(matrix.indptr, device), index_tensor(matrix.indices, device)
    return torch.sparse_csr_tensor(*indices, values, matrix.shape, check_invariants=False)


class SparseOperator:
    """A constant sparse matrix S [m, n]; ``S @ dense`` has the gradient Sᵀ @ grad, from a stored Sᵀ."""

    def __init__(self, matrix: sp.csr_array, device: torch.device, *, symmetric: bool = False) -> None:
        self.shape = matrix.shape
        self.matrix = to_csr(matrix, device)
        self._source = None if symmetric else matrix
        self._transpose = self.matrix if symmetric else None

    @property
    def transpose(self) -> Tensor:
        if self._transpose is None:
            self._transpose = to_csr(self._source.T.tocsr(), self.matrix.device)
            self._source = None
        return self._transpose

    def __matmul__(self, dense: Tensor) -> Tensor:
        if not (torch.is_grad_enabled() and dense.requires_grad):
            return self.matrix @ dense
        return _SparseProduct.apply(self.matrix, self.transpose, dense)

    def on_lanes(self, lanes: Tensor) -> Tensor:
        """Return S applied to every lane, [K, n, w] -> [K, m, w], as one product with [n, K·w]."""
        num_lanes, _, width = lanes.shape
        side_by_side = lanes.transpose(0, 1).reshape(self.shape[1], num_lanes * width)
        product = self @ side_by_side
        return product.view(self.shape[0], num_lanes, width).transpose(0, 1).contiguous()


class _SparseProduct(torch.autograd.Function):
    @staticmethod
    def forward(ctx, matrix: Tensor, transpose: Tensor, dense: Tensor) -> Tensor:
        ctx.transpose_ = transpose
        return matrix @ dense

    @staticmethod
    def backward(ctx, grad: Tensor):
        return None, None, ctx.transpose_ @ grad.contiguous()


class LaneSparse:
    """A sparse matrix [R, D] whose stored values differ from lane to lane; its pattern does not.

    All lanes are one CSR product: row k·R + r holds lane k's row r, column d·K + k meets lane k's row of
    weights kept as [D, K, w].
    """

    def __init__(self, pattern: sp.csr_array, num_lanes: int, device: torch.device) -> None:
        self.num_lanes, self.rows = num_lanes, pattern.shape[0]
        nnz, counts = pattern.nnz, np.diff(pattern.indptr)
        lane = np.arange(num_lanes)[:, None]
        self._crow = index_tensor(np.concatenate([[0], np.cumsum(np.tile(counts, num_lanes))]), device)
        self._col = index_tensor(pattern.indices * num_lanes + lane, device)
        # The transpose gathers what the matrix holds: entry e of column d stands, for lane k, behind the K
        # copies of the columns before d and the k copies of column d before it.
        where = sp.csr_array((np.arange(nnz), pattern.indices, pattern.indptr), pattern.shape).T.tocsr()
        per_column = np.diff(where.indptr)
        first, length = (np.repeat(numbers, per_column) for numbers in (where.indptr[:-1], per_column))
        slot = (num_lanes - 1) * first + lane * length + np.arange(nnz)
        col_t, gather = np.empty(num_lanes * nnz, np.int64), np.empty(num_lanes * nnz, np.int64)
        col_t[slot] = lane * self.rows + where.indices
        gather[slot] = lane * nnz + where.data
        self._crow_t = index_tensor(np.concatenate([[0], np.cumsum(np.repeat(per_column, num_lanes))]), device)
        self._col_t, self._gather = index_tensor(col_t, device), index_tensor(gather, device)
        self.values = torch.from_numpy(pattern.data).to(device)

    def matmul(self, values: Tensor, weight: Tensor) -> Tensor:
        """Return lane k's matrix times lane k's weight: values [K, nnz], weight [D, K, w] -> [K, R, w]."""
        return _LaneSparseProduct.apply(self, values, weight)

    def forward(self, values: Tensor, weight: Tensor) -> Tensor:
        shape = (self.num_lanes * self.rows, weight.shape[0] * self.num_lanes)
        matrix = torch.sparse_csr_tensor(self._crow, self._col, values.reshape(-1), shape, check_invariants=False)
        return (matrix @ weight.reshape(shape[1], -1)).view(self.num_lanes, self.rows, -1)

    def gradient(self, values: Tensor, grad: Tensor, weight_shape: torch.Size) -> Tensor:
        shape = (weight_shape[0] * self.num_lanes, self.num_lanes * self.rows)
        gathered = values.reshape(-1).index_select(0, self._gather)
        matrix = torch.sparse_csr_tensor(self._crow_t, self._col_t, gathered, shape, check_invariants=False)
        return (matrix @ grad.reshape(shape[1], -1)).view(weight_shape)


class _LaneSparseProduct(torch.autograd.Function):
    @staticmethod
    def forward(ctx, pattern: LaneSparse, values: Tensor, weight: Tensor) -> Tensor:
        ctx.pattern, ctx.weight_shape = pattern, weight.shape
        ctx.save_for_backward(values)
        return pattern.forward(values, weight)

    @staticmethod
    def backward(ctx, grad: Tensor):
        (values,) = ctx.saved_tensors
        return None, None, ctx.pattern.gradient(values, grad, ctx.weight_shape)
