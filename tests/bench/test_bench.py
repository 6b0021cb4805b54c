"""The benchmark measures what it says; how fast anything is, is not tested."""

import json

import pytest
from small_landscape import small

from pgcn import train
from pgcn.bench import LANES, bench_epochs, bench_landscape, bench_method, bench_scale, lane_epochs, pyg_epochs
from pgcn.bench.methods import twin_epochs
from pgcn.bench.twins import TWINS
from pgcn.cli import main
from pgcn.methods.pgcn import growth_preset
from pgcn.methods.registry import METHODS


def test_every_training_goes_on_epoch_by_epoch(small_graph):
    config = growth_preset()
    for training in (pyg_epochs(small_graph, config), lane_epochs(small_graph, config, 3)):
        assert [next(training) for _ in range(3)] == [None] * 3


def test_ratios_are_of_the_times_measured(small_graph):
    figures = bench_epochs(small_graph, rounds=3)
    assert figures["lanes"] == LANES == 20
    assert figures["pyg_ms"] == min(figures["pyg_all_threads_ms"], figures["pyg_one_thread_ms"]) > 0
    assert figures["one_lane_ratio"] == figures["pyg_ms"] / figures["one_lane_ms"]
    assert figures["lanes_ratio"] == figures["pyg_ms"] / figures["lanes_ms"]
    assert figures["run_blocks"] >= 2 and figures["run_seconds"] > 0


@pytest.mark.slow
def test_a_landscape_is_measured_beside_the_same_networks_in_pyg():
    figures = bench_landscape(small())
    assert list(figures["pyg_ms"]) == ["2", "4", "2-2", "4-4"] and figures["all_seconds"] > figures["grid_seconds"]
    assert figures["ratio"] == figures["pyg_seconds"] / figures["grid_seconds"]
    assert figures["pyg_seconds"] == pytest.approx(2 * 8 * sum(figures["pyg_ms"].values()) / 1e3)


@pytest.mark.slow
def test_scale_grows_both_blocks_at_every_size_and_fits_an_exponent():
    figures = bench_scale(sizes=(500, 1000))
    assert [(row["nodes"], row["topology"]) for row in figures["rows"]] == [(500, [10]), (1000, [10])]
    assert all(row["peak_gib"] > 0 and row["edges"] == 10 * row["nodes"] for row in figures["rows"])
    assert isinstance(figures["exponent"], float)


def test_bench_prints_json(capsys):
    assert main(["bench", "--dataset", "karate", "--json"]) == 0
    (figures,) = json.loads(capsys.readouterr().out)
    assert figures["dataset"] == "karate" and figures["required_ratios"] is None


@pytest.mark.parametrize("method", TWINS)
def test_a_twin_has_as_many_parameters_as_its_method_and_ends_by_its_rule(small_graph, method):
    config = METHODS[method].settings(epochs=4)
    strict = TWINS[method][0](small_graph, config)
    result = train(method, small_graph, config).finish()
    assert sum(parameter.numel() for parameter in strict.parameters()) == result.parameters
    assert strict(small_graph.x).shape == (small_graph.num_nodes, small_graph.num_classes)
    assert list(twin_epochs(method, small_graph, config, TWINS[method][0])) == [1, 2, 3, 4]


def test_ratios_of_methods_are_of_the_times_measured(small_graph):
    figures = bench_method("gcn", small_graph, rounds=2, seeds=2, longest=0.2)
    assert figures["twin"] == "GCNTwin" and figures["seeds"] == 2
    assert figures["one_ratios"]["GCNTwin"] == figures["twins_ms"]["GCNTwin"] / figures["one_ms"]
    assert figures["seeds_ratios"]["GCNTwin"] == figures["twins_ms"]["GCNTwin"] / figures["seeds_ms"]
    assert figures["one_run_ratio"] == figures["twin_run_seconds"] / figures["one_run_seconds"]
    assert figures["one_run_epochs"] > 0 and figures["twin_run_epochs"] > 0


def test_bench_of_methods_prints_json_and_refuses_what_has_no_twin(capsys):
    assert main(["bench", "--methods", "sgc", "--dataset", "karate", "--json"]) == 0
    (figures,) = json.loads(capsys.readouterr().out)
    assert (figures["dataset"], figures["method"]) == ("karate", "sgc")
    assert main(["bench", "--methods", "pgcn", "--dataset", "karate"]) != 0
    assert "Choose one of: gcn, sgc, gat" in capsys.readouterr().err
