"""Numbers as people read them. A graph may have no test nodes: what was not measured is NaN, shown as a dash."""

import math
from collections.abc import Iterable


def known(value: float | None) -> float | None:
    """Return a number, None where it was not measured: JSON and charts have no NaN."""
    return None if value is None or math.isnan(value) else value


def percent(share: float | None) -> str:
    """Return for example '81.5 %'."""
    return "–" if known(share) is None else f"{100 * share:.1f} %"


def mean_sd(mean: float, sd: float | None, digits: int = 1, *, sign: bool = False) -> str:
    """Return for example '81.5 ± 0.4', or '+1.5 ± 0.4' of a difference; one value has no standard deviation."""
    text = signed(mean, digits) if sign else f"{mean:z,.{digits}f}"
    return text if sd is None else f"{text} ± {sd:,.{digits}f}"


def percent_spread(mean: float, sd: float) -> str:
    """Return for example '81.5 ± 0.4 %', of shares of 1."""
    return f"{mean_sd(100 * mean, 100 * sd)} %"


def signed(number: float, digits: int = 1) -> str:
    """Return a difference with its sign: '+1.5', '−0.4'."""
    return f"{number:+z,.{digits}f}".replace("-", "−")


def reported_on(test_accuracies: Iterable[float | None]) -> str:
    """Return which nodes an accuracy is reported on: "test", or "validation" where there are no test nodes."""
    return "test" if all(known(accuracy) is not None for accuracy in test_accuracies) else "validation"


def exact(number: float) -> str:
    """Return the shortest text that reads back as the same number: '50', '10.00001'."""
    short = f"{number:g}"
    return short if float(short) == number else repr(float(number))


def counted(number: int, noun: str, plural: str = "") -> str:
    """Return for example '1 run', '3 runs', '2 processes'."""
    return f"{number:,} {noun if number == 1 else plural or f'{noun}s'}"
