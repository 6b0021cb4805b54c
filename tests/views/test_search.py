"""A search as figures and values: what was tried, the best so far, the preferences. Events made by hand."""

import json
from dataclasses import replace

import pytest

from pgcn.events import RunFinished, RunStarted, Scores
from pgcn.methods.pgcn.events import BlockAccepted, BlockRejected
from pgcn.methods.search.events import ArchitectureJudged, ArchitectureProposed, FinalTrained
from pgcn.methods.search.space import GRAPHNAS
from pgcn.views.search import budget_words, clock_figure, curve_of, search_of, tried_figure
from pgcn.views.search_choices import architecture_values, preference_rows, preference_sentence

FIRST = tuple(0 for _ in GRAPHNAS.positions)


def scores(val, test=0.5):
    losses = dict.fromkeys(("labelled_loss", "val_loss", "test_loss"), 1.0)
    return Scores(labelled_accuracy=1.0, val_accuracy=val, test_accuracy=test, **losses)


def started(method="graphnas", **config):
    sizes = {"nodes": 100, "edges": 200, "features": 30, "classes": 3, "labelled": 10, "val": 20, "test": 50}
    about = {"dataset": "cora", "split": "public", "versions": {}}
    return RunStarted(method=method, config={"architectures": 4, "seed": 0, **config}, **about, **sizes)


def uniform(tilt=0.0):
    """Every choice as likely as any other, but for the first of the first decision."""
    rows = [
        [1 / len(GRAPHNAS.decisions[n].choices)] * len(GRAPHNAS.decisions[n].choices) for n in GRAPHNAS.positions
    ]
    rows[0] = [rows[0][0] + tilt, *(share - tilt / (len(rows[0]) - 1) for share in rows[0][1:])]
    return tuple(tuple(row) for row in rows)


def judged(number, val, *, best=False, parameters=1000, tilt=0.0, **more):
    return ArchitectureJudged(
        number=number,
        budget=4,
        choices=FIRST,
        text="1×4 gat sum sigmoid → 1×3 gat sum sigmoid",
        topology=(4,),
        parameters=parameters,
        val_accuracy=val,
        val_loss=1.0,
        epoch=5,
        best=best,
        scores=scores(val) if best else None,
        seconds=2.0,
        preferences=uniform(tilt),
        **more,
    )


def proposed(number):
    shape = {"choices": FIRST, "text": "t", "topology": (4,), "parameters": 1000}
    return ArchitectureProposed(number=number, budget=4, **shape)


EVENTS = [
    started(),
    proposed(1),
    judged(1, 0.5, best=True),
    proposed(2),
    judged(2, 0.4, parameters=5000, repeated=True),
    proposed(3),
    judged(3, 0.7, best=True, parameters=200, tilt=0.2),
]


def test_what_was_tried_is_drawn_in_order_and_the_best_are_ringed():
    marks, rings = tried_figure(search_of(EVENTS))["data"]
    assert marks["y"] == [50, 40, 70] and marks["marker"]["color"] == [1, 2, 3]
    assert marks["marker"]["symbol"] == ["circle", "circle-open", "circle"] and marks["marker"]["cmax"] == 4
    assert rings["y"] == [50, 70] and rings["marker"]["size"][1] > rings["marker"]["size"][0]


def test_a_search_can_be_cut_off_after_any_architecture():
    search = search_of(EVENTS, 2)
    assert [event.number for event in search.judged] == [1, 2] and search.tried == 3
    assert search.best.number == 1 and search.proposed is None
    assert search_of([*EVENTS, proposed(4)]).proposed.number == 4


def test_a_diverged_architecture_is_not_drawn():
    marks, _ = tried_figure(search_of([*EVENTS, judged(4, float("nan"), diverged=True)]))["data"]
    assert marks["y"] == [50, 40, 70]


def test_every_budget_stands_beside_the_papers():
    assert budget_words(search_of(EVENTS)) == "3 of 4 architectures; the papers try 1,000"


def test_the_best_so_far_runs_on_seconds_of_training():
    curve = curve_of(EVENTS)
    assert curve.seconds == (2, 4, 6) and curve.best == (50, 50, 70) and curve.trials == 3


def block(kind, val, number):
    shape = {"width": 5, "topology": (5,), "parameters": 100, "parameters_before": 0, "metric": "val_accuracy"}
    errors = {"error_before": None, "error_solved": 1.0, "error_tuned": 1.0}
    judged = {"before": None, "solved": scores(val), "after": scores(val), "rate": None, "epsilon": 0.0}
    return kind(layer=1, block=number, loss=1.0, seconds=1.5, **shape, **errors, **judged)


def test_growth_runs_on_the_same_clock_and_a_rejected_block_is_no_gain():
    events = [started("pgcn"), block(BlockAccepted, 0.6, 1), block(BlockRejected, 0.9, 2)]
    curve = curve_of(events)
    assert curve.seconds == (1.5, 3.0) and curve.best == (60, 60)
    figure = clock_figure({"a": (curve_of(EVENTS), "#111111", "solid"), "b": (curve, "#222222", "dot")}, "seconds")
    assert [trace["line"]["dash"] for trace in figure["data"]] == ["solid", "dot"]
    assert figure["layout"]["xaxis"]["type"] == "log"
    assert clock_figure({"a": (curve, "#111111", "solid")}, "trials")["data"][0]["x"] == [1, 2]


def test_an_architecture_is_a_network_with_a_block_for_every_head():
    search = search_of(EVENTS)
    heads = [decision.name for decision in GRAPHNAS.decisions].index("heads")
    two = list(FIRST)
    two[heads] = 1  # two heads in the first layer
    one, other = (architecture_values(search, replace(search.best, choices=tuple(c))) for c in (FIRST, two))
    assert one["run"] == {"features": 30, "classes": 3}
    assert [(block["layer"], block["width"]) for block in one["blocks"].values()] == [(1, 4), (2, 3)]
    assert one["frame"]["kinds"] == ["gat · sum · sigmoid"] * 2
    assert [block["layer"] for block in other["blocks"].values()] == [1, 1, 2]
    assert one["blocks"].keys() < other["blocks"].keys()  # the heads of both stay where they are


def test_preferences_name_every_choice_and_say_when_there_are_none():
    early, late = search_of(EVENTS, 1), search_of(EVENTS)
    rows = preference_rows(early)
    assert len(rows) == len(GRAPHNAS.positions) and rows[0]["name"] == "attention, layer 1"
    assert all(sum(choice["share"] for choice in row["choices"]) == pytest.approx(1) for row in rows)
    assert preference_sentence(rows, early).startswith("Practically uniform after 1 of the papers' 1,000")
    assert "attention, layer 1 gat, 34 % where chance is 14 %" in preference_sentence(preference_rows(late), late)


def test_random_search_prefers_nothing():
    search = search_of([started("random", space="graphnas"), replace(judged(1, 0.5), preferences=())])
    assert preference_rows(search) == []


def test_what_was_trained_anew_belongs_to_the_end_of_a_search():
    final = FinalTrained(
        number=1,
        count=1,
        choices=FIRST,
        text="t",
        topology=(4,),
        parameters=1000,
        scores=scores(0.7, 0.6),
        best=True,
        seconds=3.0,
    )
    end = RunFinished(status="finished", reason="", topology=(4,), parameters=1000, scores=scores(0.7), seconds=9.0)
    events = [*EVENTS, final, end]
    assert search_of(events).finals == (final,) and search_of(events).finished == end
    assert search_of(events, 1).finals == () and search_of(events, 1).finished is None


def test_figures_are_plain_values():
    json.dumps([tried_figure(search_of(EVENTS)), clock_figure({}, "seconds"), tried_figure(search_of([started()]))])
