"""From features [n, d] to an embedding [n, 2 or 3]: t-SNE, UMAP, PCA. Each starts from the embedding before it.

t-SNE is openTSNE's, not scikit-learn's: its optimisation can start from any embedding, take any number of
iterations and stop in between. Measured on Cora: one made alone (320 iterations) took 3.5 s, one made from the last
(80 iterations) 1.2 s and came as near to its optimum. One thread: two add up in another order each time, and the
same seed must give the same embedding.
"""

import warnings
from collections.abc import Callable, Generator
from dataclasses import dataclass
from importlib.metadata import version

import numpy as np

from pgcn.embeddings.metrics import aligned
from pgcn.errors import ConfigError, GraphError, no_such

LIBRARIES = {"tsne": "openTSNE", "umap": "umap-learn", "pca": "scikit-learn"}
TITLES = {"tsne": "t-SNE", "umap": "UMAP", "pca": "PCA"}
PERPLEXITY = 30.0
UMAP_NEIGHBOURS = 15
EXACT_UP_TO = 10_000
"""From so many nodes on t-SNE's repulsion is interpolated on a grid instead of summed over a tree: in two
dimensions, there is no such grid for three."""
CHUNK = 40
"""t-SNE says how far it is after so many iterations."""
CHECK_EVERY = 5
"""And asks whether to go on after so many."""
ROWS = 64 * 256
"""Neighbours are looked for so many nodes at a time: a multiple of what scikit-learn does at once, so that the
distances are the same to the last bit. Where many are looked for, of fewer nodes, to ask more often whether to go
on."""
MANY = 200
ALONE = ((12.0, 120), (1.0, 200))
"""Exaggeration and iterations of an embedding that begins at nothing."""
FROM_LAST = ((4.0, 40), (1.0, 40))
"""And of one that begins at the embedding before it: a little exaggeration lets a class leave its old place."""

Check = Callable[[], None]
"""Called now and then in long computations: it raises where these are to stop."""
Watch = Callable[[np.ndarray], None]
"""Called with every few iterates of an embedding, [n, 2 or 3], only to show them: the array is still worked on."""
Reduction = Generator[float, None, np.ndarray]
"""Yields how far it is, from 0 to 1; returns the embedding."""


@dataclass(frozen=True, kw_only=True)
class Asked:
    """How an embedding is to be made: ``alone`` says that it unfolds in full, whatever it begins at."""

    perplexity: float | None
    seed: int
    alone: bool
    check: Check
    watch: Watch


def checked_method(method: str) -> str:
    if not isinstance(method, str) or method not in LIBRARIES:
        raise ConfigError(no_such("method", method, LIBRARIES))
    return method


def library_version(method: str) -> str:
    """Return what made an embedding, for its key."""
    return f"{LIBRARIES[method]} {version(LIBRARIES[method])}"


def perplexity_for(count: int, wanted: float | None) -> float:
    """Return the perplexity for so many nodes: the one wanted, else 30, or less where a graph is too small for it.

    A perplexity of p looks at 3p neighbours of each node, so 3p must not exceed n - 1.
    """
    most = (count - 1) // 3
    if most < 2:
        raise GraphError(f"t-SNE needs at least 7 nodes, got {count}. Use PCA instead.")
    if wanted is None:
        return min(PERPLEXITY, float(most))
    if not 2 <= wanted <= most:
        raise GraphError(
            f"A perplexity of {wanted:g} does not suit {count:,} nodes: choose one from 2 to {most}, "
            "a third of the other nodes, or leave it out."
        )
    return wanted


def checked_features(features: np.ndarray, what: str) -> np.ndarray:
    """Return the features if there is anything to embed in them."""
    if not np.isfinite(features).all():
        raise GraphError(
            f"The features of {what} are not all finite: training has diverged, there is no embedding."
        )
    if len(features) < 3:
        raise GraphError(f"An embedding needs at least 3 nodes, got {len(features)}.")
    if (features == features[0]).all():
        raise GraphError(
            f"All {len(features):,} nodes have the same features in {what}: there is nothing to embed."
        )
    return features


def reduce_features(
    features: np.ndarray,
    last: np.ndarray | None,
    *,
    method: str,
    dimensions: int = 2,
    perplexity: float | None = None,
    seed: int = 0,
    afresh: bool = False,
    check: Check = lambda: None,
    watch: Watch = lambda points: None,
) -> Reduction:
    """Reduce features [n, d] to an embedding [n, dimensions] that lies as near as can be to the last one.

    With ``afresh`` the last embedding only lends its shape: it is shrunk to a point and unfolds in full. ``check``
    is called every few seconds where the method allows it, and may raise to end it all.
    """
    make = {"tsne": by_tsne, "umap": by_umap, "pca": by_pca}[checked_method(method)]
    alone = last is None or afresh
    asked = Asked(perplexity=perplexity, seed=seed, alone=alone, check=check, watch=watch)
    made = yield from make(features.astype(np.float64), last, dimensions, asked)
    made = made - made.mean(axis=0) if last is None else aligned(made, last)
    return made.astype(np.float32)


def by_tsne(features: np.ndarray, last: np.ndarray | None, dimensions: int, asked: Asked) -> Reduction:
    from openTSNE import TSNEEmbedding, initialization
    from openTSNE.affinity import PerplexityBasedNN
    from openTSNE.nearest_neighbors import PrecomputedNeighbors

    count = len(features)
    perplexity = perplexity_for(count, asked.perplexity)
    distances, nearest = nearest_neighbours(features, min(count - 1, int(3 * perplexity)), asked.check)
    affinities = PerplexityBasedNN(perplexity=perplexity, knn_index=PrecomputedNeighbors(nearest, distances))
    if last is None:
        start = initialization.pca(widened(features, dimensions), n_components=dimensions, random_state=asked.seed)
    else:
        start = initialization.rescale(last.astype(np.float64)) if asked.alone else last.astype(np.float64)
    gradient = "bh" if count <= EXACT_UP_TO or dimensions > 2 else "fft"
    how = {"negative_gradient_method": gradient, "theta": 0.8, "n_jobs": 1, "random_state": asked.seed}
    made = TSNEEmbedding(start, affinities, **how)
    plan = ALONE if asked.alone else FROM_LAST
    whole, done = sum(iterations for _, iterations in plan), 0

    def between(iteration: int, error: float, embedding: np.ndarray) -> None:
        asked.check()
        asked.watch(np.asarray(embedding))

    yield 0.0
    for exaggeration, iterations in plan:
        for _ in range(0, iterations, CHUNK):
            momentum = 0.5 if exaggeration > 1 else 0.8
            calls = {"callbacks": between, "callbacks_every_iters": CHECK_EVERY}
            made.optimize(CHUNK, exaggeration=exaggeration, momentum=momentum, inplace=True, **calls)
            done += CHUNK
            yield done / whole
    return np.asarray(made)


def by_umap(features: np.ndarray, last: np.ndarray | None, dimensions: int, asked: Asked) -> Reduction:
    yield 0.0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ImportWarning)  # it would like Tensorflow, for what is not used here
        from umap import UMAP

    # Left to itself UMAP compares all pairs of up to 4,096 nodes in Python, which takes 10 s on Cora.
    neighbours = min(UMAP_NEIGHBOURS, len(features) - 1)
    distances, nearest = nearest_neighbours(features, neighbours - 1, asked.check)
    itself = np.arange(len(features))[:, None]
    known = (np.hstack([itself, nearest]), np.pad(distances, ((0, 0), (1, 0))).astype(np.float32))
    fewer = {} if asked.alone else {"n_epochs": 50}
    start, wide = "pca" if last is None else last, widened(features, dimensions)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*knn_search_index")  # needed for new nodes only
        how = {
            "precomputed_knn": known,
            "force_approximation_algorithm": True,
            "random_state": asked.seed,
            "n_jobs": 1,
        }
        how["tqdm_kwds"] = {"disable": False, "mininterval": 0.5, "file": Checking(asked.check)}
        made = UMAP(n_neighbors=neighbours, n_components=dimensions, init=start, **how, **fewer).fit_transform(wide)
    yield 1.0
    return made


def widened(features: np.ndarray, width: int) -> np.ndarray:
    """Return features with columns of zeros where there are fewer than an embedding has dimensions."""
    return np.pad(features, ((0, 0), (0, max(0, width - features.shape[1]))))


class Checking:
    """Where UMAP writes how far it is: its one way to say so. Nothing is written."""

    def __init__(self, check: Check) -> None:
        self._check = check

    def write(self, text: str) -> None:
        self._check()

    def flush(self) -> None:
        """There is nothing to flush."""


def nearest_neighbours(features: np.ndarray, count: int, check: Check) -> tuple[np.ndarray, np.ndarray]:
    """Return distances to and positions of each node's nearest others, [n, count] each."""
    from sklearn.neighbors import NearestNeighbors

    search = NearestNeighbors(n_neighbors=count).fit(features)
    at_once = ROWS if count <= MANY else ROWS // 4
    if len(features) <= at_once:
        return search.kneighbors()
    parts = []
    for first in range(0, len(features), at_once):
        check()
        rows = np.arange(first, min(first + at_once, len(features)))
        distances, nearest = search.kneighbors(features[rows], count + 1)
        others = nearest != rows[:, None]
        others[others.all(axis=1), 0] = False  # of so many equal nodes it is not among its own nearest
        parts.append((distances[others].reshape(-1, count), nearest[others].reshape(-1, count)))
    return np.concatenate([part[0] for part in parts]), np.concatenate([part[1] for part in parts])


def by_pca(features: np.ndarray, last: np.ndarray | None, dimensions: int, asked: Asked) -> Reduction:
    from sklearn.decomposition import PCA

    yield 0.0
    width = min(dimensions, *features.shape)
    return widened(PCA(width, svd_solver="full").fit_transform(features), dimensions)
