"""The landscape: what is asked, that fixed networks are what growth trains, and what comes of it."""

import math
from dataclasses import replace

import pytest
from small_arena import here
from small_landscape import GROWTH, results_of, small

from pgcn.engine.architecture import count_parameters
from pgcn.errors import ConfigError
from pgcn.execution.complete import complete_run
from pgcn.methods.pgcn import growth_preset
from pgcn.methods.pgcn.events import BlockAccepted, BlockJudged, LayerRejected
from pgcn.recorded import recorded_landscapes, write_landscape
from pgcn.source import GraphSource
from pgcn.store import Store
from pgcn.studies.landscape import Landscape, Point
from pgcn.studies.landscape.estimate import seconds_left
from pgcn.studies.landscape.outcomes import stored_outcomes
from pgcn.studies.landscape.paths import equal_width
from pgcn.studies.landscape.results import LandscapeResults
from pgcn.studies.landscape.words import findings, headline
from pgcn.studies.study import StudyRun
from pgcn.studies.tasks import divided

# What is asked.


def test_every_point_has_its_seeds_and_growth_and_the_gcn_have_theirs():
    tasks = Landscape().tasks()
    assert len(tasks) == len({task.id for task in tasks}) == 20 * 5 + 2 * 20
    assert {task.point for task in tasks if task.kind == "fixed"} == set(Landscape().points)
    assert tasks[0].kind == "gcn" and tasks[20].point == Point(1, 5) and tasks[-1].point.depth < 4


@pytest.mark.parametrize("preset", ["reproduction", "paper", "tuned", "pagerank"])
def test_a_fixed_network_is_the_one_that_growth_trains(preset):
    changes = {"teleport": 0.3, "pagerank_entries": 7}
    grid = Landscape(growth=growth_preset(preset, epochs=77, weight_decay=0.01, keep_epoch="best", **changes))
    for task in grid.tasks():
        if task.kind == "fixed":
            shared = ("readout", "activation", "learning_rate", "weight_decay", "weight_decay_scope", "dropout")
            shared += ("input_dropout", "bias", "epochs", "teleport", "pagerank_entries", "loss")
            assert all(getattr(task.config, name) == getattr(grid.growth, name) for name in shared)
            assert task.config.hidden == (task.point.width,) * task.point.depth
            assert not task.config.early_stopping and task.config.keep_best


def test_seeds_of_one_shape_are_one_share_of_the_work_and_no_lane_changes_a_number(landscape_store):
    shares = divided(Landscape().tasks(), 2)
    fixed = [share for share in shares if share[0].kind == "fixed"]
    assert len(fixed) == 20 and all(len({task.point for task in share}) == 1 for share in fixed)
    task = small().tasks()[4]
    alone = complete_run(task.spec()).events[-1]
    together = landscape_store.run(task.id)
    assert task.kind == "fixed"
    assert together.scores["val_accuracy"] == alone.scores.val_accuracy
    assert together.scores["test_accuracy"] == alone.scores.test_accuracy


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"widths": ()}, "widths must name at least one"),
        ({"widths": (5, 5)}, "must not name anything twice"),
        ({"depths": (0,)}, "depths must be at least 1, got 0"),
        ({"depths": (21,)}, "depths must be at most 20"),
        ({"runs": 1000, "widths": tuple(range(1, 30))}, "at most 10,000 runs"),
        ({"growth": GROWTH.change(loss="mse")}, "mse_objective = j1 has no landscape.* Set mse_objective=mean"),
        ({"growth": growth_preset("reference")}, "dropout_scope = first_layer has no landscape"),
        ({"source": GraphSource(name="mine", content="x")}, "needs its facts"),
    ],
)
def test_what_cannot_be_asked_is_said(changes, message):
    with pytest.raises(ConfigError, match=message):
        small(**changes)


# Paths and coordinates.


@pytest.mark.parametrize("bias", [False, True])
def test_equal_layers_lie_at_their_own_width_and_others_where_as_many_parameters_are(bias):
    for depth in (1, 2, 5):
        for width in (1, 5, 80):
            parameters = count_parameters(30, (width,) * depth, 7, bias=bias)
            assert math.isclose(equal_width(parameters, depth, 30, 7, bias=bias), width)
    grown = count_parameters(30, (15, 10, 5), 7, bias=bias)
    assert 5 < equal_width(grown, 3, 30, 7, bias=bias) < 15


def test_a_path_is_made_of_every_candidate_and_ends_with_the_topology(landscape_store):
    for one in stored_outcomes(small(), landscape_store):
        if one.kind != "pgcn":
            assert one.steps == ()
            continue
        events = landscape_store.events(one.run)
        assert len(one.steps) == sum(isinstance(event, BlockJudged) for event in events)
        assert [step for step in one.steps if step.accepted][-1].topology == one.topology
        assert len({(step.topology, step.accepted) for step in one.steps}) == len(one.steps)
        stood = ()
        for step in one.steps:  # every candidate has one block more than what stood
            assert sum(step.topology) >= sum(stood) + 2 or len(step.topology) > len(stood)
            stood = step.topology if step.accepted else stood
        rejected = any(isinstance(event, LayerRejected) for event in events)
        blocks = sum(isinstance(event, BlockAccepted) for event in events)
        assert (sum(step.accepted for step in one.steps) < blocks) == rejected


# What comes of it.


def test_a_landscape_that_was_stopped_goes_on_where_it_was(tmp_path, landscape_store):
    store = Store(f"sqlite:///{tmp_path / 'runs.db'}")
    run = StudyRun([small()], store, here)
    while len(store.runs()) < 5:
        next(run)
    run.cancel()
    again = StudyRun([small()], store, here)
    assert 0 < len(again.missing) < 14
    list(again)

    def table(store):
        return [replace(one, seconds=0.0) for one in stored_outcomes(small(), store)]

    assert table(store) == table(landscape_store)
    assert seconds_left(small(), stored_outcomes(small(), store), 2) is None
    store.close()


def test_the_best_point_is_chosen_by_validation_and_the_smallest_of_equal_ones():
    by_depth = results_of(small(), val=lambda task: 70 + (task.point or Point(0, 0)).depth, test=lambda task: 50)
    assert by_depth.best == Point(2, 2)
    by_test = results_of(
        small(), val=lambda task: 60, test=lambda task: (task.point or Point(0, 0)).width + task.seed / 10
    )
    assert by_test.best == Point(1, 2)  # test accuracy never decides


def test_the_headline_says_how_far_growth_is_from_the_best_and_at_what_share_of_its_size():
    def test(task):
        return (80 if task.kind == "fixed" else 77.45) + task.seed / 10

    results = results_of(small(), val=lambda task: (task.point or Point(0, 0)).width, test=test)
    said = headline(results)
    assert results.best == Point(1, 4)
    assert (
        said == "Growth ends 2.5 points below the best of the grid in test accuracy, with 150 % of its parameters"
    )
    words = " ".join(findings(results))
    assert "Best of 4 points by validation: 4 (validation 4.0" in words and "n = 2" in words and "n = 3" in words
    assert "4.0 times the epochs of one fixed network, and 100 % of the 32 epochs that" in words
    level = results_of(small(), val=lambda task: 60, test=lambda task: 70)
    assert headline(level).startswith("Growth ends level with the best of the grid in test accuracy, with")


def test_what_was_computed_here_is_never_averaged_with_what_was_recorded():
    here_and_there = results_of(small(), val=lambda task: 60, test=lambda task: 60)
    recorded = results_of(small(), val=lambda task: 90, test=lambda task: 90, recorded=True, seconds=None)
    own = [one for one in here_and_there.outcomes if one.point == Point(1, 2)]
    mixed = LandscapeResults(small(), [*own, *recorded.outcomes])
    assert mixed.cells[Point(1, 2)].val.mean == 60 and not mixed.cells[Point(1, 2)].recorded
    assert mixed.cells[Point(2, 2)].val.mean == 90 and mixed.cells[Point(2, 2)].recorded


def test_a_recorded_landscape_comes_back(tmp_path, landscape_store, monkeypatch):
    results = LandscapeResults(small(), stored_outcomes(small(), landscape_store))
    write_landscape(tmp_path / "landscape-cora.jsonl.gz", results)
    [(landscape, outcomes)] = recorded_landscapes(tmp_path)
    assert landscape == small()
    assert outcomes == [replace(one, recorded=True, seconds=None) for one in results.outcomes]
