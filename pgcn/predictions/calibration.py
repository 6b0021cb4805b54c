"""Whether a network is right as often as it is sure: reliability, expected calibration error, temperature.

Guo et al., On Calibration of Modern Neural Networks, 2017. Nodes are those whose class is known and that the
network was not trained on; whoever asks says which. No torch.
"""

from dataclasses import dataclass

import numpy as np

from pgcn.errors import GraphError
from pgcn.predictions.table import Predictions

BINS = 10
VALIDATION, TEST = 2, 3
"""Parts of a graph, as in :class:`pgcn.predictions.table.Predictions`."""
COLDEST, HOTTEST = 0.01, 20.0
"""Between these a temperature is looked for."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Reliability:
    """How often predictions were right among those that were about as sure, in bins (0, 1/B], ..., (1 - 1/B, 1].

    count       nodes in each bin, int64 [B]
    confidence  the mean of max_c p_c in each bin, NaN where it is empty, [B]
    accuracy    the share that was right, NaN where it is empty, [B]
    """

    count: np.ndarray
    confidence: np.ndarray
    accuracy: np.ndarray

    @property
    def nodes(self) -> int:
        return int(self.count.sum())

    @property
    def calibration_error(self) -> float:
        """The expected calibration error: sum_b n_b/n |accuracy_b - confidence_b|."""
        filled = self.count > 0
        gaps = np.abs(self.accuracy[filled] - self.confidence[filled])
        return float((self.count[filled] * gaps).sum() / self.nodes)


def reliability(probabilities: np.ndarray, classes: np.ndarray, bins: int = BINS) -> Reliability:
    """Return how often predictions [n, C] of nodes with known classes [n] were right, by how sure they were."""
    check_known(classes)
    sure = probabilities.max(axis=1)
    right = probabilities.argmax(axis=1) == classes
    place = np.clip(np.ceil(sure * bins).astype(int) - 1, 0, bins - 1)
    count = np.bincount(place, minlength=bins)
    divisor = np.where(count > 0, count, np.nan)
    return Reliability(
        count=count,
        confidence=np.bincount(place, sure, bins) / divisor,
        accuracy=np.bincount(place, right, bins) / divisor,
    )


def log_softmax(logits: np.ndarray) -> np.ndarray:
    """Return z_c - log sum_k exp z_k for each row, float64 [n, C]."""
    shifted = logits.astype(np.float64) - logits.max(axis=1, keepdims=True)
    return shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))


def negative_log_likelihood(logits: np.ndarray, classes: np.ndarray, temperature: float = 1.0) -> float:
    """Return -1/n sum_i log softmax(z_i / T)[y_i]."""
    return float(-log_softmax(logits / temperature)[np.arange(len(classes)), classes].mean())


def fitted_temperature(logits: np.ndarray, classes: np.ndarray) -> float:
    """Return the T > 0 that makes the negative log-likelihood of softmax(z / T) least; no class changes by it.

    In 1/T it is convex, so its slope, mean_i (E_p[z_i] - z_i[y_i]), changes sign once at most: bisection between
    1/20 and 100. Where all are right the least is at T = 0, and the coldest is taken.
    """
    check_known(classes)
    logits = logits.astype(np.float64)
    of_class = logits[np.arange(len(classes)), classes]

    def slope(sharpness: float) -> float:
        share = np.exp(log_softmax(logits * sharpness))
        return float(((share * logits).sum(axis=1) - of_class).mean())

    low, high = 1 / HOTTEST, 1 / COLDEST
    for _ in range(60):
        middle = np.sqrt(low * high)
        low, high = (middle, high) if slope(middle) < 0 else (low, middle)
    return float(1 / np.sqrt(low * high))


def calibrated(found: Predictions) -> Predictions:
    """Return predictions with the temperature that was fitted on their validation nodes."""
    nodes = found.in_part(VALIDATION)
    return found.at_temperature(fitted_temperature(found.logits[nodes], found.y[nodes]))


def as_probabilities(found: Predictions, *, fits_squares: bool) -> Predictions:
    """Return predictions at the temperature that is right where nobody asks for another one.

    What was fitted to squared error gives about 1 for the class and 0 for the others: softmax of that is close to
    uniform. Its temperature is fitted where the graph has validation nodes; that of other networks is 1.
    """
    return calibrated(found) if fits_squares and len(found.in_part(VALIDATION)) else found


def check_known(classes: np.ndarray) -> None:
    if len(classes) == 0 or classes.min() < 0:
        raise GraphError(
            "Calibration needs nodes whose class is known and that the network was not trained on, got "
            f"{np.count_nonzero(classes >= 0):,}. Give the graph validation nodes."
        )
