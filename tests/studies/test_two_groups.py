"""Two groups of runs: in pairs where splits and seeds match, else Welch's test; both against scipy."""

import itertools
import random

import pytest
from scipy import stats

from pgcn.studies.statistics import t_tail
from pgcn.studies.two_groups import WELCH, difference, welch


def group(values, first_seed=0, split="public"):
    return {(split, 0, first_seed + number): [value] for number, value in enumerate(values)}


def drawn(mean, sd, n, seed):
    numbers = random.Random(seed)
    return [numbers.gauss(mean, sd) for _ in range(n)]


@pytest.mark.parametrize("t", [0.0, 0.3, 2.0, 7.5])
@pytest.mark.parametrize("freedom", [1.0, 2.5, 19.0, 150.0])
def test_the_tail_of_student_s_t_is_scipy_s(t, freedom):
    assert t_tail(t, freedom) == pytest.approx(2 * stats.t.sf(t, freedom), abs=1e-9)


def test_welch_is_scipy_s_and_its_interval_at_least_as_wide():
    for seed in range(5):
        one, other = drawn(77, 1, 10, seed), drawn(78, 3, 20, seed + 50)
        found, known = welch(one, other), stats.ttest_ind(one, other, equal_var=False)
        assert found.p == pytest.approx(known.pvalue, abs=1e-8) and found.test == WELCH
        low, high = known.confidence_interval()
        assert found.interval[0] == pytest.approx(low, abs=0.02) and found.interval[0] <= low
        assert found.interval[1] == pytest.approx(high, abs=0.02) and found.interval[1] >= high


def test_same_seeds_are_compared_in_pairs_which_sees_a_small_steady_gain():
    one = drawn(77, 3, 8, 1)
    other = [value - 0.5 for value in one]
    paired, apart = difference(group(one), group(other)), difference(group(one), group(other, first_seed=100))
    assert paired.test.startswith("paired") and paired.is_certain and paired.mean == pytest.approx(0.5)
    assert paired.p == pytest.approx(2 / 2**8)  # all signs plus, or all minus
    assert apart.test == WELCH and not apart.is_certain and apart.mean == pytest.approx(0.5)


@pytest.mark.parametrize(
    "other", [group([1, 2, 4], split="fraction:0.5"), group([1, 2]), {("public", 0, 0): [1, 2, 4]}]
)
def test_other_splits_other_seeds_and_repeated_seeds_are_not_paired(other):
    assert difference(group([1.0, 2.0, 4.0]), other).test == WELCH


def test_one_run_says_nothing_about_chance():
    for sizes in itertools.product((1, 5), (1,)):
        found = difference(*(group(drawn(70, 1, n, n), first_seed=n) for n in sizes))
        assert found.interval is None and found.p is None and not found.is_certain


def test_groups_without_any_spread_are_compared_too():
    assert welch([1.0, 1.0], [1.0, 1.0]).p == 1 and welch([2.0, 2.0], [1.0, 1.0]).is_certain
