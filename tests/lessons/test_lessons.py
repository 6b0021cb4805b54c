"""The tour's numbers: against slow twins and the core, and against what the tour says about them."""

import functools
import re
from urllib.parse import parse_qsl

import numpy as np
import pytest
import torch

from pgcn.engine.fields import PreparedGraph
from pgcn.events import EpochsTrained
from pgcn.execution.pool import processes
from pgcn.execution.start import grow, grow_many
from pgcn.lessons.breaks import BASE, BREAKS, SEEDS, comparison, graph_for, run_with, verdict
from pgcn.lessons.example import CHANGES, TOUR, compute_stop, tour_graph
from pgcn.lessons.growth import EPSILONS
from pgcn.lessons.layout import NEAREST, node_positions
from pgcn.lessons.payload import as_json
from pgcn.lessons.run import UnnormalizedGraph, grow_and_score, hidden_values
from pgcn.lessons.steps import network_of, tour_run
from pgcn.lessons.training import LAMBDAS
from pgcn.lessons.work import LessonWork
from pgcn.methods.endings import ending_sentence
from pgcn.methods.pgcn import GrowthConfig, growth_preset
from pgcn.methods.pgcn.events import BlockJudged
from pgcn.methods.pgcn.explain import why
from pgcn.methods.pgcn.readout import normal_equations, solve_readout
from pgcn.ui.grow.settings import Settings, settings_from_query
from pgcn.ui.learn.exercises import EXERCISES
from pgcn.ui.learn.page import frames_of
from pgcn.ui.learn.paper import FIRST, TABLES, link_of
from pgcn.ui.learn.stops import STOPS


@pytest.fixture(scope="module")
def graph():
    return tour_graph()


@pytest.fixture(scope="module")
def worker():
    """A process that computes the tour as the page has it computed: reproducibly."""
    pool = processes(1, reproducibly=True)
    yield lambda work, *given: pool.executor.submit(work, *given).result()
    pool.shutdown()


@pytest.fixture(scope="module")
def lesson(worker):
    """Compute each lesson once."""
    return functools.cache(lambda name: worker(compute_stop, name))


@pytest.fixture(scope="module")
def grown_tour(worker):
    """The events of the tour's run, and its accepted weights by topology."""
    return worker(tour_run)


def dense_adjacency(graph):
    A = np.zeros((graph.num_nodes, graph.num_nodes))
    for i, j in graph.edge_index.T.tolist():
        A[i, j] = 1
    return A


def test_a_row_of_the_normalised_adjacency_is_one_over_the_roots_of_the_degrees(lesson, graph):
    A = dense_adjacency(graph) + np.eye(graph.num_nodes)
    rows = lesson("normalise")["rows"]
    for i, row in enumerate(rows):
        assert [j for j, _ in row] == np.flatnonzero(A[i]).tolist()
        for j, value in row:
            assert value == pytest.approx(1 / np.sqrt(A[i].sum() * A[j].sum()), rel=1e-5)
    assert lesson("convolution")["rows"] == rows


def test_without_normalisation_values_explode_and_with_it_they_do_not(lesson, graph):
    values = lesson("normalise")
    A = dense_adjacency(graph) + np.eye(graph.num_nodes)
    for k, sums in enumerate(values["sums"]):
        assert sums == pytest.approx((np.linalg.matrix_power(A, k) @ np.ones(len(A))).tolist(), rel=1e-5)
    assert max(values["sums"][-1]) == 59705
    assert max(map(max, values["means"])) < 1.6
    assert values["radius"] == pytest.approx({"sums": 5.72719, "means": 1.0}, rel=1e-5)


def test_a_convolution_is_the_weighted_sum_of_the_neighbours_words_times_w(lesson, graph):
    values = lesson("convolution")
    for i, row in enumerate(values["rows"]):
        heard = [sum(weight * values["features"][j][word] for j, weight in row) for word in range(8)]
        assert values["propagated"][i] == pytest.approx(heard, abs=1e-5)
        scores = [sum(heard[word] * values["weight"][word][n] for word in range(8)) for n in range(3)]
        assert values["summed"][i] == pytest.approx(scores, abs=1e-5)
        assert values["hidden"][i] == pytest.approx([max(0, score) for score in scores], abs=1e-5)
    assert torch.allclose(torch.tensor(values["features"]), graph.x, atol=1e-6)


def test_the_readout_solves_the_normal_equations_shown(lesson, graph):
    values = lesson("readout")
    assert [step["lambda"] for step in values["steps"]] == list(LAMBDAS)
    H = np.array(lesson("convolution")["hidden"])
    assert np.allclose(values["gram"], H.T @ H, atol=1e-5)
    T = np.eye(3)[graph.y[graph.train_mask]]
    assert np.allclose(values["right_side"], H[graph.train_mask.numpy()].T @ T, atol=1e-5)
    for step in values["steps"]:
        assert np.allclose(step["system"], np.array(values["gram"]) + np.eye(3) / step["lambda"], rtol=1e-4)
        assert np.allclose(np.array(step["system"]) @ step["readout"], values["right_side"], atol=1e-4)
        right = np.array(step["predicted"]) == graph.y.numpy()
        assert step["right"]["test"] == [right[graph.test_mask.numpy()].sum(), 20]


def test_the_readout_is_what_its_normal_equations_say(small_graph):
    H = torch.rand(small_graph.num_nodes, 4, generator=torch.Generator().manual_seed(0))
    labelled = torch.nonzero(small_graph.train_mask).flatten()
    targets = torch.nn.functional.one_hot(small_graph.y[labelled]).float()
    system, right_side = normal_equations(H, labelled, targets, None, GrowthConfig())
    assert torch.allclose(system @ solve_readout(H, labelled, targets, None, GrowthConfig()), right_side)


def test_training_for_fewer_epochs_is_the_run_on_its_way(lesson, graph):
    """Without dropout the loss reported at an epoch is that of the weights the epoch began with."""
    values = lesson("tuning")
    run = grow(graph, TOUR.change(max_layers=1, max_width=3), report_every=1)
    losses = {event.epoch - 1: event.loss for event in run if isinstance(event, EpochsTrained)}
    shown = dict(zip(values["epochs"], values["labelled_loss"], strict=True))
    assert {epoch: shown[epoch] for epoch in shown if epoch in losses} == pytest.approx(
        {epoch: losses[epoch] for epoch in shown if epoch in losses}, rel=1e-4
    )
    outputs = run.result.model(graph.x, graph.edge_index).softmax(dim=1)
    assert np.allclose(values["probabilities"][-1], outputs.detach(), atol=1e-5)


def test_topic_2_is_silent_in_the_first_block_and_heard_in_the_second(graph, grown_tour):
    _, accepted = grown_tour
    labelled = graph.train_mask & (graph.y == 2)
    with torch.no_grad():
        first, second = (
            network_of(TOUR, graph, widths, accepted[widths]).hidden_features(graph.x, graph.edge_index)[labelled]
            for widths in ((3,), (6,))
        )
    assert first.max() < 0.01
    assert second[:, 3].min() > 0.5
    assert accepted[(6,)]["output.weight"][3].argmax() == 2


def test_trained_columns_keep_their_values_and_a_rejected_block_leaves_no_trace(lesson, grown_tour):
    frames, (_, accepted) = lesson("block")["frames"], grown_tour
    assert [frame["stage"] for frame in frames] == [
        "trained",
        *["added", "tuned", "accepted"] * 2,
        "added",
        "tuned",
        "rejected",
    ]
    before = frames[0]
    for frame in frames[1:]:
        if frame["stage"] == "added":
            width = len(before["weight"][0])
            assert [row[:width] for row in frame["weight"]] == before["weight"]
            assert frame["moved"] == 0
        if frame["stage"] in ("accepted", "rejected"):
            before = frame
    assert frames[3]["weight"] == as_json(accepted[(6,)]["hidden.0.weight"])
    for part, name in (("weight", "hidden.0.weight"), ("readout", "output.weight")):
        assert frames[-1][part] == frames[6][part] == as_json(accepted[(9,)][name])


def test_every_threshold_is_a_run_of_its_own_that_follows_the_rule(lesson, grown_tour):
    runs = lesson("test")["runs"]
    assert [run["epsilon"] for run in runs] == list(EPSILONS)
    for run in runs:
        for step in run["steps"]:
            assert step["accepted"] == (step["block"] == 1 or step["rate"] >= run["epsilon"])
    judged = [event for event in grown_tour[0] if isinstance(event, BlockJudged)]
    own = next(run for run in runs if run["epsilon"] == TOUR.epsilon_b)
    assert [step["reason"] for step in own["steps"]] == [why(event, reject_equal=False) for event in judged]
    by_epsilon = {run["epsilon"]: (run["topology"], run["val"]) for run in runs}
    assert by_epsilon[0.22] == ([6, 3], 0.7) and by_epsilon[0.26] == ([3], 0.4)


def test_the_whole_run_is_shown_decision_by_decision(lesson, grown_tour):
    frames = lesson("layers")["frames"]
    events, _ = grown_tour
    assert frames[-1]["kind"] == "end" and frames[-1]["sentence"] == ending_sentence(events[-1])
    assert tuple(frames[-1]["topology"]) == events[-1].topology == (9, 6)
    assert [frame["kind"] for frame in frames[-3:]] == ["rejected", "layer rejected", "end"]
    assert frames[-1]["layers"] == [
        ["accepted"] * 3 + ["rejected"],
        ["accepted"] * 2 + ["rejected"],
        ["rejected"] * 2,
    ]


def test_half_of_ten_seeds_accept_a_second_layer(graph):
    results = grow_many(
        graph, [growth_preset(**CHANGES, seed=seed) for seed in range(10)], reproducible=True
    ).finish()
    assert sum(len(result.topology) > 1 for result in results) == 5


def test_the_error_of_the_appendix_does_what_the_stop_says(lesson, graph):
    runs = lesson("convergence")["runs"]
    counts = ("later", "solve_lowered", "tuning_lowered", "fell")
    assert [tuple(run[name] for name in counts) for run in runs] == [(3, 3, 0, 0), (2, 0, 2, 2), (3, 3, 3, 3)]
    step = lesson("readout")["steps"][LAMBDAS.index(1.0)]
    Y = np.array(step["outputs"])[graph.train_mask.numpy()]
    T = np.eye(3)[graph.y[graph.train_mask]]
    by_hand = (np.array(step["readout"]) ** 2).sum() / 2 + ((Y - T) ** 2).sum() / 2
    assert runs[0]["steps"][0]["solved"] == pytest.approx(by_hand, rel=1e-4) == step["error"]


def test_the_hidden_values_of_a_comparison_are_the_network_s():
    graph, config = graph_for("", 0), BASE.change(epochs=10, seed=3)
    run = grow(graph, config).finish()
    hidden = run.model.hidden_features(graph.x, graph.edge_index).detach()
    assert np.allclose(hidden_values(run, PreparedGraph(graph)), hidden, atol=1e-4)
    assert grow_and_score(graph, config)["largest"] == pytest.approx(float(hidden.max()), rel=1e-4)


def test_growth_without_normalisation_is_growth_with_another_matrix():
    graph, config = graph_for("", 0), BASE.change(epochs=10, seed=3, max_layers=1, max_width=5)
    prepared = UnnormalizedGraph(graph)
    run = grow(graph, config, prepared=prepared).finish()
    outputs = hidden_values(run, prepared) @ run.model.output.weight.detach().numpy()
    right = (outputs.argmax(axis=1) == graph.y.numpy())[graph.test_mask.numpy()]
    assert run.scores.test_accuracy == pytest.approx(right.mean())
    assert run.scores != grow(graph, config).finish().scores


def test_an_unnormalised_graph_adds_neighbours_up(graph):
    assert np.array_equal(UnnormalizedGraph(graph).propagation.toarray(), dense_adjacency(graph) + np.eye(36))


def test_a_comparison_grows_both_ways_with_the_same_seeds(monkeypatch):
    monkeypatch.setattr("pgcn.lessons.breaks.SEEDS", range(2))
    states = list(comparison("epsilon", 0))
    assert [(len(state["plain"]), len(state["broken"])) for state in states] == [(1, 0), (1, 1), (2, 1), (2, 2)]
    assert [run["seed"] for run in states[-1]["broken"]] == [0, 1]
    own = grow(graph_for("", 0), BASE.change(seed=1)).finish()
    assert states[-1]["plain"][1]["test"] == own.scores.test_accuracy
    broken = grow(graph_for("", 0), BASE.change(seed=1, **BREAKS["epsilon"].changes)).finish()
    assert tuple(states[-1]["broken"][1]["topology"]) == broken.topology


def test_one_hot_features_are_the_identity():
    assert np.array_equal(graph_for("onehot", 0).x, np.eye(200))
    assert run_with("onehot", 0, 0)["topology"]


@pytest.mark.parametrize(
    ("gap", "words"),
    [(-0.1, "The failure shows."), (0.0, "not significant"), (0.1, "the broken version is better")],
)
@pytest.mark.parametrize("name", BREAKS)
def test_a_verdict_says_what_the_numbers_say_also_against_expectation(name, gap, words):
    run = {"topology": [5], "parameters": 100, "labelled": 1.0, "val": 0.7, "test_loss": 1.0, "largest": 2.0}
    noise = [0.01 * (-1) ** seed for seed in SEEDS]
    plain_runs = [{**run, "seed": seed, "test": 0.7} for seed in SEEDS]
    broken = [{**run, "seed": seed, "test": 0.7 + gap + noise[seed]} for seed in SEEDS]
    sentence = verdict(name, {"plain": plain_runs, "broken": broken})
    assert words in sentence and "8 seeds" in sentence and f"{100 * (0.7 + gap):.1f} ± 1.1 % broken" in sentence


def test_a_cancelled_lesson_ends():
    ended = []

    def states():
        try:
            yield {"number": 1}
            yield {"number": 2}
        finally:
            ended.append(True)

    work = LessonWork(states())
    assert next(work).event.values == {"number": 1}
    assert work.cancel("enough") == [] and ended == [True]
    assert next(work, None) is None


def test_no_two_nodes_are_drawn_over_each_other(graph):
    positions = node_positions(graph.edge_index.numpy(), graph.num_nodes)
    assert positions.min() == 0 and positions.max() == 1
    apart = np.linalg.norm(positions[:, None] - positions[None], axis=2) + np.eye(len(positions))
    assert apart.min() > 0.8 * NEAREST


def test_json_values_have_no_minus_zero():
    assert str(as_json(np.array([-0.0, 1 / 3]))) == "[0.0, 0.333333]"


@pytest.mark.parametrize("stop", [stop for stop in STOPS.values() if stop.equation], ids=lambda stop: stop.short)
def test_a_stop_is_short_begins_with_a_sentence_and_marks_a_part_of_its_equation(stop):
    assert 10 < len(stop.sentence.split()) <= 45 and stop.sentence.endswith(".")
    assert 40 < len(stop.words.split()) <= 120
    assert "⟦" in stop.equation and stop.latex.count(r"\colorbox") == stop.equation.count("⟦")


def test_the_answers_are_measured(lesson, graph):
    """What exercises 1 to 3 state about the tour's graph."""
    reach = dense_adjacency(graph) + np.eye(36)
    assert [int((np.linalg.matrix_power(reach, hops)[5] > 0).sum()) for hops in (1, 2, 3)] == [5, 15, 30]
    values = lesson("normalise")
    assert [max(values["sums"][k]) for k in (5, 6)] == [10236, 59705] and max(values["means"][6]) == pytest.approx(
        1.42474
    )
    small, large = (lesson("readout")["steps"][at] for at in (4, 12))
    assert (small["lambda"], large["lambda"]) == (0.1, 10)
    assert (round(small["size"], 3), round(large["size"], 3)) == (0.035, 1.254)
    assert (small["right"]["test"][0], large["right"]["test"][0]) == (7, 9)


LINKS = [
    link
    for links in ([*exercise.links] for exercise in EXERCISES)
    for text in links
    for link in re.findall(r"\]\((.*?)\)", text)
] + [link for rows in TABLES.values() for row in rows for link in re.findall(r"\]\((.*?)\)", link_of(row))]


@pytest.mark.parametrize("link", LINKS)
def test_a_link_sets_up_what_it_promises(link, lesson):
    path, _, query = link.partition("?")
    asked = dict(parse_qsl(query))
    if path == "./":
        settings, complaints = settings_from_query(asked)
        assert complaints == []
        assert settings.to_query() == asked
    else:
        assert path == "" and asked.pop("stop") in STOPS
        name = dict(parse_qsl(query))["stop"]
        if "at" in asked:
            assert int(asked["at"]) < frames_of(lesson(name))
        assert asked.keys() <= {"at", "node"}


def test_the_contradictions_that_matter_most_are_among_all():
    assert len(set(FIRST)) == 5 and set(FIRST) <= {row.about for rows in TABLES.values() for row in rows}


def test_every_row_of_the_contradictions_opens_another_choice_than_ours():
    for rows in TABLES.values():
        for row in rows:
            settings = Settings(preset=row.preset, changes=row.settings)
            assert settings.changes.keys() == row.settings.keys(), row.about
