"""A race in a link: it comes back as it was, and what cannot be used is said."""

from pathlib import Path

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from pgcn.events import RunFinished
from pgcn.execution.spec import RunSpec
from pgcn.methods.registry import METHODS, method_named
from pgcn.source import GraphSource
from pgcn.ui.grow.jobs import report_every
from pgcn.ui.race.jobs import Lane
from pgcn.ui.race.settings import Race, Racer, race_from_query
from pgcn.ui.race.sidebar import EXAMPLES
from pgcn.ui.server import job_manager


@pytest.mark.parametrize("racers", EXAMPLES.values(), ids=EXAMPLES)
def test_a_race_comes_back_from_its_link(racers):
    race = Race(dataset="karate", split="public", dims=4, data_seed=2, clock="seconds", racers=racers)
    assert race_from_query(race.to_query()) == (race, [])
    assert len(set(race.ids)) == len(racers)


def test_the_bare_address_is_the_race_that_a_newcomer_sees():
    assert Race().to_query() == {} and race_from_query({}) == (Race(), [])


@pytest.mark.parametrize("method", METHODS)
def test_every_method_runs_and_comes_back_as_a_text(method):
    racer = Racer(method=method, seed=7)
    assert Racer.from_text(racer.to_text()) == racer
    assert racer.config == method_named(method).settings(seed=7)


def test_the_race_of_two_runs_is_these_runs():
    source = GraphSource(name="karate", dims=3, seed=5)
    specs = [
        RunSpec(method=name, config=method_named(name).settings(seed=4), source=source) for name in ("pgcn", "gcn")
    ]
    assert Race.of(specs).specs == specs


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ({"r1": "nobody"}, "r1 of the link is ignored"),
        ({"r1": "pgcn epochs=none", "r2": "gcn"}, "r1 of the link is ignored"),
        ({"r1": "gcn", "r2": "gcn"}, "the same"),
        ({"r1": "gcn"}, "2 to 4"),
        ({"r1": "pgcn decider=person", "r2": "gcn"}, "decider = person is for a single run"),
        ({"clock": "days"}, "clock must be one of"),
        ({"dims": "99999"}, "dims must be at most"),
    ],
)
def test_what_a_link_says_in_vain_is_said(query, said):
    race, problems = race_from_query({"dataset": "karate", **query})
    assert any(said in problem for problem in problems)
    assert race.specs


def test_the_race_that_greets_a_newcomer_has_been_run():
    lanes = [Lane(run, "", spec, None, None) for run, spec in zip(Race().ids, Race().specs, strict=True)]
    assert all(lane.is_recorded and not lane.missing and lane.state == "recorded" for lane in lanes)
    for lane in lanes:
        started, ended = lane.events()[0], lane.events()[-1]
        assert RunSpec.of(started) == lane.spec and started.reproducible and isinstance(ended, RunFinished)
    other = Lane("", "", Race().specs[1].with_config(seed=1), None, None)
    assert other.missing and other.events() == ()


@pytest.mark.parametrize("method", METHODS)
def test_losses_of_every_method_can_be_reported(method):
    spec = RunSpec(method=method, config=method_named(method).settings(), source=GraphSource(name="karate"))
    assert report_every(spec) >= 10


def test_a_browser_that_missed_the_first_telling_begins_with_the_settings_of_the_link(tmp_path, monkeypatch):
    monkeypatch.setenv("PGCN_STORE", f"sqlite:///{tmp_path / 'runs.db'}")
    st.cache_resource.clear()
    page = AppTest.from_file(str(Path(__file__).parents[2] / "pages" / "race.py"), default_timeout=60)
    page.query_params |= {"dataset": "karate", "clock": "seconds", "r1": "pgcn epochs=20 seed=4", "r2": "gcn"}
    page.run()
    assert not page.exception
    assert page.text_input(key="race_changes_0").proto.default == "epochs=20"
    assert page.number_input(key="race_seed_0").proto.default == 4
    assert [list(group.proto.default) for group in page.get("button_group")] == [[1], []]  # of clocks and examples
    chosen = page.selectbox(key="race_dataset").proto
    assert chosen.options[chosen.default] == "Karate club"
    slider = page.select_slider(key="race_dims").proto
    assert slider.options[int(slider.default[0])] == "all"
    page.select_slider(key="race_dims").set_value(3).run()
    assert page.session_state["session_race"].race.dims == 3
    page.select_slider(key="race_dims").set_value(0).run()
    assert page.session_state["session_race"].race.dims is None
    job_manager().close()
    st.cache_resource.clear()
