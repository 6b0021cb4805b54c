"""Products with constant sparse matrices, for all lanes at once."""

import functools
import warnings

import numpy as np
import scipy.sparse as sp
import torch
import torch.nn.functional as F
from torch import Tensor

PROBED = 64
"""The largest number of columns that is compared with a wide product (:func:`deviating_counts`)."""

with warnings.catch_warnings():
    # torch warns once per process that CSR is in beta.
    warnings.simplefilter("ignore")
    torch.sparse_csr_tensor([0, 1], [0], [1.0], (1, 1), check_invariants=False)


def index_tensor(numbers: np.ndarray, device: torch.device) -> Tensor:
    """Return 32-bit indices, which the CPU kernels use without converting them."""
    return torch.from_numpy(numbers.reshape(-1).astype(np.int32, copy=False)).to(device)


def to_csr(matrix: sp.csr_array, device: torch.device, dtype: torch.dtype = torch.float32) -> Tensor:
    """Return a scipy CSR matrix as a torch CSR tensor."""
    values = torch.from_numpy(matrix.data).to(device, dtype)
    indices = index_tensor(matrix.indptr, device), index_tensor(matrix.indices, device)
    return torch.sparse_csr_tensor(*indices, values, matrix.shape, check_invariants=False)


def product(matrix: Tensor, dense: Tensor) -> Tensor:
    """Return a CSR matrix times a dense one, each column with the bits it has in a wide product."""
    columns = dense.shape[1]
    if columns not in deviating_counts() or dense.device.type != "cpu":
        return plain_product(matrix, dense)
    return plain_product(matrix, F.pad(dense, (0, padded_columns(columns) - columns)))[:, :columns].contiguous()


def plain_product(matrix: Tensor, dense: Tensor) -> Tensor:
    """Return a CSR matrix times a dense one; unlike ``@`` it does not fill the result with zeros first."""
    out = dense.new_empty(matrix.shape[0], dense.shape[1])
    return torch.addmm(out, matrix, dense, beta=0, out=out)


def padded_columns(columns: int) -> int:
    """Return the smallest count from ``columns`` up whose columns have the bits of a wide product.

    A BLAS may have a special kernel for some counts, which sums in another order: 16 to 31 columns on some CPUs,
    multiples of 4 on others. Such products are padded, so that a lane alone gives the bits it gives among others.
    """
    deviating = deviating_counts()
    if columns not in deviating:
        return columns
    return next((count for count in range(columns, PROBED + 1) if count not in deviating), columns)


@functools.cache
def deviating_counts() -> frozenset[int]:
    """Return the column counts whose product, on this CPU, differs in some bit from that of a wide one."""
    rng = np.random.default_rng(0)
    sparse = sp.random_array((48, 96), density=0.3, rng=rng, data_sampler=rng.standard_normal)
    matrix = to_csr(sp.csr_array(sparse), torch.device("cpu"))
    dense = torch.from_numpy(rng.standard_normal((96, 3 * PROBED), dtype=np.float32))
    wide = plain_product(matrix, dense)
    return frozenset(
        count
        for count in range(1, PROBED + 1)
        if not torch.equal(plain_product(matrix, dense[:, :count].contiguous()), wide[:, :count])
    )


def lanes_to_columns(lanes: Tensor) -> Tensor:
    """Return lanes [K, n, w] as one matrix [n, K·w]."""
    return lanes[0] if lanes.shape[0] == 1 else lanes.transpose(0, 1).reshape(lanes.shape[1], -1)


def columns_to_lanes(matrix: Tensor, num_lanes: int) -> Tensor:
    """Return a matrix [n, K·w] as lanes [K, n, w]."""
    if num_lanes == 1:
        return matrix.unsqueeze(0)
    return matrix.view(matrix.shape[0], num_lanes, -1).transpose(0, 1).contiguous()


class SparseOperator:
    """A constant sparse matrix S [m, n] and its transpose, which is made when first needed."""

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

    def on_lanes(self, lanes: Tensor) -> Tensor:
        """Return S applied to every lane, [K, n, w] -> [K, m, w]."""
        return columns_to_lanes(product(self.matrix, lanes_to_columns(lanes)), lanes.shape[0])

    def transpose_on_lanes(self, lanes: Tensor) -> Tensor:
        """Return Sᵀ applied to every lane, [K, m, w] -> [K, n, w]: the gradient of :meth:`on_lanes`."""
        return columns_to_lanes(product(self.transpose, lanes_to_columns(lanes)), lanes.shape[0])


class LaneSparse:
    """A sparse matrix [R, D] whose stored values differ from lane to lane; its pattern does not.

    All lanes are one CSR product: row k·R + r is lane k's row r, column d·K + k multiplies lane k's row d of
    weights stored as [D, K, w].
    """

    def __init__(self, pattern: sp.csr_array, num_lanes: int, device: torch.device) -> None:
        self.num_lanes, (self.rows, self.columns) = num_lanes, pattern.shape
        nnz, counts = pattern.nnz, np.diff(pattern.indptr)
        lane = np.arange(num_lanes)[:, None]
        self._crow = index_tensor(np.concatenate([[0], np.cumsum(np.tile(counts, num_lanes))]), device)
        self._col = index_tensor(pattern.indices * num_lanes + lane, device)
        # The transpose gathers the values of the matrix: entry e of column d comes, for lane k, after the K copies
        # of the columns before d and the k copies of column d itself.
        where = sp.csr_array((np.arange(nnz), pattern.indices, pattern.indptr), pattern.shape).T.tocsr()
        per_column = np.diff(where.indptr)
        first, length = (np.repeat(numbers, per_column) for numbers in (where.indptr[:-1], per_column))
        slot = (num_lanes - 1) * first + lane * length + np.arange(nnz)
        col_t, gather = np.empty(num_lanes * nnz, np.int64), np.empty(num_lanes * nnz, np.int64)
        col_t[slot] = lane * self.rows + where.indices
        gather[slot] = lane * nnz + where.data
        self._crow_t = index_tensor(np.concatenate([[0], np.cumsum(np.repeat(per_column, num_lanes))]), device)
        self._col_t, self._gather = index_tensor(col_t, device), index_tensor(gather, device)
        self._values = torch.from_numpy(pattern.data).to(device)

    def times(self, weight: Tensor, mask: Tensor) -> Tensor:
        """Return lane k's masked matrix times lane k's weight: [D, K, w] and mask [K, nnz] -> [K, R, w]."""
        shape = (self.num_lanes * self.rows, self.columns * self.num_lanes)
        values = (self._values * mask).view(-1)
        matrix = torch.sparse_csr_tensor(self._crow, self._col, values, shape, check_invariants=False)
        return product(matrix, weight.reshape(shape[1], -1)).view(self.num_lanes, self.rows, -1)

    def weight_gradient(self, grad: Tensor, mask: Tensor) -> Tensor:
        """Return the gradient [D, K, w] of the weight from that of the product, [K, R, w]."""
        shape = (self.columns * self.num_lanes, self.num_lanes * self.rows)
        values = (self._values * mask).view(-1).index_select(0, self._gather)
        matrix = torch.sparse_csr_tensor(self._crow_t, self._col_t, values, shape, check_invariants=False)
        return product(matrix, grad.reshape(shape[1], -1)).view(self.columns, self.num_lanes, -1)
