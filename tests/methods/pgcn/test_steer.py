"""A person decides in the rule's place: what becomes of the network, and that nothing else changes."""

import dataclasses
import itertools
import json

import pytest
from comparison import same, state, timeless

from pgcn.data import load_graph
from pgcn.errors import ConfigError, PgcnError
from pgcn.events import DecisionAwaited, event_from_dict
from pgcn.execution.start import grow, grow_many, resume
from pgcn.methods.endings import ending_sentence
from pgcn.methods.pgcn import growth_preset
from pgcn.methods.pgcn.events import (
    BlockAccepted,
    BlockAwaited,
    BlockJudged,
    LayerAccepted,
    LayerAwaited,
    LayerJudged,
    Undone,
)
from pgcn.methods.pgcn.explain import why
from pgcn.methods.pgcn.margins import thin_decisions
from pgcn.methods.pgcn.steps import accepted_blocks
from pgcn.methods.run import RunRecord
from pgcn.ui.grow.status import finished_words
from pgcn.views.event_log import frames_of

CONFIG = growth_preset(epochs=15, max_layers=3, max_width=15, seed=2)
STEERED = CONFIG.change(decider="person")


@pytest.fixture(scope="module")
def karate():
    return load_graph("karate")


def steered(graph, decisions, config=STEERED, record=None):
    """Grow with the decisions in this order, then as the rule would; return the run and its networks by step."""
    run = resume(graph, record) if record else grow(graph, config)
    left, weights = list(decisions), {}
    for event in run:
        if isinstance(event, DecisionAwaited):
            run.decide(left.pop(0) if left else event.rule)
        if isinstance(event, BlockAccepted):
            weights[len(weights) + 1] = state(run.model)
    return run.result, weights


def without_decisions(events):
    """Return the events of a steered run as the rule would have written them."""
    kept = [event for event in events if not isinstance(event, DecisionAwaited)]
    by_rule = {"decision": "", "rule": ""}
    started, *rest = [
        dataclasses.replace(event, **by_rule) if isinstance(event, BlockJudged | LayerJudged) else event
        for event in kept
    ]
    return timeless([dataclasses.replace(started, config=CONFIG.to_dict()), *rest])


def test_decisions_that_all_agree_with_the_rule_give_the_run_of_the_rule(karate):
    alone = grow(karate, CONFIG).finish()
    result, _ = steered(karate, [])
    assert without_decisions(result.events) == timeless(alone.events)
    assert same(state(result.model), state(alone.model))


def test_a_decision_is_written_down_beside_that_of_the_rule_and_only_where_a_person_decides(karate):
    result, _ = steered(karate, ["accept", "reject"])
    judged = [event for event in result.events if isinstance(event, BlockJudged)]
    asked = [event for event in result.events if isinstance(event, BlockAwaited)]
    assert judged[1].decision == "reject" and judged[1].rule == asked[1].rule
    assert "decision" in judged[1].to_dict()
    assert not any("decision" in event.to_dict() for event in grow(karate, CONFIG).finish().events)


def test_a_block_that_the_rule_would_reject_can_stay_and_the_sentence_says_both(karate):
    run = grow(karate, STEERED.change(epsilon_b=10.0))  # no block improves that much
    for event in run:
        if isinstance(event, DecisionAwaited):
            run.decide("accept" if isinstance(event, BlockAwaited) else event.rule)
    overruled = [
        event for event in run.result.events if isinstance(event, BlockAccepted) and event.rule == "reject"
    ]
    assert overruled and why(overruled[0], reject_equal=False).endswith(": rejected. Manual decision: accepted.")
    assert thin_decisions(run.result.events)[1] == 0  # nothing of it was decided by nodes


def test_new_layer_keeps_the_block_and_asks_nothing_about_the_layer(karate):
    result, _ = steered(karate, ["new_layer", "stop"])
    assert result.topology == (5, 5)
    assert not any(isinstance(event, LayerAwaited) for event in result.events)
    assert [event.decision for event in result.events if isinstance(event, LayerAccepted)] == ["new_layer", "stop"]
    assert ending_sentence(result.finished) == "Growth was stopped manually in layer 2."


def test_a_layer_can_be_rejected_by_hand(karate):
    result, weights = steered(karate, ["new_layer", "accept", "reject", "reject"])
    assert result.topology == (5,) and same(state(result.model), weights[1])


def test_undo_gives_back_the_network_before_the_last_accepted_block_to_its_last_bit(karate):
    run = grow(karate, STEERED)
    decisions = iter(["accept", "accept", "accept", "undo", "undo", "reject", "stop"])
    weights, undone = [], []
    for event in run:
        if isinstance(event, DecisionAwaited):
            run.decide(next(decisions))
        elif isinstance(event, BlockAccepted):
            weights.append(state(run.model))
        elif isinstance(event, Undone):
            undone.append(event)
            assert same(state(run.model), weights[2 - len(undone)])
    result = run.result
    assert [event.topology for event in undone] == [(10,), (5,)]
    assert result.topology == (5,) and same(state(result.model), weights[0])
    assert [step.stands for step in accepted_blocks(result.events)] == [True, False, False]
    asked = [event for event in result.events if isinstance(event, BlockAwaited)]
    assert [event.block for event in asked] == [1, 2, 3, 3, 2]  # the third twice: the width ends with it


def test_the_log_says_once_what_became_of_each_question_also_where_that_is_undo(karate):
    result, _ = steered(karate, ["accept", "accept", "new_layer", "undo", "reject", "accept", "stop"])
    rows = {frame.row: frame.short.partition(",")[0] for frame in frames_of(result.events)}
    assert rows[4].startswith("L1 accepted") and rows[5] == "L1·B3 undone" and rows[6] == "L1·B3 rejected"
    assert not any("waits" in row for row in rows.values())
    assert finished_words(result.events).startswith("Finished: 3 of 4 blocks accepted")


def test_what_was_undone_and_done_again_is_the_same_run(karate):
    straight, _ = steered(karate, ["accept", "accept", "new_layer", "stop"])
    detour, _ = steered(karate, ["accept", "new_layer", "undo", "accept", "new_layer", "stop"])
    assert straight.topology == detour.topology == (15, 5)
    assert same(state(straight.model), state(detour.model))
    assert detour.finished.seconds > 0


def test_wherever_it_was_broken_off_a_steered_run_asks_again_what_had_not_been_decided(karate):
    decisions = ["accept", "accept", "undo", "accept", "reject", "new_layer", "accept", "undo", "stop"]
    result, weights = steered(karate, decisions)
    for cut in range(1, len(result.events) + 1):
        events = [event_from_dict(json.loads(json.dumps(event.to_dict()))) for event in result.events[:cut]]
        record = RunRecord(events=tuple(events), weights=weights)
        made = sum(isinstance(asked, DecisionAwaited) for asked, _ in itertools.pairwise(record.standing))
        again, _ = steered(karate, decisions[made:], record=record)
        assert timeless(again.events) == timeless(result.events), f"cut after event {cut}"
        assert same(state(again.model), state(result.model))


def test_a_question_must_be_answered_with_what_can_be_decided(karate):
    run = grow(karate, STEERED)
    with pytest.raises(PgcnError, match="waits for a decision: accept, new_layer, stop"):
        run.finish()
    with pytest.raises(ConfigError, match="No decision named 'undo'"):
        run.decide("undo")
    run.decide("accept")
    with pytest.raises(PgcnError, match="No run waits for a decision"):
        run.decide("accept")
    with pytest.raises(ConfigError, match="one run at a time"):
        grow_many(karate, [STEERED, STEERED])


@pytest.mark.slow
def test_a_reproducible_run_is_steered_in_a_process_of_its_own(karate):
    run = grow(karate, STEERED, reproducible=True)
    for event in run:
        if isinstance(event, DecisionAwaited):
            run.decide("stop" if event.topology else "accept")
    assert run.result.topology == (10,)
