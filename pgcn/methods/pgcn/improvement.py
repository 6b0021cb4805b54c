"""The improvement rate r, the test it must pass (the paper's equations for r_b and r_l), and a stricter one."""

import math

from pgcn.events import Scores

NODES = {"val_accuracy": ("val", "validation"), "labelled_accuracy": ("labelled", "training")}
"""For each metric that counts nodes: the field of RunStarted that says how many, and their name."""
SMOOTHED = "val_accuracy_and_loss"


def metric_value(metric: str, scores: Scores) -> float:
    """Return A: an accuracy or a loss; smoothed, ½ (accuracy + exp(−loss)) of the validation nodes.

    For cross-entropy exp(−loss) is the geometric mean of the probabilities that the nodes' own classes get, so
    both parts lie between 0 and 1, and one node more that is right changes less than where nodes are counted.
    """
    if metric == SMOOTHED:
        return (scores.val_accuracy + math.exp(-scores.val_loss)) / 2
    return float(getattr(scores, metric))


def is_loss(metric: str) -> bool:
    """Return whether less is better."""
    return metric in ("labelled_loss", "val_loss")


def improvement_rate(metric: str, before: Scores, after: Scores) -> float:
    """Return r = (A_new − A_old) / A_old, with the sign reversed for a loss; |A_old| counts as at least 1e-12."""
    old, new = metric_value(metric, before), metric_value(metric, after)
    gain = old - new if is_loss(metric) else new - old
    return gain / max(abs(old), 1e-12)


def threshold(epsilon: float, metric: str, before: Scores | None, *, margin: float, nodes: int) -> float:
    """Return what r must reach: ε, or more where the gain must be ``margin`` standard errors of the accuracy.

    The standard error of an accuracy A over n nodes is √(A(1−A)/n); as a rate it is that over A.
    """
    if not margin or before is None:
        return epsilon
    accuracy = metric_value(metric, before)
    standard_error = math.sqrt(accuracy * (1 - accuracy) / max(nodes, 1))
    return max(epsilon, margin * standard_error / max(accuracy, 1e-12))


def is_enough(rate: float, epsilon: float, *, reject_equal: bool) -> bool:
    """Return whether an improvement is large enough to be accepted: r ≥ ε, or r > ε where equality is rejected."""
    return rate > epsilon if reject_equal else rate >= epsilon


def has_diverged(loss: float, error: float) -> bool:
    """Return whether training diverged: its last loss or the error E after it is infinite or not a number."""
    return not math.isfinite(loss + error)
