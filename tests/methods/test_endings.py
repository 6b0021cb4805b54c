"""Why a run ended is stored as facts; its sentence is made when it is shown."""

import json

import pytest
from small_runs import quick

from pgcn import grow, load_graph, train
from pgcn.events import RunFinished, event_from_dict
from pgcn.methods.endings import SENTENCES, WEIGHTS, ending_sentence
from pgcn.methods.pgcn import GrowthConfig
from pgcn.methods.registry import METHODS

FACTS = {
    "epoch": 3,
    "epochs": 120,
    "patience": 100,
    "window": 10,
    "rule": "both",
    "learning_rate": 0.01,
    "layer": 2,
    "metric": "val_accuracy",
    "max_layers": 4,
    "tried": 1,
    "finals": 10,
    "needed": "PGCN (CE)",
}


def ended(ending, **facts):
    result = {"topology": (), "parameters": 0, "scores": None, "seconds": 0.0}
    return RunFinished(status="finished", ending=ending, facts=facts, **result)


@pytest.mark.parametrize("kind", SENTENCES)
def test_every_ending_has_a_sentence_with_its_numbers_also_after_a_trip_through_json(kind):
    event = ended(kind, **FACTS)
    sentence = ending_sentence(event_from_dict(json.loads(json.dumps(event.to_dict()))))
    assert sentence == ending_sentence(event)
    assert sentence.endswith(".") and "{" not in sentence and "_accuracy" not in sentence


@pytest.mark.parametrize("rule", WEIGHTS)
def test_the_sentence_says_whose_weights_are_the_result(rule):
    sentence = ending_sentence(ended("patience", epochs=120, patience=100, best_epoch=20, rule=rule))
    assert sentence.startswith("Stopped after 120 epochs: for 100 epochs ") and "those of epoch 20, " in sentence


@pytest.mark.parametrize("method", METHODS)
def test_a_run_of_any_method_stores_no_sentence(method):
    event = train(method, load_graph("karate"), quick(method)).finish().finished
    assert event.reason == "" and event.ending in SENTENCES and ending_sentence(event)


def test_a_cancelled_run_keeps_the_reason_it_was_given():
    run = grow(load_graph("karate"), GrowthConfig(epochs=2))
    next(run)
    assert ending_sentence(run.cancel("Enough.")) == "Enough."
    other = grow(load_graph("karate"), GrowthConfig(epochs=2))
    next(other)
    event = other.cancel()
    assert (event.ending, event.reason) == ("cancelled", "") and "ancelled" in ending_sentence(event)


def test_the_sentence_of_a_run_stored_before_is_shown_as_it_was():
    before = ended("").to_dict() | {"reason": "Growth ended because it was late."}
    del before["ending"], before["facts"]
    assert ending_sentence(event_from_dict(before)) == "Growth ended because it was late."


def test_an_ending_of_a_later_version_is_named():
    assert ending_sentence(ended("out_of_budget", budget=3)) == "It ended: out of budget."
