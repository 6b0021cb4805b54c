"""The map of a landscape: every mark says what it stands for, whatever is there so far."""

from small_landscape import small

from pgcn.studies.landscape import Point
from pgcn.studies.landscape.outcomes import stored_outcomes
from pgcn.studies.landscape.results import LandscapeResults
from pgcn.studies.landscape.words import findings, headline
from pgcn.views.landscape.figure import landscape_figure
from pgcn.views.landscape.places import place_rows


def test_every_mark_of_the_map_says_what_it_stands_for(landscape_store):
    results = LandscapeResults(small(), stored_outcomes(small(), landscape_store))
    figure = landscape_figure(results, "test", chosen=("pgcn", 1))
    traces = {trace["uid"]: trace for trace in figure["data"]}
    assert traces["map"]["z"] == [[results.cells[Point(d, w)].test.mean for w in (2, 4)] for d in (1, 2)]
    assert traces["map"]["customdata"] == [[[1, 2], [1, 4]], [[2, 2], [2, 4]]]
    assert traces["best"]["customdata"] == [list(results.best)] and traces["gcn"]["customdata"] == [["gcn", 0]]
    accepted = [mark for mark in traces["accepted"]["customdata"] if mark]
    assert len(accepted) == sum(step.accepted for one in results.grown.outcomes for step in one.steps)
    assert [mark[1] for mark in traces["ends"]["customdata"]] == [0, 1, 2]
    assert {mark[1] for mark in traces["chosen"]["customdata"]} == {1}
    assert "rejected" not in {trace["uid"] for trace in landscape_figure(results, rejected=False)["data"]}
    assert [row["topology"].removesuffix(" (best)") for row in place_rows(results)] == [
        "2",
        "4",
        "2-2",
        "4-4",
        "PGCN",
        "GCN",
    ]


def test_a_map_is_drawn_of_whatever_is_there_so_far(landscape_store):
    outcomes = stored_outcomes(small(), landscape_store)
    for count in range(len(outcomes) + 1):
        results = LandscapeResults(small(), outcomes[:count])
        assert landscape_figure(results)["layout"]["yaxis"]["range"][0] == 0.5
        findings(results)
        headline(results)
        place_rows(results)
    one_point = small(widths=(3,), depths=(2,), paths=0)
    assert landscape_figure(LandscapeResults(one_point, []), chosen=Point(2, 3))["layout"]["shapes"]


def test_the_numbers_of_the_map_lie_over_the_paths(landscape_store):
    results = LandscapeResults(small(), stored_outcomes(small(), landscape_store))
    order = [trace["uid"] for trace in landscape_figure(results)["data"]]
    assert order.index("numbers") > max(order.index("accepted"), order.index("ends"))
