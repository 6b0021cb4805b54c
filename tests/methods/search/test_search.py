"""A search tries its budget, chooses by validation, can be resumed anywhere, and shares weights of like layers."""

import math
import statistics

import pytest
import torch

from pgcn import train
from pgcn.errors import ConfigError
from pgcn.events import EpochsTrained, RunFinished, event_from_dict
from pgcn.execution.start import resume
from pgcn.methods.registry import METHODS, method_named
from pgcn.methods.run import RunRecord
from pgcn.methods.search.events import ArchitectureJudged, ArchitectureProposed, FinalTrained
from pgcn.methods.search.model import ChildNet
from pgcn.methods.search.sharing import SharedHeads, keys
from pgcn.methods.search.space import Architecture, LayerChoice
from pgcn.methods.search.steps import best_so_far

SMALL = {"architectures": 6, "child_epochs": 8, "final_runs": 3, "max_width": 32}
SEARCHES = {
    "graphnas": {},
    "autognn": {"initial": 2},
    "autognn-shared": {"initial": 2, "share": True, "shared_epochs": 4},
    "random": {},
}


def searched(graph, name, **settings):
    """Return the run of a small search, ended, with its networks by step."""
    run = train(name.split("-")[0], graph, **{**SMALL, **SEARCHES[name], **settings}, report_every=4)
    networks = {}
    run.runs.listen(lambda event, network: networks.update({network.step: network} if network else {}))
    return run.finish(), networks


def kinds(events, kind):
    return [event for event in events if isinstance(event, kind)]


@pytest.mark.parametrize("name", SEARCHES)
def test_a_search_tries_its_budget_and_ends_with_the_best_by_validation(small_graph, name):
    result, networks = searched(small_graph, name)
    judged, finals = kinds(result.events, ArchitectureJudged), kinds(result.events, FinalTrained)
    assert [event.number for event in judged] == [1, 2, 3, 4, 5, 6]
    best = (-1.0, 0.0)
    for event in judged:
        assert event.best == ((event.val_accuracy, -event.val_loss) > best)
        assert (event.scores is not None) == event.best
        best = max(best, (event.val_accuracy, -event.val_loss))
    assert result.scores == max((event.scores for event in finals), key=lambda s: (s.val_accuracy, -s.val_loss))
    assert [step.number for step in best_so_far(result.events)] == sorted(networks)
    logits = result.model(small_graph.x, small_graph.edge_index)
    hit = (logits.argmax(dim=1) == small_graph.y)[small_graph.test_mask].double().mean().item()
    assert hit == pytest.approx(result.scores.test_accuracy, abs=1e-6)
    assert result.parameters == result.model.num_parameters
    assert result.finished.seconds == pytest.approx(sum(e.seconds for e in (*judged, *finals)))


def test_graphnas_trains_the_best_architectures_anew_and_auto_gnn_the_best_one(small_graph):
    for name in ("graphnas", "random"):
        result, _ = searched(small_graph, name)
        judged = {event.text: event for event in kinds(result.events, ArchitectureJudged)}
        ranked = sorted(judged.values(), key=lambda event: (-event.val_accuracy, event.val_loss))
        assert [event.text for event in kinds(result.events, FinalTrained)] == [e.text for e in ranked[:3]]
    result, _ = searched(small_graph, "autognn")
    best = kinds(result.events, ArchitectureJudged)
    last = [event for event in best if event.best][-1]
    finals = kinds(result.events, FinalTrained)
    assert [event.text for event in finals] == [last.text] * 3
    assert len({event.scores.val_loss for event in finals}) == 3  # drawn anew each time


def cut(result, networks, count):
    """Return what is known of a run whose first ``count`` events were stored."""
    events = tuple(event_from_dict(event.to_dict()) for event in result.events[:count])
    steps = len(best_so_far(events))
    return RunRecord(events=events, weights={n: network.weights for n, network in networks.items() if n <= steps})


def decided(events):
    """Return what does not depend on the clock."""
    plain = [event for event in events if not isinstance(event, EpochsTrained)]
    return [{key: value for key, value in event.to_dict().items() if key != "seconds"} for event in plain]


@pytest.mark.parametrize("name", SEARCHES)
def test_a_search_that_was_killed_at_any_moment_ends_as_it_would_have(small_graph, name):
    result, networks = searched(small_graph, name)
    for count in range(1, len(result.events)):
        if count % 3 and not isinstance(result.events[count - 1], ArchitectureJudged | FinalTrained):
            continue
        record = cut(result, networks, count)
        resumed = resume(small_graph, record, report_every=4).finish()
        assert decided(resumed.events) == decided(result.events)
        for weight, expected in zip(
            resumed.model.state_dict().values(), result.model.state_dict().values(), strict=True
        ):
            assert torch.equal(weight, expected)


def heads(fan_in=9, **chosen):
    usual = {"attention": "gat", "aggregator": "sum", "activation": "tanh", "heads": 2, "hidden": 3}
    first = LayerChoice(**{**usual, **chosen})
    return Architecture((first, LayerChoice(**{**usual, "hidden": 4})))


def built(architecture, shared):
    sizes = {"num_features": 9, "num_classes": 4, "combine_width": 5}
    model = ChildNet(architecture, **sizes, shared=shared.of(architecture, 9))
    model.initialise(torch.Generator().manual_seed(len(str(architecture))))
    return model


def storages(model):
    return [part.heads.weight.data_ptr() for part in model.stack]


@pytest.mark.parametrize(
    ("change", "alike"),
    [
        ({"aggregator": "max"}, (True, True)),
        ({"combine": "mlp"}, (True, True)),
        ({"attention": "cos"}, (False, True)),
        ({"activation": "relu"}, (False, True)),
        ({"heads": 4}, (False, False)),
        ({"hidden": 6, "heads": 1}, (False, True)),
    ],
)
def test_shared_weights_are_the_same_storage_where_layers_are_alike_and_only_there(change, alike):
    shared = SharedHeads()
    first = built(heads(), shared)
    shared.hand_on(first)
    second = built(heads(**change), shared)
    assert tuple(a == b for a, b in zip(storages(first), storages(second), strict=True)) == alike
    assert second.num_inherited == sum(alike)


def test_weights_that_helped_nobody_are_set_back():
    shared = SharedHeads()
    first = built(heads(), shared)
    shared.hand_on(first)
    before = {name: weight.clone() for name, weight in first.state_dict().items()}
    second = built(heads(aggregator="mean"), shared)
    shared.begin(second)
    for parameter in second.parameters():
        parameter.data.add_(1)
    assert not torch.equal(first.stack[0].heads.weight, before["layers.0.heads.weight"])
    shared.set_back()
    assert all(torch.equal(weight, before[name]) for name, weight in first.state_dict().items())
    assert storages(second) == storages(first)


def test_layers_at_other_places_or_of_other_inputs_are_not_alike():
    one = heads()
    assert len(set(keys(one, 9) + keys(one, 10))) == 3


def test_with_sharing_later_architectures_begin_with_weights_of_earlier_ones(small_graph):
    result, _ = searched(small_graph, "autognn-shared", architectures=12)
    proposed = kinds(result.events, ArchitectureProposed)
    assert proposed[0].inherited == 0 and any(event.inherited for event in proposed)
    last = {}
    for event in result.events:  # the longest training after each proposal
        if isinstance(event, ArchitectureProposed):
            last = {"inherited": event.inherited, "epochs": None}
        elif isinstance(event, EpochsTrained) and last:
            last["epochs"] = event.epochs
        elif isinstance(event, ArchitectureJudged) and not event.repeated:
            assert last["epochs"] == (4 if last["inherited"] else 8)


def test_an_architecture_that_was_tried_before_is_looked_up(small_graph):
    settings = {"architectures": 60, "child_epochs": 2, "final_runs": 1, "initial": 1}
    run = train("autognn", small_graph, **settings, report_every=100, seed=1)
    judged = kinds(run.finish().events, ArchitectureJudged)
    repeated = [event for event in judged if event.repeated]
    assert repeated
    for event in repeated:
        first = next(other for other in judged if other.text == event.text)
        assert (event.val_accuracy, event.val_loss) == (first.val_accuracy, first.val_loss) and not event.best


def test_a_search_ends_early_when_its_seconds_are_over(small_graph):
    run = train("random", small_graph, architectures=100_000, child_epochs=20, max_seconds=1, final_runs=2)
    result = run.finish()
    judged = kinds(result.events, ArchitectureJudged)
    assert result.finished.status == "finished" and sum(event.seconds for event in judged[:-1]) < 1


def test_architectures_that_are_too_large_are_passed_over_and_said(small_graph):
    result, _ = searched(small_graph, "random", max_width=8)
    for event in kinds(result.events, ArchitectureJudged):
        assert max(event.topology) <= 8
    assert sum(event.skipped for event in kinds(result.events, ArchitectureProposed)) > 0
    with pytest.raises(
        ConfigError, match=r"None of 1,000 proposed architectures .* Raise max_width or max_parameters"
    ):
        searched(small_graph, "random", max_parameters=10)


def test_a_search_whose_architectures_all_diverge_says_so(small_graph):
    result, _ = searched(small_graph, "random", learning_rate=1e30)
    judged = kinds(result.events, ArchitectureJudged)
    if all(event.diverged for event in judged):
        assert (result.finished.status, result.finished.ending) == ("failed", "nothing_found")
    assert all(event.scores is None or event.scores.finite for event in judged)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"architectures": 0}, "architectures must be at least 1, got 0"),
        ({"child_epochs": 0}, "child_epochs must be at least 1"),
        ({"final_runs": 0}, "final_runs must be at least 1"),
        ({"architectures": 10**9}, "architectures must be at most 100,000"),
        ({"budget": 5}, "No setting named 'budget'"),
    ],
)
@pytest.mark.parametrize("name", ["graphnas", "autognn", "random"])
def test_bad_settings_get_a_clear_error(small_graph, name, settings, message):
    with pytest.raises(ConfigError, match=message):
        train(name, small_graph, **settings)


def test_the_published_budgets_are_presets():
    for name in ("graphnas", "autognn"):
        assert method_named(name).settings("paper").architectures == 1000
    assert {name for name, method in METHODS.items() if method.searches} == {"graphnas", "autognn", "random"}


def test_the_seed_decides_the_search(small_graph):
    results = [searched(small_graph, "graphnas", seed=seed)[0] for seed in (0, 0, 1)]
    texts = [[event.text for event in kinds(result.events, ArchitectureJudged)] for result in results]
    assert texts[0] == texts[1] != texts[2]
    assert results[0].scores == results[1].scores


@pytest.mark.slow
def test_a_search_of_six_on_cora_finds_a_network_that_learns(cora):
    result = train("random", cora, architectures=6, report_every=1000).finish()
    finals = [event.scores.test_accuracy for event in kinds(result.events, FinalTrained)]
    assert isinstance(result.finished, RunFinished) and math.isfinite(statistics.fmean(finals))
    assert max(finals) > 0.6
