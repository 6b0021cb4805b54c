"""A branch grows on from an accepted block: as its parent did, or with other settings."""

import json

import pytest
from comparison import same, state, timeless

from pgcn.data import load_graph
from pgcn.errors import ConfigError, StoreError
from pgcn.events import DecisionAwaited, event_from_dict, opening
from pgcn.execution.execute import branch_execution, execute
from pgcn.execution.recorder import resume_stored, store_branch, stored_models
from pgcn.execution.spec import RunSpec
from pgcn.execution.start import branch, grow
from pgcn.methods.pgcn import growth_preset
from pgcn.methods.pgcn.branch import branch_record
from pgcn.methods.pgcn.events import BlockAccepted, BlockJudged
from pgcn.methods.run import RunRecord
from pgcn.source import GraphSource
from pgcn.store import Store
from pgcn.studies.beside import start_rule_run, stored_rule_run
from pgcn.views.event_log import frames_of

CONFIG = growth_preset(epochs=15, max_layers=3, max_width=15, seed=2, epsilon_b=-1.0, epsilon_l=-1.0)


@pytest.fixture(scope="module")
def karate():
    return load_graph("karate")


def grown(run):
    """Let a run grow to its end; return its result and what is needed to branch it."""
    weights = {}
    for event in run:
        if isinstance(event, DecisionAwaited):
            run.decide(event.rule)
        if isinstance(event, BlockAccepted):
            weights[sum(isinstance(one, BlockAccepted) for one in run.runs._events[0])] = state(run.model)
    events = tuple(event_from_dict(json.loads(json.dumps(event.to_dict()))) for event in run.result.events)
    return run.result, RunRecord(events=events, weights=weights)


@pytest.fixture(scope="module")
def parent(karate):
    return grown(grow(karate, CONFIG))


def without_opening(events):
    return timeless(events)[1:]


def test_a_branch_with_unchanged_settings_is_the_rest_of_its_parent_to_the_last_bit(karate, parent):
    result, record = parent
    assert result.topology == (15, 15, 15)  # with these epsilons everything is accepted
    for step in range(1, 10):
        again = branch(karate, record, step, parent="p").finish()
        assert without_opening(again.events) == without_opening(result.events), f"from step {step}"
        assert same(state(again.model), state(result.model))
        assert again.events[0].parent["run"] == "p" and again.events[0].parent["step"] == step


def test_other_settings_hold_from_the_step_on_and_what_was_before_stays(karate, parent):
    result, record = parent
    other = branch(karate, record, 4, block_width=4, max_width=14, seed=9, dropout=0.1, loss="mse").finish()
    places = [place for place, event in enumerate(record.events) if isinstance(event, BlockAccepted)]
    assert timeless(other.events)[1 : places[3] + 1] == timeless(record.events)[1 : places[3] + 1]
    widths = [event.topology for event in other.events if isinstance(event, BlockAccepted)]
    assert widths[:6] == [(5,), (10,), (15,), (15, 5), (15, 9), (15, 13)] and other.topology[0] == 15
    assert other.events[0].config["dropout"] == 0.1
    assert frames_of(other.events)[-1].topology == other.topology
    assert not same(state(other.model), state(result.model))


def test_a_branch_of_a_branch_knows_the_settings_of_all_before_it(karate, parent):
    _, record = parent
    child_result, child = grown(branch(karate, record, 2, seed=5))
    child = RunRecord(events=child.events, weights={**{s: record.weights[s] for s in (1, 2)}, **child.weights})
    grandchild = branch(karate, child, 5).finish()
    assert without_opening(grandchild.events) == without_opening(child_result.events)
    assert same(state(grandchild.model), state(child_result.model))
    assert grandchild.events[0].parent["parent"]["step"] == 2


def test_a_person_may_decide_from_a_step_on_but_not_undo_what_was_before_it(karate, parent):
    _, record = parent
    run = branch(karate, record, 2, decider="person")
    asked = []
    for event in run:
        if isinstance(event, DecisionAwaited):
            asked.append(event.choices)
            run.decide("stop" if len(asked) == 2 else "accept")
    assert "undo" not in asked[0] and "undo" in asked[1]
    assert sum(isinstance(event, BlockJudged) for event in run.result.events) == 3


def test_what_cannot_be_branched_is_said_in_words(parent):
    _, record = parent
    with pytest.raises(ConfigError, match="There is no step 10 to branch from: the run has steps 1 to 9"):
        branch_record(record, "p", 10, {})
    with pytest.raises(ConfigError, match=r"A branch keeps the graph and activation.*Leave out: bias"):
        branch_record(record, "p", 1, {"bias": True})
    with pytest.raises(ConfigError, match="No setting named 'dataset'"):
        branch_record(record, "p", 1, {"dataset": "cora"})
    for seed in range(100):
        record = branch_record(record, "p", 1, {"seed": seed})
    with pytest.raises(ConfigError, match="descend from at most 100 runs"):
        branch_record(record, "p", 1, {})


def test_a_stored_branch_is_resumed_where_it_was_broken_off_and_the_family_is_known(tmp_path):
    store = Store(f"sqlite:///{tmp_path / 'runs.db'}")
    spec = RunSpec(method="pgcn", config=CONFIG, source=GraphSource(name="karate"))
    execute([spec], store, ids=["a" * 32]).finish()
    branch_execution(store, "a" * 32, 3, {"seed": 4}, run="b" * 32, creator="me").finish()
    store_branch(store, "b" * 32, 5, {"seed": 6}, run="c" * 32)
    assert store.run("c" * 32).status == "interrupted" and store.run("c" * 32).topology == (15, 10)
    resumed, _ = resume_stored(store, "c" * 32)
    assert resumed.finish().finished.status == "finished"
    assert [run.id[0] for run in store.family("b" * 32)] == ["a", "b", "c"]
    assert (store.run("c" * 32).parent, store.run("c" * 32).parent_step) == ("b" * 32, 5)
    assert store.run("b" * 32).creator == "me"
    parent, child = stored_models(store, "a" * 32), stored_models(store, "b" * 32)
    assert all(same(state(parent[step]), state(child[step])) for step in (1, 2, 3))
    with pytest.raises(StoreError, match="No run"):
        store_branch(store, "nothing", 1, {}, run="d" * 32)
    store.close()


def test_beside_a_steered_branch_stands_the_one_that_the_rule_grows_from_the_same_block(tmp_path):
    store = Store(f"sqlite:///{tmp_path / 'runs.db'}")
    spec = RunSpec(method="pgcn", config=CONFIG, source=GraphSource(name="karate"))
    execute([spec], store, ids=["a" * 32]).finish()
    store_branch(store, "a" * 32, 3, {"seed": 4, "decider": "person"}, run="b" * 32)
    steered, _ = resume_stored(store, "b" * 32)
    for event in steered:
        if isinstance(event, DecisionAwaited):
            steered.decide(event.rule)
    started = opening(store.events("b" * 32))
    assert stored_rule_run(started, store) is None
    start_rule_run(started, store).finish()
    rule, ended = stored_rule_run(started, store)
    assert (store.run(rule).parent, store.run(rule).parent_step, ended.topology) == (
        "a" * 32,
        3,
        steered.result.topology,
    )
    alone, decided = stored_models(store, rule), stored_models(store, "b" * 32)
    assert alone.keys() == decided.keys()  # every decision agreed
    assert all(same(state(alone[step]), state(decided[step])) for step in alone)
    store.close()


def test_the_beginning_of_a_branch_is_stored_whole_or_not_at_all(tmp_path, monkeypatch):
    store = Store(f"sqlite:///{tmp_path / 'runs.db'}")
    spec = RunSpec(method="pgcn", config=CONFIG, source=GraphSource(name="karate"))
    execute([spec], store, ids=["a" * 32]).finish()
    transactions, writing = [], store.database.writing

    def counted():
        transactions.append(1)
        return writing()

    monkeypatch.setattr(store.database, "writing", counted)
    store_branch(store, "a" * 32, 5, {"seed": 4}, run="b" * 32)
    assert len(transactions) == 1
    branch, parent = store.run("b" * 32), store.events("a" * 32)
    assert (branch.status, branch.step, branch.topology) == ("interrupted", 5, (15, 10))
    assert branch.best_val_accuracy == max(e.after.val_accuracy for e in parent if isinstance(e, BlockAccepted))
    store.close()
