"""A run that was interrupted goes on as if nothing had happened."""

import json
import time

import pytest
from comparison import same, state, timeless

from pgcn.errors import GraphError, PgcnError
from pgcn.events import RunFinished, event_from_dict
from pgcn.execution.start import grow, resume
from pgcn.methods.pgcn import growth_preset
from pgcn.methods.pgcn.events import BlockAccepted
from pgcn.methods.run import RunRecord

CONFIG = growth_preset("reference", seed=1, epochs=20, max_width=15, max_layers=3)


@pytest.fixture(scope="module")
def whole(cora):
    """Return a run's result and the weights it had accepted, by step."""
    run, weights = grow(cora, CONFIG), {}
    for event in run:
        if isinstance(event, BlockAccepted):
            weights[len(weights) + 1] = state(run.model)
    return run.result, weights


def broken_off(whole, count):
    """Return the record of a run of which only so many events were written down, as JSON."""
    result, weights = whole
    events = [event_from_dict(json.loads(json.dumps(event.to_dict()))) for event in result.events[:count]]
    known = sum(isinstance(event, BlockAccepted) for event in events)
    return RunRecord(events=tuple(events), weights={step: weights[step] for step in range(1, known + 1)})


def test_wherever_it_was_broken_off_a_resumed_run_ends_as_the_whole_one(cora, whole):
    result, _ = whole
    count = len(result.events)
    assert count > 30
    for cut in sorted({*range(1, count, 5), count - 2, count - 1, count}):
        run = resume(cora, broken_off(whole, cut))
        again = run.finish()
        assert timeless(again.events) == timeless(result.events), f"cut after event {cut}"
        assert same(state(again.model), state(result.model))


def test_a_resumed_run_tells_only_what_is_new_and_shows_what_stands(cora, whole):
    result, weights = whole
    first = next(i for i, event in enumerate(result.events) if isinstance(event, BlockAccepted))
    record = broken_off(whole, first + 3)
    run = resume(cora, record)
    assert len(record.standing) == first + 1
    assert same(state(run.model), weights[1])
    assert timeless(list(run)) == timeless(result.events[first + 1 :])


def test_a_run_that_had_ended_has_nothing_more_to_tell_but_its_end(cora, whole):
    run = resume(cora, broken_off(whole, len(whole[0].events)))
    assert [type(event) for event in run] == [RunFinished]


def test_a_run_is_not_resumed_on_another_graph_or_without_its_weights(cora, small_graph, whole):
    with pytest.raises(GraphError, match="started on another graph: dataset was cora, now it is synthetic"):
        resume(small_graph, broken_off(whole, 20))
    with pytest.raises(PgcnError, match="lacks the weights of step"):
        resume(cora, RunRecord(events=whole[0].events, weights={}))
    with pytest.raises(PgcnError, match="must begin with RunStarted"):
        RunRecord(events=(), weights={})


def test_time_in_which_nobody_asks_is_not_counted(cora):
    began = time.perf_counter()
    run = grow(cora, CONFIG.change(epochs=20, max_layers=1, max_width=5))
    for _ in range(3):
        next(run)
    paused = time.perf_counter()
    time.sleep(0.3)
    paused = time.perf_counter() - paused
    counted = run.finish().finished.seconds
    assert 0 < counted <= time.perf_counter() - began - paused
