"""The improvement rate r and the test it must pass (the paper's equations for r_b and r_l)."""

import math

from pgcn.events import Scores


def improvement_rate(metric: str, before: Scores, after: Scores) -> float:
    """Return r = (A_new − A_old) / A_old, with the sign reversed for a loss; |A_old| counts as at least 1e-12."""
    old: float = getattr(before, metric)
    new: float = getattr(after, metric)
    gain = old - new if metric.endswith("_loss") else new - old
    return gain / max(abs(old), 1e-12)


def is_enough(rate: float, epsilon: float, *, reject_equal: bool) -> bool:
    """Return whether an improvement is large enough to be accepted: r ≥ ε, or r > ε where equality is rejected."""
    return rate > epsilon if reject_equal else rate >= epsilon


def has_diverged(loss: float, error: float) -> bool:
    """Return whether training diverged: its last loss or the error E after it is infinite or not a number."""
    return not math.isfinite(loss + error)
