"""A race: what happened when, on the clock of epochs and on that of seconds."""

import dataclasses

import pytest

from pgcn.data import load_graph
from pgcn.events import EpochsTrained, RunFinished
from pgcn.execution.start import grow, train
from pgcn.methods.pgcn import growth_preset
from pgcn.methods.pgcn.events import BlockJudged
from pgcn.recorded import recorded_search
from pgcn.views.race import Entry, race_values, times_of


@pytest.fixture(scope="module")
def raced():
    graph = load_graph("karate")
    grown = grow(graph, growth_preset(epochs=20, max_layers=2, max_width=10)).finish()
    return {"pgcn": grown.events, "gcn": train("gcn", graph, epochs=30).finish().events}


def test_on_the_clock_of_epochs_a_block_begins_where_the_one_before_it_ended(raced):
    events = raced["pgcn"]
    times = dict(zip(map(id, events), times_of(events, "epochs"), strict=True))
    judged = [event for event in events if isinstance(event, BlockJudged)]
    assert [times[id(event)] for event in judged] == [20 * number for number in range(1, len(judged) + 1)]
    assert times[id(events[-1])] == 20 * len(judged)


def test_on_the_clock_of_seconds_every_block_takes_what_it_took_and_time_never_goes_back(raced):
    events = raced["pgcn"]
    times = times_of(events, "seconds")
    assert times == sorted(times) and times[-1] >= events[-1].seconds
    taken = 0.0
    for event, time in zip(events, times, strict=True):
        taken += event.seconds if isinstance(event, BlockJudged) else 0.0
        assert not isinstance(event, BlockJudged) or time == pytest.approx(taken)


def test_seconds_of_what_is_still_in_training_are_not_invented(raced):
    events = [event for event in raced["gcn"] if not isinstance(event, RunFinished)]
    times = times_of(events, "seconds")
    assert all(time is None for event, time in zip(events, times, strict=True) if isinstance(event, EpochsTrained))


@pytest.mark.parametrize("clock", ["epochs", "seconds"])
def test_every_run_has_its_curves_its_networks_and_its_row(raced, clock):
    entries = [Entry(id=name, title=name, state="finished", events=events) for name, events in raced.items()]
    values = race_values(
        [*entries, Entry(id="none", title="none", state="not run yet", events=())], clock, shape=(34, 4)
    )
    grown, fixed, none = values["racers"]
    for racer, events in ((grown, raced["pgcn"]), (fixed, raced["gcn"])):
        replay, ended = racer["replay"], events[-1]
        assert len(replay["times"]) == len(replay["frames"])
        assert tuple(replay["frames"][-1]["topology"]) == ended.topology
        assert racer["val"][-1][1] == pytest.approx(100 * ended.scores.val_accuracy)
        assert racer["parameters"][-1][1] == ended.parameters and racer["row"][3] == f"{ended.parameters:,}"
        assert racer["val"][-1][0] == racer["end"] == times_of(events, clock)[-1]
    assert none["row"] == [] and none["end"] is None and len(none["replay"]["frames"]) == 1


def test_a_search_runs_too():
    entry = Entry(id="search", title="search", state="finished", events=recorded_search())
    [search] = race_values([entry], "seconds", shape=(1433, 7))["racers"]
    assert len(search["val"]) > 1 and search["end"] > 0 and search["row"]


def test_a_network_of_fixed_topology_is_drawn_before_it_is_trained(raced):
    waiting = Entry(id="gcn", title="gcn", state="not run yet", events=(), widths=(16,))
    ended = Entry(id="gcn", title="gcn", state="finished", events=raced["gcn"], widths=(16,))
    values = race_values([waiting, ended], "epochs", shape=(34, 4))
    hollow, trained = (racer["replay"] for racer in values["racers"])
    assert [block["width"] for block in hollow["blocks"]] == [block["width"] for block in trained["blocks"]] == [16]
    assert [frame["blocks"] for frame in hollow["frames"]] == [[[0, 0]]]
    assert [frame["blocks"] for frame in trained["frames"]] == [[[0, 0]], [[0, 1]]]


def test_a_run_that_was_stopped_is_not_called_finished(raced):
    stopped = dataclasses.replace(raced["gcn"][-1], status="cancelled")
    entries = [
        Entry(id="gcn", title="gcn", state="cancelled", events=[*raced["gcn"][:-1], stopped]),
        Entry(id="gat", title="gat", state="failed", events=(), problem="There is no room for it."),
    ]
    cancelled, failed = race_values(entries, "epochs", shape=(34, 4))["racers"]
    assert cancelled["status"] == "cancelled" and failed["problem"] == "There is no room for it."
