"""What a visitor chooses goes into a link and comes back, and nothing in a link is swallowed."""

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pgcn.data import NAMES
from pgcn.data.sources import STATISTICS
from pgcn.errors import PgcnError
from pgcn.methods.pgcn import PRESETS, GrowthConfig
from pgcn.ui.panel import GROUPS
from pgcn.ui.settings import GROWTH, LESSONS, Settings, settings_from_query

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
    settings = Settings(**values)
    again, complaints = settings_from_query(settings.to_query())
    assert (again, complaints) == (settings, [])
    assert again.config == settings.config and again.recipe == settings.recipe


def test_the_default_settings_need_no_words():
    assert Settings().to_query() == {}


@pytest.mark.parametrize(
    ("query", "complaint"),
    [
        ({"dataset": "corra"}, "No data set named 'corra'"),
        ({"preset": "papr"}, "No preset named 'papr'"),
        ({"seed": "-1"}, "seed must be at least 0, got -1"),
        ({"seed": "one"}, "seed must be a whole number, got 'one'"),
        ({"dims": "1434"}, "dims must be between 1 and 1433, the features of cora, got 1434"),
        ({"split": "half"}, "split must be 'public', 'random:20' or 'fraction:0.5'"),
        ({"block_width": "0"}, "block_width must be at least 1, got 0"),
        ({"block_width": "a few"}, "block_width must be a whole number, got 'a few'"),
        ({"metric": "luck"}, "metric must be one of"),
        ({"max_width": "3"}, "max_width must be at least block_width"),
    ],
    ids=str,
)
def test_what_a_link_asks_for_and_cannot_be_is_said_and_left_out(query, complaint):
    settings, complaints = settings_from_query({**query, "epochs": "7"})
    assert len(complaints) == 1 and complaint in complaints[0] and "is used instead" in complaints[0]
    assert settings == Settings(changes={"epochs": 7})


def test_what_is_as_the_preset_has_it_is_no_change():
    assert Settings(preset="tuned", changes={"readout": "graph", "epochs": 5}).changes == {"epochs": 5}


@pytest.mark.parametrize("preset", PRESETS)
def test_the_settings_of_a_run_are_told_from_the_nearest_preset(preset):
    whole = PRESETS[preset].change(dropout=0.25).to_dict()
    seed = whole.pop("seed")
    settings = Settings.nearest(dataset="cora", seed=seed, config=whole)
    assert settings.preset == preset and settings.changes == {"dropout": 0.25}


@pytest.mark.parametrize("name", LESSONS)
def test_every_lesson_can_be_grown_and_shared(name):
    settings = LESSONS[name].settings
    assert settings_from_query(settings.to_query()) == (settings, [])
    assert len(LESSONS[name].about) > 20 and settings.dataset in STATISTICS


def test_the_panel_has_every_setting_once():
    shown = [name for names in GROUPS.values() for name in names]
    assert sorted(shown) == sorted(GROWTH) == sorted({f.name for f in dataclasses.fields(GrowthConfig)} - {"seed"})


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
