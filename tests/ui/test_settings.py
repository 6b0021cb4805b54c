"""What a visitor chooses goes into a link and comes back, and nothing in a link is swallowed."""

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pgcn import recorded
from pgcn.data import NAMES
from pgcn.data.catalogue import CATALOGUE
from pgcn.embeddings.plan import EmbeddingConfig
from pgcn.errors import PgcnError
from pgcn.methods.pgcn import PRESETS, GrowthConfig
from pgcn.studies.baseline import Baseline
from pgcn.ui.embedding.session import View, config_from_query, view_from_query
from pgcn.ui.grow.controls import grow_label
from pgcn.ui.grow.examples import EXAMPLES
from pgcn.ui.grow.fields import GROUPS, LABELS, about, fits
from pgcn.ui.grow.header import against_gcn
from pgcn.ui.grow.session import GrowSession
from pgcn.ui.grow.settings import FIRST, Settings, settings_from_query, settings_of_run
from pgcn.ui.grow.sidebar import graph_sentence, split_label
from pgcn.ui.links import unknown_names

CHANGES = st.fixed_dictionaries(
    {},
    optional={
        "block_width": st.integers(1, 50),
        "epochs": st.integers(1, 10_000),
        "learning_rate": st.floats(1e-6, 10),
        "lambda2": st.none() | st.floats(0, 10),
        "bias": st.booleans(),
        "metric": st.sampled_from(["labelled_accuracy", "val_accuracy", "labelled_loss", "val_loss"]),
    },
)


@given(
    dataset=st.sampled_from(NAMES),
    preset=st.sampled_from(list(PRESETS)),
    split=st.sampled_from(["public", "random:5", "fraction:0.25"]),
    seed=st.integers(0, 10**6),
    dims=st.none() | st.integers(1, 34),
    changes=CHANGES,
)
def test_a_link_brings_back_the_settings_it_was_made_of(**values):
    if values["changes"].get("metric", "").endswith("_loss"):
        values["changes"]["margin"] = 0.0  # a margin counts nodes
    settings = Settings(**values)
    again, problems = settings_from_query(settings.to_query())
    assert (again, problems) == (settings, [])
    assert again.config == settings.config and again.source == settings.source


def test_settings_that_fit_only_together_are_read_in_any_order():
    query = {"preset": "tuned", "readout": "linear", "solve_for": "hidden"}
    for order in (query, dict(reversed(query.items()))):
        settings, problems = settings_from_query(order)
        assert problems == [] and (settings.config.readout, settings.config.solve_for) == ("linear", "hidden")


def test_the_default_settings_need_no_words():
    assert Settings().to_query() == {}


@pytest.mark.parametrize(
    ("query", "problem"),
    [
        ({"dataset": "corra"}, "No data set named 'corra'"),
        ({"preset": "papr"}, "No preset named 'papr'"),
        ({"seed": "-1"}, "seed must be at least 0, got -1"),
        ({"seed": "one"}, "seed must be a whole number, got 'one'"),
        ({"reproducible": "perhaps"}, "reproducible must be true or false, got 'perhaps'"),
        ({"dims": "0"}, "dims must be at least 1, got 0"),
        ({"dims": "1434"}, "dims must be at most 1433, the features of cora, got 1434"),
        ({"split": "half"}, "split must be 'public', 'random:20' or 'fraction:0.5'"),
        ({"block_width": "0"}, "block_width must be at least 1, got 0"),
        ({"block_width": "a few"}, "block_width must be a whole number, got 'a few'"),
        ({"metric": "luck"}, "metric must be one of"),
        ({"max_width": "3"}, "max_width must be at least block_width"),
    ],
    ids=str,
)
def test_what_a_link_asks_for_and_cannot_be_is_said_and_left_out(query, problem):
    settings, problems = settings_from_query({**query, "epochs": "7"})
    assert len(problems) == 1 and problem in problems[0] and "is used instead" in problems[0]
    assert settings == Settings(changes={"epochs": 7})


def test_a_link_to_an_embedding_is_read_and_said_in_the_same_way():
    config, problems = config_from_query({"method": "pca", "seed": "x", "gcn": "maybe", "nodes": "3"})
    assert config == EmbeddingConfig(method="pca") and len(problems) == 3
    assert all("is used instead" in problem for problem in problems)
    view, problems = view_from_query({"at": "4", "node": "-1", "colour": "blue", "counted": "all"})
    assert view == View(at=4, counted="all") and len(problems) == 2
    assert unknown_names({"a": "1", "seed": "2", "b": "3"}, ["seed"]) == ["The link has unknown settings: a, b."]


def test_what_is_as_the_preset_has_it_is_no_change():
    assert Settings(preset="tuned", changes={"readout": "graph", "epochs": 5}).changes == {"epochs": 5}


@pytest.mark.parametrize("preset", PRESETS)
def test_the_settings_of_a_run_are_told_from_the_nearest_preset(preset):
    whole = PRESETS[preset].change(dropout=0.25).to_dict()
    seed = whole.pop("seed")
    settings = Settings.nearest(dataset="cora", seed=seed, config=whole)
    assert settings.preset == preset and settings.changes == {"dropout": 0.25}


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_example_can_be_grown_and_shared(name):
    settings = EXAMPLES[name].settings
    assert settings_from_query(settings.to_query()) == (settings, [])
    assert len(EXAMPLES[name].about) > 20 and settings.dataset in CATALOGUE


def test_the_panel_has_every_setting_once():
    shown = [name for names in GROUPS.values() for name in names]
    assert (
        sorted(shown)
        == sorted(Settings.GROWTH)
        == sorted({f.name for f in dataclasses.fields(GrowthConfig)} - {"seed"})
    )


def test_every_setting_has_a_name_for_people_and_is_found_by_it_and_by_its_code():
    for name in (*Settings.OWN, *Settings.GROWTH):
        assert LABELS[name] and about(name) and fits(name, name) and fits(name, LABELS[name].upper())
    assert fits("input_dropout", "drop input") and not fits("epochs", "dropout")


def test_the_recorded_run_is_what_a_newcomer_s_settings_grow_and_it_pays():
    events, gcn = recorded.first_events(), recorded.first_gcn()
    assert settings_of_run(events[0]) == FIRST and events[0].reproducible
    assert len(events[-1].topology) >= 3
    assert events[-1].scores.test_accuracy > gcn.test + 0.1


def test_the_settings_of_the_bare_address_are_in_its_link_and_an_old_link_means_what_it_meant():
    assert settings_from_query(FIRST.to_query()) == (FIRST, [])
    assert FIRST.to_query().keys() >= {"split", "dims", "preset", "seed"}
    assert settings_from_query({"seed": "3"})[0] == Settings(seed=3)
    assert GrowSession(settings=Settings()).query() == {"dataset": "cora"}  # not bare: that is a newcomer's


def without_seed(config):
    return {name: value for name, value in config.to_dict().items() if name != "seed"}


def test_changes_are_counted_one_by_one_and_another_preset_is_one():
    assert FIRST.differences(FIRST) == []
    assert FIRST.change(seed=9).with_value("epochs", 61).differences(FIRST) == ["seed", "epochs"]
    assert FIRST.with_value("epochs", 300).differences(FIRST) == ["epochs"]
    assert Settings(preset="paper").differences(Settings()) == ["preset"]
    told = Settings(preset="tuned", changes=without_seed(PRESETS["paper"]) | {"epochs": 9})
    again = Settings.nearest(dataset="cora", seed=told.seed, config=without_seed(told.config))
    assert again.preset == "paper" and again.differences(told) == []  # the same run, told otherwise


def test_the_button_says_what_it_will_do_and_the_link_keeps_a_run_beside_its_own_settings():
    session = GrowSession(settings=FIRST, base=FIRST)
    assert grow_label(session) == "Grow"
    session.run = "a" * 32
    assert grow_label(session) == "Grow"  # of a run on a graph that cannot be made again
    session.is_known = True
    assert grow_label(session) == "Grow again"
    session.settings = FIRST.change(seed=4)
    assert grow_label(session) == "Grow with 1 change" and session.edited == ["seed"]
    assert session.query() == {**FIRST.to_query(), "run": session.run, "next_seed": "4"}
    session.settings = FIRST.change(seed=4, dims=10)
    session.run, session.batch = "", "b" * 32
    assert grow_label(session) == "Grow 20 seeds with 2 changes"


def test_the_sidebar_describes_the_graph_that_is_grown_on():
    facts = "2,708 nodes, 5,278 edges, 30 projected from 1,433 features, 7 classes, 1,354 labelled."
    assert facts in graph_sentence(FIRST)
    assert "1,433 features, 7 classes, 140 labelled." in graph_sentence(Settings())
    assert [split_label(split) for split in ("public", "random:5", "fraction:0.5", "hal")] == [
        "Public split",
        "5 of each class",
        "50 % of all",
        "hal",
    ]


@pytest.mark.parametrize(
    ("reached", "words", "side"),
    [
        (0.810, "level with GCN 81.4 ± 0.6 %", ""),
        (0.794, "−2.0 points · GCN 81.4 ± 0.6 %", "below"),
        (0.834, "+2.0 points · GCN 81.4 ± 0.6 %", "above"),
    ],
)
def test_within_one_standard_deviation_of_the_gcn_a_run_is_level_and_on_no_side(reached, words, side):
    gcn = Baseline(seeds=10, parameters=23040, val=0.786, val_sd=0.006, test=0.814, test_sd=0.006)
    assert against_gcn(reached, gcn) == (words, side)


def test_the_command_shown_does_the_same_in_a_terminal():
    settings = Settings(
        dataset="pubmed", dims=30, split="fraction:0.5", data_seed=3, seed=4, changes={"bias": True}
    )
    assert settings.command() == (
        "pgcn grow --dataset pubmed --preset reproduction --seed 4 --split fraction:0.5 --split-seed 3 --dims 30 "
        "--set bias=true"
    )


def test_settings_made_by_hand_are_checked_too():
    with pytest.raises(PgcnError, match="epochs must be at least 1"):
        Settings(changes={"epochs": 0})
    with pytest.raises(PgcnError, match="No setting named 'epoch'"):
        Settings(changes={"epoch": 1})
