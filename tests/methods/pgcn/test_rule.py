"""The growth rule decides as the paper says; nothing is trained here."""

import json
import math

import pytest

from pgcn.errors import ConfigError
from pgcn.events import RunFinished, Scores, event_from_dict
from pgcn.methods.endings import ending_sentence
from pgcn.methods.pgcn import GrowthConfig, growth_preset
from pgcn.methods.pgcn.candidate import Candidate, TrainedCandidate
from pgcn.methods.pgcn.events import BlockAccepted, BlockProposed, BlockRejected, LayerAccepted, LayerRejected
from pgcn.methods.pgcn.explain import why
from pgcn.methods.pgcn.improvement import improvement_rate, is_enough
from pgcn.methods.pgcn.rule import growth_rule


def scores(value, loss=1.0):
    return Scores(
        labelled_accuracy=value,
        val_accuracy=value,
        test_accuracy=0.5,
        labelled_loss=loss,
        val_loss=loss,
        test_loss=loss,
    )


def outcome(name, value, loss=1.0):
    errors = {"error_solved": 2.0, "error_tuned": 1.0, "loss": loss}
    return TrainedCandidate(weights=name, solved=scores(0.1), scores=scores(value, loss), seconds=0.5, **errors)


def played(config, answers):
    """Feed a list of accuracies (or (accuracy, loss)) to the rule; return its events and candidates."""
    rule, answers = growth_rule(config, 100, 3), iter(answers)
    events, candidates, answer = [], [], None
    while True:
        try:
            event = rule.send(answer)
        except StopIteration:
            return events, candidates
        answer = None
        if isinstance(event, Candidate):
            candidates.append(event)
            value = next(answers)
            answer = outcome(f"w{len(candidates)}", *(value if isinstance(value, tuple) else (value,)))
        else:
            events.append(event)


def kinds(events):
    return [type(event).__name__ for event in events if not isinstance(event, BlockProposed)]


def test_growth_goes_wide_then_deep_then_ends_with_a_layer_that_does_not_help():
    events, candidates = played(growth_preset(block_width=5), [0.5, 0.6, 0.6, 0.4, 0.7, 0.65, 0.6, 0.5])
    layer_of_two = ["BlockAccepted", "BlockAccepted", "BlockRejected", "LayerAccepted"]
    end = ["BlockAccepted", "BlockRejected", "LayerRejected", "RunFinished"]
    assert kinds(events) == [*layer_of_two, *layer_of_two, *end]
    widths = [(5,), (10,), (15,), (10, 5), (10, 10), (10, 15), (10, 10, 5), (10, 10, 10)]
    assert [candidate.widths for candidate in candidates] == widths
    finished = events[-1]
    assert (finished.topology, finished.status) == ((10, 10), "finished")
    assert finished.scores.val_accuracy == 0.7
    assert finished.parameters == 100 * 10 + 10 * 10 + 10 * 3
    assert finished.seconds == pytest.approx(8 * 0.5)


def test_after_a_rejected_block_the_next_starts_from_the_accepted_weights():
    _, candidates = played(growth_preset(), [0.5, 0.6, 0.6, 0.4, 0.3])
    assert [candidate.base for candidate in candidates] == [None, "w1", "w2", "w2", "w4"]


def test_a_rejected_layer_restores_the_network_before_it():
    events, _ = played(growth_preset(), [0.5, 0.4, 0.3, 0.2])
    rejected = events[-2]
    assert isinstance(rejected, LayerRejected)
    assert rejected.topology == events[-1].topology == (5,)
    assert events[-1].scores.val_accuracy == 0.5


@pytest.mark.parametrize(
    ("reject_equal", "rate", "expected"),
    [(False, 1e-4, True), (True, 1e-4, False), (False, 0.9e-4, False), (True, 1.1e-4, True)],
)
def test_an_improvement_of_exactly_epsilon_is_accepted_unless_equality_is_rejected(reject_equal, rate, expected):
    assert is_enough(rate, 1e-4, reject_equal=reject_equal) is expected


@pytest.mark.parametrize(
    ("metric", "before", "after", "rate"),
    [
        ("val_accuracy", scores(0.5), scores(0.6), 0.2),
        ("labelled_accuracy", scores(0.8), scores(0.6), -0.25),
        ("val_loss", scores(0.5, 2.0), scores(0.5, 1.5), 0.25),
        ("labelled_loss", scores(0.5, 1.0), scores(0.5, 1.5), -0.5),
    ],
)
def test_the_rate_is_relative_and_positive_for_what_is_better(metric, before, after, rate):
    assert improvement_rate(metric, before, after) == pytest.approx(rate)


def test_from_an_accuracy_of_zero_any_gain_counts_and_nothing_is_divided_by_zero():
    assert improvement_rate("val_accuracy", scores(0.0), scores(0.1)) > 1
    assert improvement_rate("val_accuracy", scores(0.0), scores(0.0)) == 0


def test_saturated_labelled_accuracy_stops_growth_in_the_first_layer():
    events, _ = played(growth_preset("paper"), [0.9, 1.0, 1.0, 1.0, 1.0])
    assert events[-1].topology == (10,)


@pytest.mark.parametrize(
    ("max_layers", "max_width", "topology"), [(2, 10, (10, 10)), (1, 15, (15,)), (3, 9, (5, 5, 5))]
)
def test_growth_ends_at_its_limits_and_says_so(max_layers, max_width, topology):
    config = growth_preset(max_layers=max_layers, max_width=max_width)
    events, _ = played(config, [0.1 * i for i in range(1, 10)])
    assert events[-1].topology == topology
    assert events[-1].ending == "max_layers" and events[-1].facts == {"max_layers": max_layers}
    assert f"limit of {max_layers}" in ending_sentence(events[-1])


def test_a_layer_may_be_compared_with_the_block_rejected_last_as_the_authors_code_does():
    answers = [0.7, 0.6, 0.65, 0.6, 0.55, 0.5]
    faithful, _ = played(growth_preset(layer_baseline="accepted"), answers)
    lenient, _ = played(growth_preset(layer_baseline="rejected"), answers)
    assert faithful[-1].topology == (5,)
    assert len(lenient[-1].topology) == 2
    judged = next(e for e in lenient if isinstance(e, LayerAccepted) and e.layer == 2)
    assert judged.before.val_accuracy == 0.6


def test_reasons_carry_the_numbers_of_the_decision():
    events, _ = played(growth_preset(), [0.792, 0.798, 0.7, 0.7, 0.6])
    accepted = [event for event in events if isinstance(event, BlockAccepted)][1]
    rejected = next(event for event in events if isinstance(event, BlockRejected))
    one, other = (why(event, reject_equal=False) for event in (accepted, rejected))
    assert one == "Validation accuracy rose from 79.2 % to 79.8 %, r_b = 0.0076 >= 0.0001: accepted."
    assert "fell from 79.8 % to 70.0 %, r_b = −0.1228 < 0.0001: rejected" in other
    assert accepted.reason == rejected.reason == ""  # no prose in events


def test_a_block_whose_training_diverged_is_rejected_and_the_run_continues():
    nan = float("nan")
    events, _ = played(growth_preset(), [0.5, (0.9, nan), 0.4, 0.3])
    assert isinstance(events[3], BlockRejected) and "diverged" in why(events[3], reject_equal=False)
    assert events[-1].topology == (5,)


def test_a_run_whose_first_block_diverged_has_failed_and_says_what_to_do():
    events, _ = played(growth_preset(), [(0.9, float("inf"))])
    assert isinstance(events[-1], RunFinished)
    assert events[-1].status == "failed" and events[-1].scores is None
    assert events[-1].ending == "layer_diverged" and events[-1].facts == {"layer": 1}
    assert "smaller learning_rate" in ending_sentence(events[-1])


def test_events_survive_a_trip_through_json():
    events, _ = played(GrowthConfig(), [0.5, (0.6, float("nan")), 0.4, 0.3])
    for event in events:
        returned = event_from_dict(json.loads(json.dumps(event.to_dict(), allow_nan=False)))
        assert repr(returned) == repr(event)


def test_patience_gives_a_layer_a_larger_candidate_from_the_accepted_weights_before_it_is_closed():
    config = growth_preset(patience=1, max_layers=1)
    events, candidates = played(config, [0.5, 0.4, 0.6, 0.5, 0.55])
    assert [candidate.widths for candidate in candidates] == [(5,), (10,), (15,), (20,), (25,)]
    assert [candidate.base for candidate in candidates] == [None, "w1", "w1", "w3", "w3"]
    judged = [event for event in events if isinstance(event, BlockAccepted | BlockRejected)]
    assert [event.width for event in judged] == [5, 5, 10, 5, 10]  # neurons added to what is accepted
    assert events[-1].topology == (15,)


def test_a_margin_asks_for_so_many_standard_errors_of_the_accuracy():
    """√(0.5 · 0.5 / 100) is 0.05: half of it is 2.5 points, 5 % of an accuracy of one half."""
    config = growth_preset(metric="val_accuracy", margin=0.5, max_layers=1)
    for accuracy, kind in ((0.52, BlockRejected), (0.53, BlockAccepted)):
        rule = growth_rule(config, 100, 3, {"labelled": 9, "val": 100})
        events = [next(rule), next(rule), rule.send(outcome("a", 0.5)), next(rule), next(rule)]
        judged = rule.send(outcome("b", accuracy))
        assert isinstance(judged, kind) and judged.epsilon == pytest.approx(0.05), events


def test_a_branch_to_another_metric_counts_the_nodes_of_that_metric_for_its_margin():
    rule = growth_rule(growth_preset("paper", max_layers=1), 100, 3, {"labelled": 9, "val": 100})
    next(rule), next(rule), rule.send(outcome("a", 0.5))
    rule.send(growth_preset(metric="val_accuracy", margin=0.5, max_layers=1)), next(rule)
    assert rule.send(outcome("b", 0.6)).epsilon == pytest.approx(0.05)


def test_without_a_margin_the_threshold_is_epsilon_itself():
    config = growth_preset(metric="val_accuracy", epsilon_b=0.003, max_layers=1)
    events, _ = played(config, [0.5, 0.4])
    assert all(event.epsilon == 0.003 for event in events if isinstance(event, BlockAccepted | BlockRejected))


def test_the_smoothed_metric_sees_a_loss_that_falls_while_no_node_changes_sides():
    config = growth_preset(metric="val_accuracy_and_loss", max_layers=1)
    events, _ = played(config, [(0.5, 1.0), (0.5, 0.9), (0.5, 0.95)])
    assert kinds(events)[:3] == ["BlockAccepted", "BlockAccepted", "BlockRejected"]
    rate = (math.exp(-0.9) - math.exp(-1.0)) / (0.5 + math.exp(-1.0))
    assert events[3].rate == pytest.approx(rate)
    assert "Smoothed validation accuracy rose" in why(events[3], reject_equal=False)


def test_a_margin_of_a_metric_that_counts_no_nodes_is_refused():
    with pytest.raises(ConfigError, match="margin counts nodes"):
        growth_preset(metric="val_loss", margin=1.0)
