"""A generator's return value is at hand once it has run to its end."""

import pytest

from pgcn.generators import WithResult, result_of


def countdown(start):
    yield from range(start, 0, -1)
    return "lift-off"


def test_the_result_is_known_after_the_last_value():
    counting = WithResult(countdown(3))
    seen = []
    for number in counting:
        assert not hasattr(counting, "result")
        seen.append(number)
    assert (seen, counting.result) == ([3, 2, 1], "lift-off")


@pytest.mark.parametrize("start", [0, 3])
def test_the_result_of_a_generator_is_what_it_returns(start):
    assert result_of(countdown(start)) == "lift-off"


def test_a_generator_is_closed_where_its_loop_is_left():
    closed = []

    def endless():
        try:
            while True:
                yield
        finally:
            closed.append(True)

    for _ in WithResult(endless()):
        break
    assert closed


def test_errors_pass_through():
    def failing():
        yield 1
        raise ValueError("no more")

    with pytest.raises(ValueError, match="no more"):
        result_of(failing())
