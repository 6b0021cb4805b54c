"""The load of many visitors is measured by one command; here with a few."""

import json

import pytest

from pgcn.cli import main


@pytest.mark.slow
def test_a_few_visitors_all_advance_and_leave_nothing_behind(capsys):
    assert main(["bench", "--load", "--sessions", "3", "--seconds", "10", "--json"]) == 0
    figures = json.loads(capsys.readouterr().out)
    assert figures["progressed"] == 3 and figures["running_after"] == 0 and figures["ticks"] > 10


@pytest.mark.parametrize(
    ("flag", "value", "message"),
    [
        ("--sessions", "0", "sessions must be at least 1"),
        ("--sessions", "100000000", "sessions must be at most 1,000"),
        ("--seconds", "nan", "seconds must be a finite number"),
        ("--seconds", "inf", "seconds must be a finite number"),
        ("--seconds", "1", "seconds must be at least 10"),
        ("--seconds", "1e9", "seconds must be at most 86,400"),
    ],
)
def test_a_load_that_cannot_be_is_refused(capsys, flag, value, message):
    assert main(["bench", "--load", flag, value]) == 2
    assert message in capsys.readouterr().err
