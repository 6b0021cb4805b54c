"""Arrays as people have them (lists, NumPy, pandas, torch), and the masks and names made of them.

Whatever is given becomes a good array or a :class:`pgcn.errors.GraphError`.
"""

from collections.abc import Mapping, Set
from typing import Any

import numpy as np
import scipy.sparse as sp
import torch
from torch import Tensor

from pgcn.errors import GraphError, shown

WHOLE, NUMBERS = "iu", "iuf"
"""Kinds of NumPy's types: whole numbers, and these with floats."""


def plain_array(value: Any, what: str) -> np.ndarray:
    """Return a value as an array of booleans, numbers or texts."""
    if value is None:
        raise GraphError(f"{what} must be given, got None.")
    if sp.issparse(value) or (isinstance(value, Tensor) and value.layout != torch.strided):
        raise GraphError(f"{what} must be a dense array, got a sparse one. Convert it first.")
    if np.ma.is_masked(value):
        raise GraphError(f"{what} has masked entries. Fill them first, such as by array.filled(0).")
    try:
        if isinstance(value, Tensor):
            value = value.detach().cpu().resolve_conj().resolve_neg()
            value = value.float() if value.dtype == torch.bfloat16 else value
        array = np.asarray(value)
    except Exception as error:  # whatever it is made of: NumPy asks the value itself
        raise GraphError(f"{what} cannot be read as an array: {first_line(error)}.") from error
    if array.dtype == object:
        raise GraphError(
            f"{what} holds Python objects, got {shown(value)}. Convert it to numbers first, such as by "
            "astype(float)."
        )
    return array


def first_line(error: Exception) -> str:
    """Return what an error says, in one line without its full stop."""
    lines = str(error).splitlines() or [type(error).__name__]
    return lines[0][:200].rstrip(".")


def described(array: np.ndarray) -> str:
    """Return for example 'int64 of shape (6,)'."""
    return f"{array.dtype} of shape {array.shape}"


def clean_mask(mask: Any, name: str, num_nodes: int) -> Tensor:
    """Return a mask, bool [N], of a mask or of the numbers of the nodes that it marks.

    As many zeros and ones as there are nodes are a mask; other whole numbers are the numbers of nodes.
    """
    array = plain_array(mask, f"The {name} mask")
    wanted = f"The {name} mask must be bool of shape ({num_nodes},), got {described(array)}"
    if array.size == 0 and array.ndim == 1:
        return torch.zeros(num_nodes, dtype=torch.bool)
    if array.dtype.kind not in "b" + NUMBERS:
        raise GraphError(f"{wanted}.")
    if array.ndim == 2 and array.shape[0] == num_nodes:
        raise GraphError(f"{wanted}: these are {array.shape[1]} masks. Choose one, such as mask[:, 0].")
    binary = array.dtype.kind == "b" or bool(np.isin(array, (0, 1)).all())
    if not binary and array.dtype.kind == "f":
        raise GraphError(f"{wanted}, with values other than 0 and 1.")
    if array.shape == (num_nodes,) and binary:
        return torch.from_numpy(array.astype(bool))
    if array.ndim == 1 and array.dtype.kind in WHOLE:
        return mask_of_nodes(array, wanted, num_nodes)
    raise GraphError(f"{wanted}: it must say of every node whether it is marked.")


def mask_of_nodes(numbers: np.ndarray, wanted: str, num_nodes: int) -> Tensor:
    """Return the mask of these nodes, bool [N]; a node named twice, or that is not there, is no node's number."""
    outside = (numbers < 0) | (numbers >= num_nodes)
    if outside.any():
        first = int(np.flatnonzero(outside)[0])
        raise GraphError(
            f"{wanted}: read as the numbers of nodes, {numbers[first]} is none, since they go from 0 to "
            f"{num_nodes - 1}."
        )
    if len(np.unique(numbers)) < len(numbers):
        raise GraphError(f"{wanted}: it must say of every node whether it is marked, or name each node once.")
    found = torch.zeros(num_nodes, dtype=torch.bool)
    found[torch.from_numpy(numbers.astype(np.int64))] = True
    return found


def clean_names(names: Any, count: int | None, what: str) -> tuple[str, ...] | None:
    """Return what nodes, features or classes are called, one name for each; ``count`` None takes any number."""
    if names is None:
        return None
    if isinstance(names, str | bytes):
        raise GraphError(f"{what}_names must be a list of names, got the text {shown(names)}.")
    if isinstance(names, Set | Mapping):
        raise GraphError(f"{what}_names must be a list of names in order, got {shown(names)}.")
    try:
        names = tuple(str(name) for name in names)
    except Exception as error:
        raise GraphError(f"{what}_names must be a list of names, got {shown(names)}.") from error
    if count is not None and len(names) != count:
        raise GraphError(f"{what}_names must hold one name per {what}: expected {count}, got {len(names)}.")
    return names


def clean_class_names(names: Any) -> tuple[str, ...] | None:
    """Return what classes are called: different names, none of them empty."""
    found = clean_names(names, None, "class")
    if found is None:
        return None
    if not found or not all(name.strip() for name in found):
        raise GraphError(f"class_names must name every class, got {shown(found)}.")
    if len(set(found)) < len(found):
        twice = next(name for name in found if found.count(name) > 1)
        raise GraphError(f"class_names must be different, got {shown(twice)} twice.")
    return found


def clean_text(value: Any, what: str) -> str:
    """Return a text."""
    if not isinstance(value, str):
        raise GraphError(f"The {what} of a graph is a text, got {shown(value)}.")
    return value
