"""From features [n, d] to a map [n, 2]: t-SNE, UMAP, PCA. Each works on from the map before it.

t-SNE is openTSNE's, not scikit-learn's: its optimisation can be taken up from any map for any number of iterations
and given up in between. Measured on Cora: a map made alone (320 iterations) took 3.5 s, one made from the last (80
iterations) 1.2 s and came as near to its optimum. One thread: two add up in another order each time, and the same
seed must give the same map.
"""

import warnings
from collections.abc import Generator
from importlib.metadata import version

import numpy as np

from pgcn.embeddings.metrics import aligned
from pgcn.errors import ConfigError, GraphError, no_such

LIBRARIES = {"tsne": "openTSNE", "umap": "umap-learn", "pca": "scikit-learn"}
TITLES = {"tsne": "t-SNE", "umap": "UMAP", "pca": "PCA"}
PERPLEXITY = 30.0
UMAP_NEIGHBOURS = 15
EXACT_UP_TO = 10_000
"""From so many nodes on t-SNE's repulsion is interpolated on a grid instead of summed over a tree."""
CHUNK = 40
"""t-SNE says how far it is, and can be cancelled, after so many iterations."""
ALONE = ((12.0, 120), (1.0, 200))
"""Exaggeration and iterations of a map that begins at nothing."""
FROM_LAST = ((4.0, 40), (1.0, 40))
"""And of one that begins at the map before it: a little exaggeration lets a class leave its old place."""

Reduction = Generator[float, None, np.ndarray]
"""Yields how far it is, from 0 to 1; returns the map."""


def checked_method(method: str) -> str:
    if method not in LIBRARIES:
        raise ConfigError(no_such("method", method, LIBRARIES))
    return method


def library_version(method: str) -> str:
    """Return what made a map, for its key."""
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
    """Return the features if there is anything to map in them."""
    if not np.isfinite(features).all():
        raise GraphError(
            f"The features of {what} are not all finite: training has diverged, there is no map of it."
        )
    if len(features) < 3:
        raise GraphError(f"A map needs at least 3 nodes, got {len(features)}.")
    if (features == features[0]).all():
        raise GraphError(
            f"All {len(features):,} nodes have the same features in {what}: there is no map to make of it."
        )
    return features


def reduce_features(
    features: np.ndarray,
    last: np.ndarray | None,
    *,
    method: str,
    perplexity: float | None = None,
    seed: int = 0,
    afresh: bool = False,
) -> Reduction:
    """Reduce features [n, d] to a map [n, 2] that lies as near as can be to the last one.

    With ``afresh`` the last map only lends its shape: it is shrunk to a point and unfolds in full.
    """
    make = {"tsne": tsne_map, "umap": umap_map, "pca": pca_map}[checked_method(method)]
    made = yield from make(features.astype(np.float64), last, perplexity=perplexity, seed=seed, afresh=afresh)
    made = made - made.mean(axis=0) if last is None else aligned(made, last)
    return made.astype(np.float32)


def tsne_map(features: np.ndarray, last: np.ndarray | None, *, perplexity, seed: int, afresh: bool) -> Reduction:
    from openTSNE import TSNEEmbedding, initialization
    from openTSNE.affinity import PerplexityBasedNN
    from openTSNE.nearest_neighbors import PrecomputedNeighbors

    count = len(features)
    perplexity = perplexity_for(count, perplexity)
    distances, nearest = nearest_neighbours(features, min(count - 1, int(3 * perplexity)))
    affinities = PerplexityBasedNN(perplexity=perplexity, knn_index=PrecomputedNeighbors(nearest, distances))
    if last is None:
        start = initialization.pca(features, random_state=seed)
    else:
        start = initialization.rescale(last.astype(np.float64)) if afresh else last.astype(np.float64)
    made = TSNEEmbedding(
        start, affinities, negative_gradient_method="bh" if count <= EXACT_UP_TO else "fft", theta=0.8,
        n_jobs=1, random_state=seed,
    )  # fmt: skip
    plan = ALONE if last is None or afresh else FROM_LAST
    whole, done = sum(iterations for _, iterations in plan), 0
    yield 0.0
    for exaggeration, iterations in plan:
        for _ in range(0, iterations, CHUNK):
            momentum = 0.5 if exaggeration > 1 else 0.8
            made.optimize(CHUNK, exaggeration=exaggeration, momentum=momentum, inplace=True)
            done += CHUNK
            yield done / whole
    return np.asarray(made)


def umap_map(features: np.ndarray, last: np.ndarray | None, *, perplexity, seed: int, afresh: bool) -> Reduction:
    yield 0.0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ImportWarning)  # it would like Tensorflow, for what is not used here
        from umap import UMAP

    # Left to itself UMAP compares all pairs of up to 4,096 nodes in Python, which takes 10 s on Cora.
    neighbours = min(UMAP_NEIGHBOURS, len(features) - 1)
    distances, nearest = nearest_neighbours(features, neighbours - 1)
    itself = np.arange(len(features))[:, None]
    known = (np.hstack([itself, nearest]), np.pad(distances, ((0, 0), (1, 0))).astype(np.float32))
    fewer = {} if last is None or afresh else {"n_epochs": 50}
    start = "pca" if last is None else last
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*knn_search_index")  # needed for new nodes only
        made = UMAP(
            n_neighbors=neighbours, precomputed_knn=known, force_approximation_algorithm=True, init=start,
            random_state=seed, n_jobs=1, **fewer,
        ).fit_transform(features)  # fmt: skip
    yield 1.0
    return made


def nearest_neighbours(features: np.ndarray, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Return distances to and positions of each node's nearest others, [n, count] each."""
    from sklearn.neighbors import NearestNeighbors

    return NearestNeighbors(n_neighbors=count).fit(features).kneighbors()


def pca_map(features: np.ndarray, last: np.ndarray | None, *, perplexity, seed: int, afresh: bool) -> Reduction:
    from sklearn.decomposition import PCA

    yield 0.0
    width = min(2, *features.shape)
    made = PCA(width, svd_solver="full").fit_transform(features)
    return np.pad(made, ((0, 0), (0, 2 - width)))
