"""The controllers give every architecture its probability, and learn what is rewarded."""

import itertools
import math

import pytest
import torch

from pgcn.methods.autognn import AutoGNNConfig
from pgcn.methods.autognn.controller import AutoGNNStrategy
from pgcn.methods.graphnas import GraphNASConfig
from pgcn.methods.graphnas.controller import GraphNASStrategy
from pgcn.methods.search.space import ACTIVATION, AGGREGATOR, ATTENTION, Decision, Space

TINY = Space((Decision("attention", ("gat", "gcn", "cos")), Decision("heads", (1, 2))))
EVERY = list(itertools.product(range(3), range(2), range(3), range(2)))
SHARP = {"controller_learning_rate": 0.05, "temperature": 1.0}


def graphnas(**settings):
    return GraphNASStrategy(GraphNASConfig(**{**SHARP, **settings}), TINY)


def test_log_probabilities_of_all_architectures_of_a_tiny_space_make_one():
    controller = graphnas().controller
    probabilities = {choices: controller.judge(choices)[0].sum().exp().item() for choices in EVERY}
    assert math.fsum(probabilities.values()) == pytest.approx(1, abs=1e-5)
    assert max(probabilities.values()) > min(probabilities.values())


def test_architectures_are_drawn_as_often_as_their_probability_says():
    controller = graphnas().controller
    for parameter in controller.parameters():  # far from uniform
        parameter.data.mul_(8)
    walked = controller.sample(torch.Generator().manual_seed(0), 40_000)
    drawn = torch.stack([choices for choices, _ in walked], dim=1).tolist()
    for choices in EVERY:
        expected = controller.judge(choices)[0].sum().exp().item()
        assert drawn.count(list(choices)) / 40_000 == pytest.approx(expected, abs=0.01)


def test_preferences_are_the_probabilities_of_single_choices():
    strategy = graphnas()
    for parameter in strategy.controller.parameters():
        parameter.data.mul_(8)
    joint = {choices: strategy.controller.judge(choices)[0].sum().exp().item() for choices in EVERY}
    preferred = strategy.preferences()
    assert [len(row) for row in preferred] == [3, 2, 3, 2]
    for position, row in enumerate(preferred):
        for choice, share in enumerate(row):
            exact = sum(p for choices, p in joint.items() if choices[position] == choice)
            assert share == pytest.approx(exact, abs=0.1)


def test_entropies_are_those_of_the_decisions():
    controller = graphnas().controller
    _, entropies = controller.judge((0, 1, 2, 0))
    assert entropies.detach().tolist() == pytest.approx([math.log(3), math.log(2)] * 2, abs=0.05)


def test_reinforce_learns_a_rigged_reward():
    strategy = graphnas()
    for number in range(1, 301):
        proposal = strategy.propose(number, 0)
        strategy.learn(proposal, float(proposal.choices[0] == 2 and proposal.choices[3] == 1), best=False)
    preferred = strategy.preferences()
    assert preferred[0][2] > 0.8 and preferred[3][1] > 0.8


def test_the_baseline_takes_the_new_reward_in_first():
    strategy = graphnas(entropy_weight=0.0, baseline_decay=0.9)
    lessons = [strategy.learn(strategy.propose(n, 0), accuracy, best=False) for n, accuracy in ((1, 0.5), (2, 0.7))]
    assert [lesson.reward for lesson in lessons] == pytest.approx([0.5, 0.7])
    assert [lesson.baseline for lesson in lessons] == pytest.approx([0.5, 0.9 * 0.5 + 0.1 * 0.7])


def test_the_published_settings_leave_so_few_architectures_practically_random():
    strategy = GraphNASStrategy(GraphNASConfig())
    for number in range(1, 31):
        strategy.learn(strategy.propose(number, 0), number / 30, best=False)
    for row in strategy.preferences():
        assert all(share == pytest.approx(1 / len(row), rel=0.1) for share in row)


def autognn(**settings):
    space = Space((ATTENTION, AGGREGATOR, ACTIVATION))
    return AutoGNNStrategy(AutoGNNConfig(**{"initial": 1, **SHARP, **settings}), space)


def test_one_class_of_the_best_architecture_is_changed_at_a_time():
    strategy = autognn()
    first = strategy.propose(1, 0)
    assert first.decision == ""
    strategy.learn(first, 0.5, best=True)
    changed = set()
    for number in range(2, 40):
        proposal = strategy.propose(number, 0)
        changed.add(proposal.decision)
        own = [decision.name for decision in strategy.space.decisions].index(proposal.decision)
        others = [place for place in range(6) if place not in strategy.space.of_decision(own)]
        assert [proposal.choices[place] for place in others] == [first.choices[place] for place in others]
    assert changed == {"attention", "aggregator", "activation"}


def test_the_first_architectures_are_drawn_at_random():
    strategy = autognn(initial=5)
    for number in range(1, 6):
        proposal = strategy.propose(number, 0)
        lesson = strategy.learn(proposal, 0.5 / number, best=number == 1)
        assert proposal.decision == "" and lesson.reward is None
    assert strategy.propose(6, 0).decision


def test_the_largest_entropy_is_that_of_the_class_with_most_choices():
    strategy = autognn(guide="largest")
    strategy.learn(strategy.propose(1, 0), 0.5, best=True)
    assert {strategy.propose(number, 0).decision for number in range(2, 20)} == {"activation"}


def test_a_class_learns_from_how_much_better_than_the_best_it_makes_an_architecture():
    strategy = autognn()
    strategy.learn(strategy.propose(1, 0), 0.5, best=True)
    for number in range(2, 600):
        proposal = strategy.propose(number, 0)
        good = proposal.choices[strategy.space.of_decision(1)[0]] == 3
        lesson = strategy.learn(proposal, 0.9 if good else 0.1, best=False)
        assert lesson.reward == pytest.approx(0.4 if good else -0.4)
    assert strategy.preferences()[1][3] > 0.8  # the aggregator of the first layer


@pytest.mark.parametrize("make", [graphnas, autognn])
def test_a_controller_that_is_told_the_same_again_proposes_the_same(make):
    one, other = make(), make()
    for number in range(1, 20):
        proposal = one.propose(number, 0)
        for strategy in (one, other):
            strategy.learn(proposal, 1 / number, best=number % 7 == 1)
    assert one.propose(20, 3) == other.propose(20, 3)
    assert one.preferences() == other.preferences()
