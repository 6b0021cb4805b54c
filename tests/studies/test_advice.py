"""Will growing pay? Words follow from intervals, test nodes are not looked at, clear cases are told as they are."""

import itertools
import json
import math
from dataclasses import replace

import numpy as np
import pytest
import torch

from pgcn import advise, choose_preset, load_graph
from pgcn.errors import ConfigError
from pgcn.methods.pgcn import DEFAULT_PRESET, PRESETS
from pgcn.studies.advice import advising
from pgcn.studies.advice.evidence import Advice, Choice, Measured, Tried, choose
from pgcn.studies.advice.facts import Facts, count_facts
from pgcn.studies.advice.gains import Gain, gain, unseen
from pgcn.studies.advice.probe import Ended, Probe, halves_of
from pgcn.studies.advice.words import FEWEST, TITLES, WORTH

FACTS = Facts(
    dataset="mine",
    split="public",
    nodes=2000,
    edges=4000,
    features=100,
    features_before=None,
    classes=4,
    labelled=80,
    validation=500,
    homophily=0.8,
    known_edges=60,
    smallest_class=0.25,
    largest_class=0.25,
    own_features=False,
)


def between(low, high, nodes=500):
    return Gain(mean=(low + high) / 2, error=(high - low) / 4, low=low, high=high, nodes=nodes, runs=(3, 5))


def test_a_gain_is_the_difference_of_means_and_its_variance_that_of_nodes_and_seeds():
    one = np.array([[1, 1, 0, 1], [1, 1, 1, 1]], dtype=bool)
    other = np.array([[1, 0, 0, 1], [0, 0, 0, 1]], dtype=bool)
    found = gain(one, other)
    differences = [0.5, 1.0, 0.5, 0.0]
    variance = np.var(differences, ddof=1) / 4 + np.var([0.75, 1.0], ddof=1) / 2 + np.var([0.5, 0.25], ddof=1) / 2
    assert found.mean == pytest.approx(50) and found.error == pytest.approx(100 * math.sqrt(variance))
    assert found.nodes == 4 and found.runs == (2, 2)
    assert gain(other, one).mean == pytest.approx(-found.mean)
    assert gain(one[:1], other) is None and gain(one[:, :1], other[:, :1]) is None


def test_the_interval_of_a_gain_holds_the_truth_as_often_as_it_says():
    """Nodes and seeds both differ by chance: a node's share of runs that are right, and a seed's luck."""
    rng, held = np.random.default_rng(0), 0
    for _ in range(300):
        hard = rng.uniform(0.3, 1, 200)
        luck = rng.normal(0, 0.03, (2, 4, 1))
        one, other = (rng.random((4, 200)) < np.clip(hard + lane, 0, 1) for lane in luck)
        found = gain(one, other)
        held += found.low <= 0 <= found.high
    assert held / 300 > 0.93


def test_nodes_that_all_agree_leave_room_for_others_that_do_not():
    right = np.ones((3, 500), dtype=bool)
    found = gain(right, right)
    assert found.mean == 0 and found.high == pytest.approx(100 * unseen(500)) and found.high < WORTH
    assert (1 - unseen(20)) ** 20 == pytest.approx(0.025)


@pytest.mark.parametrize(
    ("low", "high", "kind", "words"),
    [
        (
            2.9,
            7.3,
            "likely",
            "Growing is likely to pay: growth gains +5.1 points (95 % CI +2.9 to +7.3) over GCN-16",
        ),
        (0.2, 0.8, "little", "clearly less than 1 point"),
        (-1.0, 0.6, "unlikely", "gains less than 1 point over GCN-16, if anything (−0.2, 95 % CI −1.0 to +0.6)"),
        (-3.0, -1.0, "unlikely", "growth loses 2.0 points to GCN-16 (95 % CI −3.0 to −1.0)"),
        (-1.0, 1.8, "unclear", "+0.4 points (95 % CI −1.0 to +1.8), is not significant"),
    ],
)
def test_the_words_follow_from_the_interval(low, high, kind, words):
    advice = Advice(facts=FACTS, growth=between(low, high), ratio=1.24)
    assert advice.kind == kind and words in advice.sentence and TITLES[kind] in advice.sentence
    assert "500 validation nodes" in advice.sentence
    assert ("1.2 times the parameters of GCN-16" in advice.sentence) == (kind == "likely")


def test_a_wider_gcn_is_told_and_which_of_the_two_is_better():
    advice = Advice(
        facts=FACTS, growth=between(2, 4), wide=between(5, 7), wide_ratio=4.0, growth_over_wide=between(-4, -2)
    )
    assert "a GCN of 64 neurons gains +6.0 points (95 % CI +5.0 to +7.0) with 4.0 times" in advice.sentence
    assert "of the two the wider GCN is better, by 3.0 points" in advice.sentence
    worse = replace(advice, wide=between(-7, -5), growth_over_wide=between(-1, 1)).sentence
    assert "a GCN of 64 neurons loses 6.0 points" in worse and "of the two" not in worse
    assert "does not differ significantly" in replace(advice, wide=between(-1, 1)).sentence


def test_what_cannot_be_said_is_not_said():
    assert "no validation nodes" in Advice(facts=replace(FACTS, validation=0)).sentence
    few = Advice(facts=replace(FACTS, validation=FEWEST - 1), growth=between(2, 4))
    assert few.kind == "unknown" and f"{FEWEST - 1} validation nodes are too few" in few.sentence
    assert Advice(facts=FACTS, wide=between(1, 2), seconds=5.0).kind == "unknown"
    short = Advice(facts=FACTS, growth=between(-2, -1), stopped=True)
    assert short.kind == "unclear" and "had not finished" in short.sentence
    assert replace(short, growth=between(2, 4)).kind == "likely"


def runs_right(*shares, parameters, nodes=400, seed=0):
    """Return runs that are right about so large a share of the nodes, most of them the same."""
    order = np.random.default_rng(seed).permutation(nodes)
    right = np.array([order < share * nodes for share in shares])
    return Tried(right=right, deciding=0.0, parameters=parameters)


def test_the_smallest_of_the_presets_that_tie_with_the_best_is_picked():
    best, tie = runs_right(0.80, 0.81, parameters=900), runs_right(0.795, 0.81, parameters=300)
    worse = runs_right(0.6, 0.61, parameters=100)
    found = choose({"best": best, "tie": tie, "worse": worse}, "default")
    assert found.preset == "tie" and "best does best" in found.why and "this one has fewer parameters" in found.why
    assert [row.name for row in found.tried] == ["best", "tie", "worse"] and found.tried[0].behind is None
    assert choose({"best": best, "worse": worse}, "default").preset == "best"
    single = {"best": runs_right(0.8, parameters=9), "small": runs_right(0.79, parameters=1)}
    assert choose(single, "default").preset == "best" and "not enough for a test" in choose(single, "default").why
    assert choose({}, "default").preset == "default"


def test_an_advice_survives_json():
    row = Measured.of("gcn-16", runs_right(0.8, 0.7, parameters=10.5), between(-1, 1))
    choice = Choice(preset="tuned", why="It does.", tried=(row,), left_out=("paper",))
    advice = Advice(facts=FACTS, measured=(row,), growth=between(1, 2), grown=("tuned",), choice=choice)
    assert Advice.from_dict(json.loads(json.dumps(advice.to_dict()))) == advice
    bare = Advice(facts=FACTS)
    assert Advice.from_dict(json.loads(json.dumps(bare.to_dict()))) == bare


def test_each_half_of_the_validation_nodes_measures_once_and_test_nodes_are_nowhere(small_graph):
    halves = halves_of(small_graph)
    assert torch.equal(halves[0].val_mask | halves[0].test_mask, small_graph.val_mask)
    assert torch.equal(halves[0].val_mask, halves[1].test_mask) and torch.equal(
        halves[1].val_mask, halves[0].test_mask
    )
    assert not (halves[0].val_mask & halves[0].test_mask).any()
    unseen_nodes = ~(small_graph.train_mask | small_graph.val_mask)
    assert all((half.y[unseen_nodes] == -1).all() for half in halves)
    shuffled = small_graph.y.clone()
    shuffled[small_graph.test_mask] = shuffled[small_graph.test_mask].flip(0)
    others = halves_of(replace(small_graph, y=shuffled))
    assert all(torch.equal(one.y, other.y) for one, other in zip(halves, others, strict=True))
    assert all(torch.equal(one.val_mask, other.val_mask) for one, other in zip(halves, others, strict=True))
    assert count_facts(replace(small_graph, y=shuffled)) == count_facts(small_graph)


def test_facts_are_counted_on_training_and_validation_nodes():
    graph = load_graph("karate")
    facts = count_facts(graph)
    seen = graph.train_mask | graph.val_mask
    pairs = [(a, b) for a, b in graph.edge_index.T.tolist() if a < b and seen[a] and seen[b]]
    assert facts.known_edges == len(pairs)
    assert facts.homophily == pytest.approx(np.mean([bool(graph.y[a] == graph.y[b]) for a, b in pairs]))
    assert facts.own_features and not FACTS.own_features
    assert facts.labels_per_feature == 4 / 34 and facts.label_rate == 4 / 34
    assert not count_facts(load_graph("synthetic", nodes=60, classes=3, features=60)).own_features


def test_an_advice_keeps_to_its_seconds_and_a_graph_with_few_validation_nodes_gets_none(tall_graph):
    told = []
    advice = advise(tall_graph, seconds=1.5, progress=told.append)
    assert advice.kind in TITLES and advice.sentence.endswith(".") and advice.seconds < 60
    assert advice.facts.validation == int(tall_graph.val_mask.sum())
    assert any("GCN" in text for text in told) and advice == Advice.from_dict(
        json.loads(json.dumps(advice.to_dict()))
    )
    karate = load_graph("karate")
    assert advise(karate).kind == "unknown" and advise(karate).seconds == 0
    with pytest.raises(ConfigError, match="seconds"):
        advise(karate, seconds=0)


def test_the_preset_that_stands_for_growth_is_not_the_one_that_is_fitted_most_to_its_deciding_nodes(small_graph):
    probe = Probe(small_graph, [])
    for name, deciding, share in (("greedy", 0.9, 0.1), ("plain", 0.5, 0.6)):
        for half, seed in itertools.product((0, 1), range(2)):
            right = np.arange(10) < 10 * share
            probe.ended[name, half, seed] = Ended(right=right, deciding=deciding, parameters=9, finished=True)
    names = ("greedy", "plain")
    assert [probe.favoured(names, half, (0, 1)) for half in (0, 1)] == ["plain", "plain"]
    assert probe.favoured(names, 0, (0,)) == "greedy"  # nothing else is known
    probe.ended["plain", 1, 0] = replace(probe.ended["plain", 1, 0], finished=False)
    assert probe.favoured(names, 0, (0, 1)) == "greedy"  # plain was cut short


def test_all_presets_are_tried_on_equal_terms():
    graph = load_graph("synthetic", nodes=120, classes=3, features=40, average_degree=4.0, seed=1)
    choice = choose_preset(graph, seconds=60, epochs=5, max_layers=1, max_width=10)
    assert {row.name for row in choice.tried} == set(PRESETS) and choice.preset in PRESETS
    assert len({(row.runs, row.nodes) for row in choice.tried}) == 1
    assert choice.tried[0].nodes == int(graph.val_mask.sum())
    with pytest.raises(ConfigError, match="block_widht"):
        choose_preset(graph, block_widht=3)
    without_linear = choose_preset(graph, seconds=60, epochs=2, max_layers=1, max_width=5, readout="linear")
    assert "tuned" not in {row.name for row in without_linear.tried}
    assert any("tuned" in sentence for sentence in without_linear.left_out)


def test_without_validation_nodes_to_compare_by_the_default_preset_is_picked():
    graph = load_graph("karate")
    few = torch.zeros_like(graph.val_mask)
    few[graph.val_mask.nonzero()[:3]] = True
    choice = choose_preset(graph.with_masks(graph.train_mask, few, graph.test_mask, split="few"), seconds=5)
    assert choice.preset == DEFAULT_PRESET and "few validation nodes" in choice.why


@pytest.mark.slow
def test_where_it_is_clear_by_construction_the_advice_is_the_right_one(monkeypatch):
    """Few features that tell many classes only together; and features of which a few tell the class outright."""
    monkeypatch.setattr(advising, "PRESETS", {"pagerank": PRESETS["pagerank"]})
    monkeypatch.setattr(advising, "ROUNDS", 1)
    how = {"classes": 8, "features": 400, "topic": 0.5, "homophily": 0.9, "dims": 8, "split": "fraction:0.5"}
    advice = advise(load_graph("synthetic", nodes=800, **how), seconds=180)
    assert advice.kind == "likely", advice.sentence
    easy = load_graph("synthetic", nodes=1200, classes=3, features=300, topic=0.9, homophily=1.0)
    advice = advise(easy, seconds=180)
    assert advice.kind in ("unlikely", "little"), advice.sentence
