"""The improvement rate r and the test it must pass (Eqs. of the paper's Section on progression)."""

from pgcn.events import Scores


def improvement_rate(metric: str, before: Scores, after: Scores) -> float:
    """Return r = (A_new − A_old) / A_old, with the sign turned for a loss; a vanishing A_old counts as 1e-12."""
    old, new = getattr(before, metric), getattr(after, metric)
    gain = old - new if metric.endswith("_loss") else new - old
    return gain / max(abs(old), 1e-12)


def stays(rate: float, epsilon: float, *, reject_equal: bool) -> bool:
    """Return whether an improvement is large enough: r ≥ ε, or r > ε where equality is rejected."""
    return rate > epsilon if reject_equal else rate >= epsilon
