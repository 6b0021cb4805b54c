"""How to compare fairly: the figures and sentences of the tour say what the outcomes say."""

import json

import pytest
from small_arena import outcomes

from pgcn.studies.arena import ArenaPlace
from pgcn.studies.arena.paired import verdict
from pgcn.studies.arena.results import ArenaResults
from pgcn.views.arena.page import accuracy_range, cost_axis, headline, in_view, scatter
from pgcn.views.fair import STEPS, choosing_sentence, cost_sentence, pairs_sentence, seeds_sentence

CORA = ArenaPlace(dataset="cora")
PGCN = {"contender": "pgcn-tuned-ce", "title": "PGCN (CE), tuned", "method": "pgcn"}
RESULTS = ArenaResults(
    [
        *outcomes([80.0, 81.0, 82.5], [79, 78, 80]),
        *outcomes([81.0, 81.0, 84.0], [80, 79, 78], **PGCN, parameters=14_000),
    ]
)


@pytest.mark.parametrize("step", STEPS)
def test_every_step_is_plain_values_also_where_there_is_nothing(step):
    figure, sentence = STEPS[step]
    for results in (RESULTS, ArenaResults(()), ArenaResults(outcomes([80.0]))):
        json.dumps(figure(results, CORA), allow_nan=False)
        assert sentence(results, CORA).endswith(".")


def test_the_sentences_hold_the_numbers_of_the_outcomes():
    assert "from 80.0 to 82.5 %, 2.5 points apart" in seeds_sentence(RESULTS, CORA)
    # The best by validation: GCN's third run (82.5, mean 81.17), PGCN's first (81.0, mean 82.0).
    assert "moves GCN by +1.3 points and PGCN (CE), tuned by −1.0" in choosing_sentence(RESULTS, CORA)
    paired = RESULTS.paired(CORA, "pgcn-tuned-ce", "gcn")
    assert pairs_sentence(RESULTS, CORA) == verdict(paired, "PGCN (CE), tuned", "GCN")
    assert cost_sentence(RESULTS, CORA) == (
        "Pareto front, where no method is both smaller and better: PGCN (CE), tuned."
    )


def test_the_headline_says_who_leads_and_what_is_measured():
    assert headline(ArenaResults(()), CORA) == "Nothing has been measured on Cora yet"
    assert headline(RESULTS, CORA).startswith("PGCN (CE), tuned leads on Cora: 82.0 ± 1.7 %")


def test_a_mark_far_below_does_not_squeeze_the_others_and_is_named():
    others = [*RESULTS.outcomes, *outcomes([82.0, 82.0], contender="sgc", title="SGC", method="sgc")]
    low = outcomes([50.0, 52.0], contender="mlp", title="MLP", method="mlp")
    figure = scatter(ArenaResults([*others, *low]), CORA, "seconds")
    assert figure["layout"]["yaxis"]["range"][0] > 75
    assert [note["text"] for note in figure["layout"]["annotations"]] == ["MLP 51.0 ↓"]
    rows = in_view(STEPS["seeds"][0](ArenaResults([*others, *low]), CORA))
    assert rows["layout"]["xaxis"]["range"][0] > 75 and rows["layout"]["annotations"][0]["text"].startswith("←")


def test_a_logarithmic_axis_has_few_ticks_in_its_range():
    for costs in ([10, 20], [5_000, 500_000], [0.1, 90], [1, 1e9], [23_040]):
        axis = cost_axis(costs)
        assert 1 <= len(axis["tickvals"]) <= 10 and len(axis["tickvals"]) == len(axis["ticktext"])
        assert 10 ** axis["range"][0] < min(costs) <= max(costs) < 10 ** axis["range"][1]


def test_whiskers_are_inside_the_range_as_long_as_they_leave_room_for_marks():
    marks = [{"y": [80.0], "error_y": {"array": [0.9]}}, {"y": [81.0], "error_y": {"array": [30.0]}}]
    low, high = accuracy_range(marks)
    assert low < 79.1
    assert 82 < high < 83  # a whisker longer than all the rest is cut off
