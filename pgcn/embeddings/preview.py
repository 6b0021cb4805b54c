"""What can be shown of embeddings before they are there. Nothing of it is stored."""

import threading
import time

import numpy as np

from pgcn.embeddings.metrics import aligned
from pgcn.embeddings.steps import predictions
from pgcn.store.embeddings import Cached

PAUSE = 0.2
"""Seconds between two iterates that are kept to be shown."""


class Preview:
    """Principal components in place of embeddings, and the last iterate of the one in the making.

    The worker of a job writes it, any page that shows the job reads it.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._frames: dict[str, Cached] = {}
        self._iterate: tuple[str, int, np.ndarray] | None = None
        self._seen = 0.0
        self._last: np.ndarray | None = None

    def add(self, key: str, features: np.ndarray, dimensions: int, *, logits: bool) -> None:
        """Show the principal components of features until the embedding of a key is there."""
        points = principal_components(features, dimensions)
        if logits:
            points = self._last = points if self._last is None else aligned(points, self._last).astype(np.float32)
        arrays = {"map": points}
        if logits:
            arrays["logits"] = features
            arrays["predicted"], arrays["confidence"] = predictions(features)
        with self._lock:
            self._frames[key] = Cached(facts={}, arrays=arrays)

    def watch(self, key: str, points: np.ndarray, last: np.ndarray | None) -> None:
        """Show an iterate of the embedding of a key, turned as the last embedding is; most are left out."""
        now = time.monotonic()
        if now - self._seen < PAUSE:
            return
        self._seen = now
        shown = (points if last is None else aligned(points, last)).astype(np.float32)
        with self._lock:
            number = self._iterate[1] + 1 if self._iterate else 1
            self._iterate = (key, number, shown)

    @property
    def frames(self) -> dict[str, Cached]:
        """What stands for embeddings, by their keys."""
        with self._lock:
            return dict(self._frames)

    @property
    def iterate(self) -> tuple[str, int, np.ndarray] | None:
        """The key of the embedding in the making, how many iterates were kept, and the last one, [n, 2 or 3]."""
        with self._lock:
            return self._iterate


def principal_components(features: np.ndarray, count: int) -> np.ndarray:
    """Return the first principal components of features [n, d], float32 [n, count].

    By numpy alone: it is there before scikit-learn has been imported.
    """
    centred = features.astype(np.float64) - features.mean(axis=0)
    _, directions = np.linalg.eigh(centred.T @ centred)  # by growing variance
    made = centred @ directions[:, ::-1][:, :count]
    return np.pad(made, ((0, 0), (0, count - made.shape[1]))).astype(np.float32)
