"""How long it will take: the newest runs decide, and a range is said."""

import pytest

from pgcn.studies.timing import FORGOTTEN, MARGIN, NEWEST, START_UP, Takes, in_words, lately, range_of, time_left


def takes(seconds):
    return Takes(low=seconds / 2, usual=seconds, high=2 * seconds)


def test_only_the_newest_runs_count_and_none_that_ended_long_before_them():
    assert (
        lately([(None, float(number)) for number in range(20)]) == [float(number) for number in range(20)][-NEWEST:]
    )
    assert lately([(0.0, 9.0), (FORGOTTEN + 1, 2.0), (FORGOTTEN + 2, 1.0)]) == [2.0, 1.0]
    assert lately([(5.0, 1.0), (3.0, 2.0)]) == [2.0, 1.0] and lately([]) == []


def test_a_few_slow_runs_among_many_leave_the_range_as_it_is():
    assert range_of([1.0] * 9 + [9.0, 9.0]) == range_of([1.0] * 11)
    assert range_of([2.0, 2.0, 2.0]) == Takes(low=2 / MARGIN, usual=2.0, high=2 * MARGIN)
    assert range_of([1.0, 2.0, 3.0, 4.0, 5.0]) == Takes(low=2.0, usual=3.0, high=4.0)


def test_before_three_runs_have_ended_what_was_expected_counts_too():
    assert range_of([], 1.0) == range_of([1.0, 1.0, 1.0]) and range_of([]) is None
    assert range_of([9.0], 1.0).usual == 1.0 and range_of([9.0, 9.0, 9.0], 1.0).usual == 9.0


def test_workers_share_the_work_but_not_a_run():
    assert time_left([takes(10.0)] * 4, 2).usual == START_UP + 20
    assert time_left([takes(10.0), takes(60.0)], 2).high == START_UP + 120
    assert time_left([], 2) is None and time_left([takes(1.0), None], 2) is None


@pytest.mark.parametrize(
    ("low", "high", "words"),
    [
        (480, 840, "8 to 14 min"),
        (42, 58, "40 to 60 s"),
        (1, 2, "about 5 s"),
        (3000, 7000, "50 min to 1.9 h"),
        (80, 170, "80 s to 3 min"),
        (7200, 10_800, "2.0 to 3.0 h"),
    ],
)
def test_a_range_is_said_no_more_exactly_than_it_is_known(low, high, words):
    assert in_words(Takes(low=low, usual=low, high=high)) == words
