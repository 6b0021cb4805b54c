"""How well classes separate, and how far nodes move: numbers about embeddings and features."""

import numpy as np

NEIGHBOURS = 10
"""The k of the k-nearest-neighbour accuracy."""
ROWS = 1024
"""All pairs of nodes are compared so many rows at a time."""


def separation(points: np.ndarray, classes: np.ndarray) -> dict[str, float | None]:
    """Return silhouette and k-nearest-neighbour accuracy of points [n, d] by their true classes [n].

    Nodes of unknown class (-1) are left out. None where a number has no meaning: fewer than two classes.
    """
    known = classes >= 0
    points, classes = points[known], classes[known]
    different = len(np.unique(classes))
    if not 2 <= different < len(classes):
        return {"silhouette": None, "knn": None}
    return {"silhouette": silhouette(points, classes), "knn": knn_accuracy(points, classes)}


def silhouette(points: np.ndarray, classes: np.ndarray) -> float:
    """Return the mean over nodes of (b - a) / max(a, b), between -1 and 1; 0 for a node alone in its class.

    a is a node's mean distance to the others of its class, b to the nearest other class.
    """
    points = points.astype(np.float32) - points.mean(axis=0, dtype=np.float32)
    classes = np.unique(classes, return_inverse=True)[1]
    members = np.eye(classes.max() + 1, dtype=np.float32)[classes]  # [n, c]
    counts, square = members.sum(axis=0), np.square(points).sum(axis=1)
    total = 0.0
    for first in range(0, len(points), ROWS):
        rows = slice(first, first + ROWS)
        distances = np.maximum(square[rows, None] + square - 2 * points[rows] @ points.T, 0)
        sums = np.sqrt(distances, out=distances) @ members  # [rows, c]
        own, here = classes[rows], np.arange(len(sums))
        inside = sums[here, own] / np.maximum(counts[own] - 1, 1)
        means = sums / counts
        means[here, own] = np.inf
        outside = means.min(axis=1)
        score = (outside - inside) / np.maximum(np.maximum(outside, inside), np.finfo(np.float32).tiny)
        total += float(score[counts[own] > 1].sum())
    return total / len(points)


def knn_accuracy(points: np.ndarray, classes: np.ndarray, k: int = NEIGHBOURS) -> float:
    """Return the share of nodes whose class most of their k nearest others have; ties go to the lower class."""
    from sklearn.neighbors import NearestNeighbors

    nearest = NearestNeighbors(n_neighbors=min(k, len(points) - 1)).fit(points).kneighbors(return_distance=False)
    votes = np.zeros((len(points), int(classes.max()) + 1), dtype=np.int32)
    np.add.at(votes, (np.arange(len(points))[:, None], classes[nearest]), 1)
    return float((votes.argmax(axis=1) == classes).mean())


def normalised(points: np.ndarray) -> np.ndarray:
    """Return an embedding with its centre at 0 and a root mean square radius of 1, [n, 2]."""
    centred = points - points.mean(axis=0)
    radius = np.sqrt(np.square(centred).sum(axis=1).mean())
    return centred / radius if radius > 0 else centred


def median_move(before: np.ndarray, after: np.ndarray) -> float:
    """Return the median distance a node has moved between two embeddings, both normalised."""
    return float(np.median(np.linalg.norm(normalised(before) - normalised(after), axis=1)))


def aligned(points: np.ndarray, before: np.ndarray) -> np.ndarray:
    """Return an embedding turned and mirrored to lie as near as can be to the one before; its shape stays."""
    centred = points - points.mean(axis=0)
    left, _, right = np.linalg.svd(centred.T @ (before - before.mean(axis=0)))
    return centred @ (left @ right)
