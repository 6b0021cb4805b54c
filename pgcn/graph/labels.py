"""Classes as people have them: numbers or names, and what says that a class is not known.

A class that is not known is -1 in a graph. People write -1, -100 (PyTorch's ``ignore_index``), NaN or nothing.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor

from pgcn.errors import GraphError, shown
from pgcn.graph.arrays import NUMBERS, first_line, plain_array
from pgcn.numbers import counted

NOT_KNOWN = (-1, -100)
"""Numbers that stand for a class that is not known."""
Labels = tuple[Tensor, tuple[str, ...] | None, list[str]]


def clean_labels(y: Any, num_nodes: int, class_names: Sequence[str] | None = None) -> Labels:
    """Return the class of each node, int64 [N], the names of the classes if y holds names, and notes."""
    array = label_array(y)
    if array.shape != (num_nodes,):
        raise GraphError(
            f"y must hold one class per node: expected shape ({num_nodes},), got {tuple(array.shape)}."
        )
    if array.dtype.kind == "U":
        return named_labels(array, class_names)
    if array.dtype.kind not in NUMBERS:
        raise GraphError(
            f"y must hold the numbers of classes, from 0 up, or their names, got {array.dtype}. Number the classes."
        )
    return numbered_labels(array)


def label_array(y: Any) -> np.ndarray:
    """Return labels as an array of numbers or of texts; None and the like become NaN or an empty text."""
    if isinstance(y, Tensor) or y is None or np.ma.is_masked(y):
        return plain_array(y, "y")
    try:
        array = np.asarray(y)
    except Exception as error:  # whatever it is made of: NumPy asks the value itself
        raise GraphError(f"y cannot be read as an array: {first_line(error)}.") from error
    if array.dtype.kind not in "OT" or array.ndim != 1:
        return plain_array(y, "y")
    missing = np.array([is_missing(value) for value in array], dtype=bool)
    kinds = {type(value) for value in array[~missing]}
    if kinds and all(issubclass(kind, str) for kind in kinds):
        return np.array(["" if gone else str(value) for value, gone in zip(array, missing, strict=True)])
    if kinds and all(issubclass(kind, int | float | np.number) and kind is not bool for kind in kinds):
        try:
            values = [np.nan if gone else float(value) for value, gone in zip(array, missing, strict=True)]
        except (OverflowError, TypeError) as error:
            raise GraphError(f"y must hold whole numbers: {first_line(error)}.") from error
        return np.array(values)
    raise GraphError(f"y must hold numbers or names of classes, got {shown(y)}.")


def is_missing(value: Any) -> bool:
    """Return whether a value says that nothing is known: None, NaN, pandas' NA and NaT, an empty text."""
    if isinstance(value, str):
        return not value.strip()
    return value is None or type(value).__name__ in ("NAType", "NaTType") or (value != value) is True


def numbered_labels(array: np.ndarray) -> Labels:
    """Return numbers of classes; a number that is not whole is refused, not cut."""
    unknown = np.isnan(array) if array.dtype.kind == "f" else np.zeros(len(array), dtype=bool)
    array = np.where(unknown, -1, array)
    with np.errstate(invalid="ignore"):
        bad = ~np.isfinite(array) | (array != np.round(array)) | (array < -(2**62)) | (array > 2**62)
    if bad.any():
        first = int(np.flatnonzero(bad)[0])
        raise GraphError(
            f"y must hold whole numbers: {int(bad.sum())} are not, the first is {array[first]} at node {first}. "
            "Where a class is not known, write -1."
        )
    ignored = array == NOT_KNOWN[1]
    found = np.where(ignored, -1, array).astype(np.int64)
    given = [
        f"{int(which.sum())} as {what}" for which, what in ((unknown, "NaN"), (ignored, "-100")) if which.any()
    ]
    notes = [f"Classes that are not known were given: {', '.join(given)}."] if given else []
    return torch.from_numpy(found), None, notes


def named_labels(array: np.ndarray, class_names: Sequence[str] | None) -> Labels:
    """Return the numbers of classes that are named, in the order of ``class_names`` or else of the alphabet."""
    unknown = np.isin(np.char.strip(array), ("", "nan", "NaN"))
    found, which = np.unique(array[~unknown], return_inverse=True)
    names = tuple(map(str, found)) if class_names is None else tuple(class_names)
    place = {name: number for number, name in enumerate(names)}
    strange = [str(name) for name in found if str(name) not in place]
    if strange:
        number = counted(len(strange), "class", "classes")
        raise GraphError(f"y names {number} not in class_names, the first is {shown(strange[0])}.")
    y = np.full(len(array), -1, dtype=np.int64)
    y[~unknown] = np.array([place[str(name)] for name in found], dtype=np.int64)[which]
    return torch.from_numpy(y), names, []
