"""The benchmark measures what it says; how fast anything is, is not tested."""

import json

from pgcn.bench import LANES, bench_epochs, bench_scale, lane_epochs, pyg_epochs
from pgcn.cli import main
from pgcn.methods.pgcn import growth_preset


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


def test_scale_grows_both_blocks_at_every_size_and_fits_an_exponent():
    figures = bench_scale(sizes=(500, 1000))
    assert [(row["nodes"], row["topology"]) for row in figures["rows"]] == [(500, [10]), (1000, [10])]
    assert all(row["peak_gib"] > 0 and row["edges"] == 10 * row["nodes"] for row in figures["rows"])
    assert isinstance(figures["exponent"], float)


def test_bench_prints_json(capsys):
    assert main(["bench", "--dataset", "karate", "--json"]) == 0
    (figures,) = json.loads(capsys.readouterr().out)
    assert figures["dataset"] == "karate" and figures["required_ratios"] is None
