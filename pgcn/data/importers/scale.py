"""Features on one scale: rows that sum to one for counts and bags of words, standardised columns for others."""

from typing import Any

import numpy as np
import scipy.sparse as sp

from pgcn.data.importers.fit import Fit
from pgcn.errors import DataError
from pgcn.graph import row_normalized

SPARSE = 0.5
"""Share of numbers that are not zero, below which non-negative features are taken for counts."""


def scaled_features(matrix, how: str, fit: Fit | None = None, what: str = "numbers") -> tuple[sp.csr_array, str]:
    """Return features [N, D] scaled as asked, and a sentence that says how; none where nothing changed."""
    found, fit = finite(matrix), fit or Fit()

    def chosen() -> str:
        counts = found.data.min(initial=0) >= 0 and found.nnz < SPARSE * found.shape[0] * found.shape[1]
        return "rows" if counts or is_row_normalized(found) else "standard"

    how = fit.of(f"scale of {what}", lambda: chosen() if how == "auto" else how)
    if how == "rows" and not is_row_normalized(found):
        return row_normalized(found), "Features were scaled so that each node's sum to one."
    if how == "standard":
        return standardized(found, fit, what)
    return found.astype(np.float32), ""


def finite(matrix) -> sp.csr_array:
    """Return features as float64 CSR; refuse what is no finite number."""
    if not sp.issparse(matrix):
        matrix = np.asarray(matrix)
    if matrix.ndim != 2 or matrix.dtype.kind not in "biuf":
        raise DataError(f"Features must be a matrix of real numbers, got {matrix.dtype} of shape {matrix.shape}.")
    found = sp.csr_array(matrix, dtype=np.float64)
    bad = ~np.isfinite(found.data)
    if bad.any():
        first = int(np.flatnonzero(bad)[0])
        row = int(np.searchsorted(found.indptr, first, side="right")) - 1
        raise DataError(
            f"Features must be finite: {int(bad.sum())} are not, the first is {found.data[first]} at node {row}, "
            f"feature {int(found.indices[first])}. Correct them."
        )
    return found


def is_row_normalized(features: sp.csr_array) -> bool:
    """Return whether each row sums to one already, or is empty."""
    totals = abs(features).sum(axis=1)
    return bool((np.isclose(totals, 1, atol=1e-4) | (totals == 0)).all() and (totals > 0).any())


def standardized(features: sp.csr_array, fit: Fit, what: str) -> tuple[sp.csr_array, str]:
    """Return each column with mean 0 and standard deviation 1; sparse ones keep zeros, only divided."""

    def find() -> dict[str, Any]:
        mean, deviation = moments(features)
        is_sparse = features.nnz < SPARSE * features.shape[0] * features.shape[1]
        return {"sparse": is_sparse, "mean": mean.tolist(), "deviation": deviation.tolist()}

    used = fit.of(f"mean and deviation of {what}", find)
    mean, deviation = np.array(used["mean"]), np.array(used["deviation"])
    if len(mean) != features.shape[1]:
        raise DataError(f"There are {features.shape[1]:,} columns of {what}; the other graph has {len(mean):,}.")
    factor = np.divide(1.0, deviation, out=np.zeros_like(deviation), where=deviation > 0)
    constant = int((deviation == 0).sum())
    same = f" {constant} of them are the same for all nodes and became 0." if constant else ""
    if used["sparse"]:
        data = features.data * factor[features.indices]
        scaled = sp.csr_array((data, features.indices, features.indptr), shape=features.shape)
        return scaled.astype(np.float32), f"Features were divided by their standard deviation.{same}"
    dense = (features.toarray() - mean) * factor
    return sp.csr_array(dense.astype(np.float32)), f"Features were standardised: mean 0, deviation 1.{same}"


def moments(features: sp.csr_array) -> tuple[np.ndarray, np.ndarray]:
    """Return the mean and the standard deviation of each column, 0 where it is constant."""
    with np.errstate(over="ignore", invalid="ignore"):
        mean = features.sum(axis=0) / features.shape[0]
        square = features.power(2).sum(axis=0) / features.shape[0]
        deviation = np.sqrt(np.maximum(square - mean**2, 0))
    if not np.isfinite(deviation).all():
        raise DataError("Features are too large to be standardised. Divide them, or use scale none.")
    deviation[deviation <= 1e-12 * np.sqrt(np.maximum(square, 1e-300))] = 0
    return mean, deviation
