"""Which nodes are labelled, which validate and which test: drawn by a seed, in proportion to the classes.

Every function returns three bool tensors of shape [N]: labelled, validation, test. They never overlap. A node
whose class is not known (y = -1) is in none of them.
"""

import numpy as np
import torch
from torch import Tensor

from pgcn.data.split_names import checked_fraction, checked_per_class
from pgcn.errors import ConfigError, shown

__all__ = ["Masks", "fraction_split", "known_split", "random_split"]

Masks = tuple[Tensor, Tensor, Tensor]


def random_split(y, per_class: int, *, num_val: int = 500, num_test: int = 1000, seed: int = 0) -> Masks:
    """Label ``per_class`` nodes of every class; draw validation and test nodes from the others.

    Where fewer than ``num_val + num_test`` others are left, they are divided in the same proportion.
    """
    y, rng = np.asarray(y), generator(seed)
    checked_per_class(per_class)
    sizes = class_sizes(y)
    if sizes.min() < per_class:
        small = int(sizes.argmin())
        raise ConfigError(
            f"A random split of {per_class} labelled nodes per class needs as many in each class, "
            f"but class {small} has {sizes[small]}. Ask for at most {sizes[small]}."
        )
    order, rank = ranks_in_class(y, rng)
    labelled, others = order[rank < per_class], order[rank >= per_class]
    if len(others) < 2:
        raise ConfigError(
            f"{per_class} labelled nodes per class leave {len(others)} of {len(order)} nodes for validation "
            "and test; at least 2 are needed. Label fewer."
        )
    if len(others) < num_val + num_test:
        num_val = min(max(1, round(len(others) * num_val / (num_val + num_test))), len(others) - 1)
        num_test = len(others) - num_val
    others = others[proportional_order(y[others], rng)]
    return masks_of(len(y), labelled, others[:num_val], others[num_val : num_val + num_test])


def fraction_split(y, fraction: float, *, num_val: int = 500, seed: int = 0) -> Masks:
    """Label a share of all nodes whose class is known; ``num_val`` of the others validate, the rest test.

    Every class gets a labelled node. At most half of the others validate, so that some are left to test.
    """
    y, rng = np.asarray(y), generator(seed)
    checked_fraction(fraction)
    sizes = class_sizes(y)
    known = np.flatnonzero(y >= 0)
    num_labelled = round(fraction * len(known))
    if num_labelled < len(sizes):
        raise ConfigError(
            f"A labelled fraction of {fraction} is {num_labelled} of {len(known)} nodes, "
            f"fewer than the {len(sizes)} classes. Ask for at least {len(sizes) / len(known):.4f}."
        )
    if len(known) - num_labelled < 2:
        raise ConfigError(
            f"A labelled fraction of {fraction} leaves {len(known) - num_labelled} of {len(known)} nodes for "
            f"validation and test; at least 2 are needed. Ask for at most {1 - 2 / len(known):.4f}."
        )
    order = known[proportional_order(y[known], rng)]
    labelled, others = order[:num_labelled], order[num_labelled:]
    others = others[proportional_order(y[others], rng)]
    num_val = min(num_val, len(others) // 2)
    return masks_of(len(y), labelled, others[:num_val], others[num_val:])


def known_split(y, validation: float = 0.2, *, seed: int = 0) -> Masks:
    """Label every node whose class is known, but for a share of each class that validates; none tests.

    So a graph is divided whose other nodes are to be predicted. Of a class with one known node it is labelled.
    """
    y, rng = np.asarray(y), generator(seed)
    checked_fraction(validation)
    sizes = np.bincount(y[y >= 0])
    if not len(sizes):
        raise ConfigError("No node's class is known: there is nothing to label.")
    order, rank = ranks_in_class(y, rng)
    counts = np.clip(np.round(validation * sizes), 1, np.maximum(sizes - 1, 0)).astype(np.int64)
    validates = rank < counts[y[order]]
    if not validates.any():
        raise ConfigError(
            f"No class has two known nodes, {len(order)} in all: none is left to validate. Label more nodes."
        )
    return masks_of(len(y), order[~validates], order[validates], order[:0])


def generator(seed: int) -> np.random.Generator:
    """Return a generator of its own for the seed."""
    if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or seed < 0:
        raise ConfigError(f"seed must be a whole number of at least 0, got {shown(seed)}.")
    return np.random.default_rng(seed)


def class_sizes(y: np.ndarray) -> np.ndarray:
    """Return how many nodes each class has; refuse labels that leave a class empty."""
    sizes = np.bincount(y[y >= 0])
    if len(sizes) == 0:
        raise ConfigError("No node's class is known: there is nothing to label.")
    if sizes.min() == 0:
        raise ConfigError(f"Class {int(sizes.argmin())} has no node. Number the classes without gaps.")
    return sizes


def ranks_in_class(y: np.ndarray, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Return the nodes of known class, class by class, shuffled, and the rank of each in its class."""
    shuffled = rng.permutation(np.flatnonzero(y >= 0))
    order = shuffled[np.argsort(y[shuffled], kind="stable")]
    sizes = np.bincount(y[order])
    return order, np.arange(len(order)) - np.repeat(np.cumsum(sizes) - sizes, sizes)


def proportional_order(y: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Return a random order of the nodes, every prefix of which holds the classes in proportion.

    The r-th node of a class of size n is put at (r + ½) / n of the way; the first of each class comes before
    all, so that a prefix as long as the number of classes already holds one of each.
    """
    order, rank = ranks_in_class(y, rng)
    place = np.where(rank == 0, 0, (rank + 0.5) / np.bincount(y)[y[order]])
    return order[np.lexsort((rng.random(len(order)), place))]


def masks_of(num_nodes: int, *groups: np.ndarray) -> Masks:
    """Return one bool mask [N] for each group of nodes."""
    masks = torch.zeros(len(groups), num_nodes, dtype=torch.bool)
    for mask, nodes in zip(masks, groups, strict=True):
        mask[torch.from_numpy(nodes)] = True
    return tuple(mask.clone() for mask in masks)
