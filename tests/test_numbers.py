"""Numbers as people read them."""

import math

import pytest

from pgcn.numbers import counted, exact, mean_sd, percent, percent_spread, reported_on, signed
from pgcn.studies.statistics import Spread


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (mean_sd(81.54, 0.38), "81.5 ± 0.4"),
        (mean_sd(81.54, None), "81.5"),
        (mean_sd(23040.0, 1200.4, 0), "23,040 ± 1,200"),
        (mean_sd(-0.04, 0.5), "0.0 ± 0.5"),
        (mean_sd(-1.5, 0.5, sign=True), "−1.5 ± 0.5"),
        (percent_spread(0.815, 0.004), "81.5 ± 0.4 %"),
        (percent(math.nan), "–"),
        (signed(0.0), "+0.0"),
        (exact(10.00001), "10.00001"),
        (counted(1, "run"), "1 run"),
        (counted(2, "search", "searches"), "2 searches"),
        (reported_on([0.8, math.nan]), "validation"),
    ],
)
def test_a_number_reads_as_people_write_it(text, expected):
    assert text == expected


def test_mean_and_standard_deviation_for_json_are_none_where_nothing_was_measured():
    assert Spread.of([1.0, 3.0]).plain() == {"mean": 2.0, "sd": pytest.approx(math.sqrt(2))}
    assert Spread.of([2.0]).plain() == {"mean": 2.0, "sd": 0.0}
    assert Spread.of([]).plain() == Spread.of([1.0, math.nan]).plain() == {"mean": None, "sd": None}
