"""Mean, standard deviation and confidence interval: one place for all that is averaged. Standard library only."""

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from pgcn.numbers import known, mean_sd, signed

# Student's t at 97.5 % for 1 to 30 degrees of freedom; beyond, the expansion around the normal quantile.
T_975 = (
    *(12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228),
    *(2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086),
    *(2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042),
)


def t_quantile(freedom: int) -> float:
    """Return Student's t at 97.5 % for so many degrees of freedom."""
    if freedom <= len(T_975):
        return T_975[freedom - 1]
    z = statistics.NormalDist().inv_cdf(0.975)
    return z + (z**3 + z) / (4 * freedom) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)


def t_tail(t: float, freedom: float) -> float:
    """Return how likely Student's t is at least ``t`` away from 0: Simpson's rule on its density.

    With t = √freedom·tan(a) the density is proportional to cos(a)^(freedom - 1), on a bounded interval.
    """
    if math.isinf(t):
        return 0.0
    end, steps = math.atan(abs(t) / math.sqrt(freedom)), 400
    width = end / steps
    sums = sum(
        (1 if step in (0, steps) else 4 if step % 2 else 2) * math.cos(step * width) ** (freedom - 1)
        for step in range(steps + 1)
    )
    scale = math.exp(math.lgamma((freedom + 1) / 2) - math.lgamma(freedom / 2)) / math.sqrt(math.pi)
    return max(0.0, 1 - 2 * scale * sums * width / 3)


@dataclass(frozen=True, kw_only=True)
class Spread:
    """Mean and standard deviation over n values, and half the 95 % confidence interval of the mean.

    Both are None for one value. ``recorded`` says that the values came with the program.
    """

    n: int
    mean: float
    sd: float | None
    half_ci: float | None
    recorded: bool = False

    @classmethod
    def of(cls, values: Sequence[float], *, recorded: bool = False) -> "Spread":
        if not values or any(math.isnan(value) for value in values):  # not measured: there were no test nodes
            return cls(n=len(values), mean=math.nan, sd=None, half_ci=None, recorded=recorded)
        sd = statistics.stdev(values) if len(values) > 1 else None
        half_ci = None if sd is None else t_quantile(len(values) - 1) * sd / math.sqrt(len(values))
        return cls(n=len(values), mean=statistics.fmean(values), sd=sd, half_ci=half_ci, recorded=recorded)

    def text(self, digits: int = 1, *, sign: str = "") -> str:
        """Return mean ± sd; with ``sign`` "+" a difference."""
        return mean_sd(self.mean, self.sd, digits, sign=bool(sign))

    def plain(self) -> dict[str, float | None]:
        """Return mean and standard deviation for JSON: 0 for one value, None where nothing was measured."""
        mean = known(self.mean)
        return {"mean": mean, "sd": None if mean is None else self.sd or 0.0}

    @property
    def is_clear(self) -> bool:
        """Whether the 95 % confidence interval of a difference leaves zero out; never for one value."""
        return self.half_ci is not None and abs(self.mean) > self.half_ci

    def interval(self, digits: int = 1) -> str:
        """Return the 95 % confidence interval of a difference, such as '+32.4 to +47.0'; nothing for one value."""
        if self.half_ci is None:
            return ""
        low, high = self.mean - self.half_ci, self.mean + self.half_ci
        return f"{signed(low, digits)} to {signed(high, digits)}"
