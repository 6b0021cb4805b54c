"""How much memory a job will take is estimated before it starts."""

import numpy as np
import pytest
import torch
from small_runs import quick

from pgcn import load_graph, train
from pgcn.data.catalogue import CATALOGUE
from pgcn.data.synthetic import synthetic_graph
from pgcn.engine.allocation import allocation_in_words
from pgcn.errors import ConfigError, PgcnError
from pgcn.events import RunEvent
from pgcn.execution.memory import RunMemory
from pgcn.methods.gat import GATConfig
from pgcn.methods.gcn import GCNConfig
from pgcn.methods.graphnas import GraphNASConfig
from pgcn.methods.mlp import MLPConfig
from pgcn.methods.ngcn import NGCNConfig
from pgcn.methods.pgcn import growth_preset
from pgcn.methods.pgcn.events import BlockProposed
from pgcn.methods.random import RandomConfig
from pgcn.methods.registry import METHODS
from pgcn.methods.steps import final_step


def test_memory_is_estimated_from_what_is_known_of_a_graph():
    cora, pubmed = CATALOGUE["cora"], CATALOGUE["pubmed"]
    one = RunMemory(cora, [growth_preset()])
    assert RunMemory(cora, [growth_preset(starts=64)]).now > 4 * one.now  # each start has its own network
    many = RunMemory(cora, [growth_preset(seed=seed) for seed in range(20)], processes=2)
    assert 2**20 < one.now < 50 * 2**20 < many.now < 2**30
    assert RunMemory(pubmed, [GCNConfig()]).now < 100 * 2**20
    wide = growth_preset(block_width=100_000, max_width=100_000)
    assert RunMemory(pubmed, [wide]).now > 40 * 2**30
    before = one.now
    proposed = {"layer": 1, "block": 1, "width": 5, "parameters": 1}
    one.follow(RunEvent(run=0, event=BlockProposed(topology=(50,), **proposed)))
    assert one.now == before
    one.follow(RunEvent(run=0, event=BlockProposed(topology=(5000, 5000), **proposed)))
    assert one.now > 10 * before


@pytest.mark.parametrize("method", METHODS)
def test_memory_is_estimated_for_as_many_neurons_as_a_run_of_any_method_has(method):
    config = quick(method)
    result = train(method, load_graph("karate"), config).finish()
    assert sum(result.topology) <= sum(config.size().widths)
    if METHODS[method].steps is final_step:  # it trains one network
        assert sum(result.topology) == sum(config.size().widths)


def test_memory_rises_with_the_heads_of_attention_and_the_towers_of_ngcn():
    cora = CATALOGUE["cora"]
    assert GATConfig(heads=8, hidden=8).size().widths == (64,)
    assert NGCNConfig(powers=(0, 1, 2), replicas=4, hidden=10).size().widths == (120,)
    for small, large in (
        (GATConfig(heads=1), GATConfig(heads=8)),
        (NGCNConfig(replicas=1), NGCNConfig(replicas=9)),
        (RandomConfig(max_width=16), RandomConfig(max_width=1024)),
    ):
        assert RunMemory(cora, [small]).now < RunMemory(cora, [large]).now


def test_the_system_that_the_closed_form_solves_counts_whatever_the_graph():
    # Measured on the karate club: a layer of 8000 neurons takes 1.9 GB, one of 4000 0.5 GB.
    karate = CATALOGUE["karate"]
    for width, taken in ((4000, 0.5 * 2**30), (8000, 1.9 * 2**30)):
        wide = growth_preset(block_width=width, max_width=width, max_layers=1)
        assert taken < RunMemory(karate, [wide]).now < 2 * taken
    grown = RunMemory(karate, [growth_preset()])
    proposed = {"layer": 1, "block": 1, "width": 8000, "parameters": 1}
    grown.follow(RunEvent(run=0, event=BlockProposed(topology=(8000,), **proposed)))
    assert grown.now > 1.9 * 2**30


def test_weights_count_those_between_layers_and_those_of_a_controller_too():
    karate = CATALOGUE["karate"]
    between = 16 * 20_000 * 20_000
    assert RunMemory(karate, [GCNConfig(hidden=(20_000, 20_000))]).now > between
    assert RunMemory(karate, [MLPConfig(hidden=(20_000, 20_000))]).now > between
    assert RunMemory(karate, [GraphNASConfig(controller_size=10_000)]).now > 11 * 2**30
    assert RunMemory(karate, [GraphNASConfig()]).now < 2**30


@pytest.mark.parametrize(
    ("method", "settings"),
    [
        ("gcn", {"hidden": (100_000, 100_000, 100_000)}),
        ("mlp", {"hidden": (100_000,) * 100}),
        ("pgcn", {"block_width": 100_000, "max_width": 100_000}),
        ("gat", {"heads": 1000, "hidden": 10_000}),
        ("ngcn", {"replicas": 1000, "hidden": 100_000}),
        ("graphnas", {"controller_size": 10_000}),
    ],
)
def test_a_network_of_too_many_parameters_is_refused_before_anything_is_built(method, settings):
    graph = synthetic_graph(nodes=300, features=6_000 if method == "pgcn" else 60)
    with pytest.raises(ConfigError, match=r"would have about [0-9,]+ parameters .*Choose narrower"):
        train(method, graph, **settings)


def test_memory_that_runs_out_is_a_sentence():
    with pytest.raises(PgcnError, match="Out of memory"), allocation_in_words():
        torch.empty(2**62, dtype=torch.uint8)
    with pytest.raises(PgcnError, match="Out of memory"), allocation_in_words():
        np.empty(2**62, dtype=np.uint8)
    with pytest.raises(RuntimeError, match="shapes"), allocation_in_words():
        torch.ones(2, 3) @ torch.ones(2, 3)
