"""Growing real networks on real data."""

import dataclasses
import itertools

import pytest
import torch
from comparison import same, state, timeless

from pgcn.data import load_graph
from pgcn.engine.fields import PreparedGraph
from pgcn.engine.lanes import LaneParameters
from pgcn.engine.model import GraphNet
from pgcn.engine.networks import LaneNetworks, LaneSettings
from pgcn.errors import ConfigError, PgcnError
from pgcn.events import EpochsTrained, RunFinished, RunStarted, Scores
from pgcn.execution.start import grow, grow_many
from pgcn.generators import WithResult
from pgcn.methods.endings import ending_sentence
from pgcn.methods.pgcn import PRESETS, growth_preset
from pgcn.methods.pgcn.best import best_start
from pgcn.methods.pgcn.candidate import Candidate
from pgcn.methods.pgcn.events import BlockAccepted, BlockRejected, LayerRejected
from pgcn.methods.pgcn.initial import architecture_of, initial_weights
from pgcn.methods.pgcn.trainer import train_candidates

QUICK = {"epochs": 40, "max_width": 15, "max_layers": 3}


@pytest.mark.parametrize("preset", PRESETS)
def test_every_preset_grows_on_cora_far_better_than_chance(cora, preset):
    result = grow(cora, growth_preset(preset, epochs=100, max_layers=2)).finish()
    assert result.finished.status == "finished"
    assert result.scores.test_accuracy > 0.65
    assert result.parameters == result.model.num_parameters


@pytest.mark.parametrize("loss", ["ce", "mse"])
@pytest.mark.parametrize("mse_objective", ["j1", "mean"])
@pytest.mark.parametrize("metric", ["val_accuracy", "val_loss", "labelled_loss"])
def test_losses_and_metrics_all_drive_growth(small_graph, loss, mse_objective, metric):
    config = growth_preset(loss=loss, mse_objective=mse_objective, metric=metric, **QUICK)
    assert grow(small_graph, config).finish().finished.status == "finished"


def test_the_same_seed_gives_the_same_events_and_another_seed_others(cora):
    first, again, other = (grow(cora, growth_preset(seed=s, **QUICK)).finish() for s in (3, 3, 4))
    assert timeless(first.events) == timeless(again.events)
    assert same(state(first.model), state(again.model))
    assert timeless(first.events)[1:] != timeless(other.events)[1:]


@pytest.mark.parametrize(
    ("preset", "alone_threads", "dims"),
    [
        ("reproduction", 1, None),
        ("tuned", 2, None),
        ("reference", 2, None),
        ("reproduction", 2, 30),
        ("reproduction", 1, 300),
        ("pagerank", 2, None),
    ],
)
def test_a_lane_equals_its_run_alone(cora, preset, alone_threads, dims):
    graph = cora if dims is None else load_graph("cora", split="fraction:0.5", dims=dims)
    changes = [
        {"seed": 0},
        {"seed": 1},
        {"seed": 2, "dropout": 0.1, "lambda1": 10.0},
        {"seed": 3, "learning_rate": 0.03, "weight_decay": 0.0, "lambda2": 2.0},
    ]
    how = {**QUICK, "epochs": 20}
    if preset == "pagerank":
        preset, how = "tuned", {**how, "readout": "pagerank", "keep_epoch": "best", "starts": 2}
    configs = [growth_preset(preset, **how, **change) for change in changes]
    together = grow_many(graph, configs).finish()
    threads = torch.get_num_threads()
    torch.set_num_threads(alone_threads)
    try:
        for lane, config in zip(together, configs, strict=True):
            alone = grow(graph, config).finish()
            assert timeless(lane.events) == timeless(alone.events)
            assert same(state(lane.model), state(alone.model))
    finally:
        torch.set_num_threads(threads)


def test_a_rejected_block_or_layer_leaves_every_weight_as_it_was(cora):
    run = grow(cora, growth_preset(**QUICK, epsilon_b=0.05, seed=1))
    accepted, before_layer, rejected = None, None, []
    for event in run:
        if isinstance(event, BlockAccepted):
            if event.block == 1:
                before_layer = accepted
            accepted = state(run.model)
        elif isinstance(event, BlockRejected):
            assert same(state(run.model), accepted)
            rejected.append("block")
        elif isinstance(event, LayerRejected):
            assert same(state(run.model), before_layer)
            rejected.append("layer")
    assert {"block", "layer"} <= set(rejected)
    assert same(state(run.result.model), before_layer)


def test_a_block_with_a_zero_readout_leaves_the_outputs_unchanged(cora):
    config = growth_preset(readout="graph")
    small = architecture_of(config, cora.num_features, (10, 5), cora.num_classes)
    source = torch.Generator().manual_seed(0)
    weights = {name: torch.randn(shape, generator=source) for name, shape in small.parameter_shapes().items()}
    candidate = Candidate(layer=2, block=2, widths=(10, 10), base=weights, solves=1)
    large = architecture_of(config, cora.num_features, (10, 10), cora.num_classes)
    grown = initial_weights(config, large, candidate, source)
    grown["output.weight"][:5] = weights["output.weight"]
    assert torch.equal(grown["hidden.1.weight"][:, :5], weights["hidden.1.weight"])
    assert grown["hidden.1.weight"][:, 5:].abs().min() > 0
    x, edges = cora.x, cora.edge_index
    before = GraphNet.from_weights(small, weights)(x, edges)
    torch.testing.assert_close(GraphNet.from_weights(large, grown)(x, edges), before)


@pytest.mark.parametrize(("carry_over", "carried"), [("all", {0, 1}), ("first_layer", {0})])
def test_a_new_block_starts_from_the_weights_that_are_carried_over(cora, carry_over, carried):
    config = growth_preset(carry_over=carry_over, bias=True)
    source = torch.Generator().manual_seed(0)
    old = architecture_of(config, cora.num_features, (5, 5), cora.num_classes)
    base = {name: torch.randn(shape, generator=source) for name, shape in old.parameter_shapes().items()}
    new = architecture_of(config, cora.num_features, (5, 10), cora.num_classes)
    candidate = Candidate(layer=2, block=2, widths=(5, 10), base=base, solves=1)
    weights = initial_weights(config, new, candidate, source)
    for layer in (0, 1):
        name = f"hidden.{layer}.weight"
        assert torch.equal(weights[name][:, :5], base[name]) is (layer in carried)


@pytest.mark.parametrize("init", ["glorot", "layer_width"])
def test_new_blocks_are_drawn_from_the_range_of_their_init(cora, init):
    config = growth_preset(init=init)
    base = {"hidden.0.weight": torch.zeros(cora.num_features, 15)}
    architecture = architecture_of(config, cora.num_features, (20,), cora.num_classes)
    candidate = Candidate(layer=1, block=4, widths=(20,), base=base, solves=4)
    weights = initial_weights(config, architecture, candidate, torch.Generator().manual_seed(0))
    block = weights["hidden.0.weight"][:, 15:]
    limit = (6 / (cora.num_features + 5)) ** 0.5 if init == "glorot" else 20**-0.5
    assert block.abs().max() <= limit
    assert block.abs().max() > 0.99 * limit


def test_the_error_does_not_rise_where_the_appendix_proves_it(small_graph):
    proven = {"loss": "mse", "closed_form": "derived", "lambda2": 0.0, "dropout": 0.0, "weight_decay": 0.0}
    every_block = {"max_layers": 2, "max_width": 20, "epsilon_b": -1.0, "epsilon_l": -1.0}
    config = growth_preset(learning_rate=1e-4, epochs=50, **proven, **every_block)
    judged = [event for event in grow(small_graph, config) if isinstance(event, BlockAccepted)]
    assert len(judged) == 8
    for event in judged:
        assert event.error_tuned <= event.error_solved * (1 + 1e-6)
        if event.block > 1:
            assert event.error_solved <= event.error_before * (1 + 1e-6)


def test_the_error_is_seen_to_rise_where_cross_entropy_is_outside_the_proof(cora):
    judged = [e for e in grow(cora, growth_preset(**QUICK)) if isinstance(e, BlockAccepted | BlockRejected)]
    assert any(event.error_tuned > event.error_solved for event in judged)


def test_events_are_complete_and_in_order(cora):
    events = list(grow(cora, growth_preset(**QUICK), report_every=20))
    assert isinstance(events[0], RunStarted) and isinstance(events[-1], RunFinished)
    assert (events[0].nodes, events[0].labelled, events[0].dataset) == (2708, 140, "cora")
    epochs = [event.epoch for event in events if isinstance(event, EpochsTrained)]
    assert epochs == [20, 40] * (len(epochs) // 2)
    for before, after in itertools.pairwise(events):
        if isinstance(after, BlockAccepted | BlockRejected):
            assert isinstance(before, EpochsTrained) and before.loss == after.loss


def test_the_scores_of_the_events_are_the_scores_of_the_model(cora):
    result = grow(cora, growth_preset(**QUICK)).finish()
    right = result.model.predict(cora.x, cora.edge_index) == cora.y
    for mask, score in (
        ("train_mask", "labelled_accuracy"),
        ("val_mask", "val_accuracy"),
        ("test_mask", "test_accuracy"),
    ):
        there = getattr(cora, mask)
        assert right[there].double().mean().item() == pytest.approx(getattr(result.scores, score), abs=2e-3)


def test_the_best_epoch_is_the_one_that_looking_at_all_of_them_finds():
    """Runs that end at each epoch looked at, and keep the last, are the slow twin."""
    graph = load_graph("karate")
    how = {"max_layers": 1, "max_width": 5, "learning_rate": 0.1}

    def first_block(**more):
        events = grow(graph, growth_preset("tuned", **how, **more)).finish().events
        return next(event for event in events if isinstance(event, BlockAccepted))

    last = [first_block(epochs=epochs).after for epochs in range(10, 61, 10)]
    best = max(last, key=lambda scores: (scores.val_accuracy, -scores.val_loss))
    assert first_block(epochs=60, keep_epoch="best").after == best
    assert best != last[-1]


@pytest.mark.parametrize("readout", ["graph", "pagerank"])
def test_on_a_large_graph_the_best_epoch_is_found_without_computing_the_whole_of_it(
    readout, small_graph, monkeypatch
):
    """With all of the PageRanks' entries the validation nodes' field finds the epoch that the whole graph finds."""
    entries = {"pagerank_entries": small_graph.num_nodes} if readout == "pagerank" else {}
    config = growth_preset(
        "tuned", readout=readout, keep_epoch="best", epochs=40, max_layers=1, max_width=10, **entries
    )

    def topology_and_scores():
        result = grow(small_graph, config).finish()
        return result.topology, result.scores.val_accuracy, round(result.scores.val_loss, 4)

    whole = topology_and_scores()
    monkeypatch.setattr("pgcn.methods.pgcn.trainer.LARGE_GRAPH", 0)
    assert topology_and_scores() == whole


def test_of_several_starts_the_best_by_validation_is_taken(small_graph):
    how = {"max_layers": 1, "max_width": 5, "epochs": 20}
    graph, config = PreparedGraph(small_graph), growth_preset("tuned", **how)
    candidate = Candidate(layer=1, block=1, widths=(5,), base=None, solves=1)

    def trained(**more):
        training = WithResult(train_candidates(graph, [config.change(**more)], [candidate]))
        list(training)
        return training.result[0]

    several = [trained(starts=count).scores for count in (1, 2, 3, 4)]
    merits = [(scores.val_accuracy, -scores.val_loss) for scores in several]
    assert merits == sorted(merits) and merits[0] < merits[-1]
    assert trained(starts=1).scores == several[0]


@pytest.mark.parametrize(
    ("values", "metric", "best"),
    [
        ([(0.5, 1.0), (0.7, 1.0), (0.7, 0.9)], "val_accuracy", 2),
        ([(0.5, 0.8), (0.7, 1.0)], "val_loss", 0),
        ([(0.5, float("nan")), (0.1, 1.0)], "val_accuracy", 1),
    ],
)
def test_a_start_is_best_by_what_growth_goes_by_and_never_one_that_diverged(values, metric, best):
    rest = {"labelled_accuracy": 0.0, "labelled_loss": 0.0, "test_accuracy": 0.0, "test_loss": 0.0}
    assert best_start([Scores(val_accuracy=a, val_loss=b, **rest) for a, b in values], metric) == best


def test_dropout_while_solving_changes_the_readout_only_where_it_is_asked_for(cora):
    solved = {}
    for solve_dropout in (False, True):
        config = growth_preset(**QUICK, solve_dropout=solve_dropout)
        solved[solve_dropout] = next(e for e in grow(cora, config) if isinstance(e, BlockAccepted)).error_solved
    assert solved[False] != solved[True]


def test_solving_for_what_the_graph_readout_computes_fits_better_than_solving_for_something_else(cora):
    errors = {}
    for solve_for in ("hidden", "propagated"):
        config = growth_preset("tuned", solve_for=solve_for, closed_form="derived", lambda2=0.0, **QUICK)
        errors[solve_for] = next(e for e in grow(cora, config) if isinstance(e, BlockAccepted)).error_solved
    assert errors["propagated"] < errors["hidden"]


def test_labels_of_validation_and_test_nodes_never_reach_the_weights(cora):
    hidden = cora.y.clone()
    unlabelled = ~cora.train_mask
    hidden[unlabelled] = (hidden[unlabelled] + 1) % cora.num_classes
    blind = dataclasses.replace(cora, y=hidden)
    config = growth_preset("paper", **QUICK)
    assert same(state(grow(cora, config).finish().model), state(grow(blind, config).finish().model))


def test_a_running_run_has_no_result_yet_but_the_accepted_model(cora):
    run = grow(cora, growth_preset(**QUICK))
    assert run.model is None
    with pytest.raises(PgcnError, match="has not ended"):
        _ = run.result
    next(event for event in run if isinstance(event, BlockAccepted))
    assert run.model.architecture.widths == (5,)


def test_a_cancelled_run_ends_with_the_accepted_network(cora):
    run = grow(cora, growth_preset(**QUICK))
    accepted = next(event for event in run if isinstance(event, BlockAccepted))
    ended = run.cancel("Enough.")
    assert (ended.status, ended.reason, ended.topology) == ("cancelled", "Enough.", (5,))
    assert ended.scores == accepted.after and run.result.model.num_parameters == ended.parameters
    assert next(run, None) is None and run.cancel() is None


def test_a_run_cancelled_before_its_first_block_has_no_network(cora):
    run = grow(cora, growth_preset(**QUICK))
    next(run)
    assert run.cancel().scores is None
    assert run.result.model is None


def test_runs_of_different_shapes_settings_and_seeds_grow_together(cora):
    configs = [
        growth_preset(preset, seed=seed, block_width=width, **QUICK)
        for preset, seed, width in (
            ("paper", 0, 5),
            ("tuned", 1, 5),
            ("reproduction", 2, 10),
            ("reference", 3, 5),
        )
    ]
    results = grow_many(cora, configs).finish()
    assert [result.config for result in results] == configs
    assert all(result.finished.status == "finished" for result in results)


def test_training_that_diverges_fails_with_a_reason_and_not_with_a_traceback(cora):
    result = grow(cora, growth_preset(learning_rate=1e30, **QUICK)).finish()
    assert result.finished.status == "failed"
    assert result.model is None
    assert "learning_rate" in ending_sentence(result.finished)


def test_nothing_to_grow_is_an_error(cora):
    with pytest.raises(ConfigError, match="at least one config"):
        grow_many(cora, [])


def test_a_wide_graph_is_grown_in_batches_that_fit_the_lane_budget(cora, monkeypatch):
    configs = [growth_preset(seed=seed, **QUICK) for seed in range(3)]
    together = grow_many(cora, configs).finish()
    monkeypatch.setattr("pgcn.methods.pgcn.grow.LANE_BUDGET", 1)
    one_by_one = grow_many(cora, configs).finish()
    for left, right in zip(together, one_by_one, strict=True):
        assert timeless(left.events) == timeless(right.events)


def test_lane_networks_give_the_outputs_of_the_module_they_become(cora):
    config = growth_preset("tuned")
    architecture = architecture_of(config, cora.num_features, (5, 10), cora.num_classes)
    source = torch.Generator().manual_seed(0)
    weights = {
        name: torch.randn(shape, generator=source) for name, shape in architecture.parameter_shapes().items()
    }
    parameters = LaneParameters(architecture, [weights], torch.device("cpu"))
    networks = LaneNetworks(architecture, LaneSettings.of([config], torch.device("cpu")), [source])
    whole = PreparedGraph(cora).whole(architecture.hops)
    named = parameters.named(parameters.flat)
    outputs = networks.outputs(named, whole, networks.hidden(named, whole, dropout=False))[0]
    expected = GraphNet.from_weights(architecture, weights)(cora.x, cora.edge_index)
    torch.testing.assert_close(outputs, expected, rtol=1e-4, atol=1e-4)
