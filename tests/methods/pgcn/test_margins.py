"""How thin decisions are, in nodes; and what depends on the last bit."""

import dataclasses

import pytest
import torch

from pgcn.errors import ConfigError
from pgcn.events import RunFinished, RunStarted, Scores
from pgcn.execution.spec import RunSpec
from pgcn.execution.start import grow, grow_many
from pgcn.methods.pgcn import growth_preset
from pgcn.methods.pgcn.events import BlockAccepted, BlockJudged, BlockRejected, LayerJudged
from pgcn.methods.pgcn.improvement import improvement_rate, is_enough
from pgcn.methods.pgcn.margins import margin, thin_decisions, thin_sentence
from pgcn.source import GraphSource
from pgcn.studies.sensitivity import Grown, findings, perturbed_configs, sensitivity_batch, sentence
from pgcn.views.event_log import frames_of

QUICK = {"epochs": 40, "max_width": 20, "max_layers": 3}


@pytest.fixture(scope="module")
def events(cora):
    return grow(cora, growth_preset(**QUICK)).finish().events


def scores(val, labelled=1.0):
    losses = {"labelled_loss": 1.0, "val_loss": 1.0, "test_loss": 1.0}
    return Scores(labelled_accuracy=labelled, val_accuracy=val, test_accuracy=0.5, **losses)


def started(**config):
    known = {"reject_equal": False, **config}
    size = {"nodes": 2708, "edges": 5278, "features": 1433, "classes": 7, "labelled": 140, "val": 500, "test": 1000}
    return RunStarted(method="pgcn", dataset="cora", split="", config=known, versions={}, **size)


def judged(kind, before, after, *, block=2, epsilon=1e-4, loss=1.0, metric="val_accuracy"):
    network = {"layer": 1, "width": 5, "topology": (5,), "parameters": 1, "parameters_before": 1}
    errors = {"error_before": 1.0, "error_solved": 1.0, "error_tuned": 1.0}
    scored = {"metric": metric, "before": before, "solved": after, "after": after, "rate": 0.0, "epsilon": epsilon}
    return kind(block=block, loss=loss, seconds=0.0, reason="", **network, **errors, **scored)


@pytest.mark.parametrize(
    ("kind", "after", "epsilon", "text"),
    [
        (BlockAccepted, 402, 1e-4, "+2 of 500 validation nodes"),
        (BlockAccepted, 401, 1e-4, "+1 of 500 validation nodes; a single node decided"),
        (BlockRejected, 400, 1e-4, "±0 of 500 validation nodes; a single node decided"),
        (BlockRejected, 397, 1e-4, "−3 of 500 validation nodes"),
        (BlockAccepted, 420, 0.05, "+20 of 500 validation nodes; a single node decided"),
        (BlockAccepted, 421, 0.05, "+21 of 500 validation nodes"),
        (BlockRejected, 419, 0.05, "+19 of 500 validation nodes; a single node decided"),
    ],
)
def test_a_margin_counts_nodes_and_says_where_one_decided(kind, after, epsilon, text):
    event = judged(kind, scores(400 / 500), scores(after / 500), epsilon=epsilon)
    assert margin(event, started()).text() == text


def test_where_training_accuracy_decides_training_nodes_are_counted():
    before, after = scores(0.5, labelled=100 / 140), scores(0.5, labelled=103 / 140)
    event = judged(BlockAccepted, before, after, metric="labelled_accuracy")
    assert margin(event, started()).text() == "+3 of 140 training nodes"


def test_which_decisions_are_thin_depends_on_whether_equality_is_rejected():
    event = judged(BlockAccepted, scores(0.8), scores(401 / 500), epsilon=0.0)
    assert margin(event, started(reject_equal=True)).thin
    assert not margin(event, started(reject_equal=False)).thin  # with one node less r = 0, which is enough


def test_what_was_not_decided_by_counting_nodes_has_no_margin():
    assert margin(judged(BlockAccepted, None, scores(0.8), block=1), started()) is None
    assert margin(judged(BlockAccepted, scores(0.7), scores(0.8), metric="val_loss"), started()) is None
    assert margin(judged(BlockRejected, scores(0.7), scores(0.8), loss=float("nan")), started()) is None
    first_of_a_layer = margin(judged(BlockAccepted, scores(0.8), scores(0.8), block=1), started())
    assert not first_of_a_layer.decided and not first_of_a_layer.thin


def test_a_thin_decision_is_one_that_a_node_more_or_less_would_reverse(events):
    """Against a slow twin: every number of right nodes is tried."""
    begun = events[0]
    for event in events:
        found = margin(event, begun)
        if found is None:
            continue
        before = round(event.before.val_accuracy * begun.val)
        least = next(
            n
            for n in range(begun.val + 1)
            if is_enough(
                improvement_rate("val_accuracy", event.before, scores(n / begun.val)),
                event.epsilon,
                reject_equal=False,
            )
        )
        after = before + found.nodes
        assert after == round(event.after.val_accuracy * begun.val)
        if found.decided:
            assert found.thin == (after in (least, least - 1))


def test_every_decision_shows_its_margin_and_the_end_says_how_many_were_thin(events):
    frames = frames_of(events)
    decided = [e for e in events if isinstance(e, BlockJudged | LayerJudged) and e.before is not None]
    sentences = [frame.sentence for frame in frames if "Margin: " in frame.sentence]
    assert len(sentences) == len(decided) > 3
    thin, decisions = thin_decisions(events)
    assert 0 <= thin <= decisions and frames[-1].sentence.endswith(f"{thin_sentence(events)}.")
    assert f"{thin} of {decisions} decisions" in thin_sentence(events)


def test_a_run_judged_by_its_loss_counts_no_nodes(small_graph):
    run = grow(small_graph, growth_preset(metric="val_loss", **QUICK)).finish()
    assert thin_decisions(run.events) == (0, 0) and thin_sentence(run.events) == ""


def test_a_perturbation_changes_new_weights_by_its_size_and_nothing_else(small_graph):
    config = growth_preset(epochs=1, max_width=10, max_layers=1, epsilon_b=-1.0, learning_rate=1e-12)
    plain, changed, again = (
        grow(small_graph, config.change(**more)).finish().model.hidden[0].weight.detach().double()
        for more in ({}, *[{"perturbation": 1e-3, "perturbation_seed": 7}] * 2)
    )
    relative = ((changed - plain) / plain).abs()
    assert torch.equal(changed, again) and 5e-4 < relative.max() <= 1.001e-3


def test_perturbed_runs_share_lanes_and_are_their_runs_alone(small_graph):
    config = growth_preset(**QUICK)
    configs = perturbed_configs(config, 3, 1e-7)
    assert len({c.perturbation_seed for c in configs}) == 3 and all(c.seed == config.seed for c in configs)
    for result, own in zip(grow_many(small_graph, configs).finish(), configs, strict=True):
        alone = grow(small_graph, own).finish()
        assert result.topology == alone.topology and result.scores == alone.scores


@pytest.mark.parametrize(("times", "size"), [(1, 1e-7), (10**9, 1e-7), (True, 1e-7), (3, 0.0), (3, -1.0)])
def test_the_number_and_size_of_perturbations_are_checked(times, size):
    with pytest.raises(ConfigError, match=r"times must be|size must be|perturbation must be"):
        perturbed_configs(growth_preset(), times, size)


def test_a_later_setting_at_its_default_leaves_a_question_what_it_was():
    config = growth_preset()
    assert "perturbation" not in config.to_dict()
    assert config.change(perturbation=1e-7).to_dict()["perturbation"] == 1e-7
    assert type(config).from_dict(config.to_dict()) == config
    run = {"method": "pgcn", "config": config, "source": GraphSource(name="cora")}
    one, other = (sensitivity_batch(RunSpec(**run, reproducible=mode)) for mode in (False, True))
    assert one != other


def test_the_findings_say_how_often_the_topology_was_the_same():
    runs = [
        Grown(topology=topology, val_accuracy=0.8, test_accuracy=test)
        for topology, test in (((5,), 0.7), ((5,), 0.8), ((5, 5), 0.75))
    ]
    found = findings((5,), runs)
    assert found["same_topology"] == 2 and found["topologies"][0] == {"topology": [5], "runs": 2}
    assert found["test_accuracy"] == pytest.approx({"mean": 0.75, "sd": 0.05, "least": 0.7, "most": 0.8})
    assert "Grown again 3 times with the initial weights changed by 1e-7" in sentence(found)
    assert "same topology 2 times (2 different ones in all); test accuracy 75.0 ± 5.0 %" in sentence(found)


def test_events_written_before_the_reproducible_mode_can_still_be_read(events):
    from pgcn.events import event_from_dict

    old = {key: value for key, value in events[0].to_dict().items() if key != "reproducible"}
    assert event_from_dict(old) == dataclasses.replace(events[0], reproducible=False)
    assert isinstance(events[-1], RunFinished)
