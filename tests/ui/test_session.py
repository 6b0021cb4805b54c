"""The Grow page and its address: what was shown last stays, whatever address a late request still carries."""

import asyncio
import dataclasses
import sys
import threading
import time
from pathlib import Path
from types import SimpleNamespace

import pytest
import streamlit as st
from streamlit.runtime.runtime import AsyncObjects, Runtime
from streamlit.runtime.scriptrunner import ScriptRunContext
from streamlit.testing.v1 import AppTest
from tools import wait_until

from pgcn.embeddings.predictions import sample_key
from pgcn.execution.execute import execute
from pgcn.execution.spec import RunSpec
from pgcn.methods.pgcn import growth_preset
from pgcn.methods.pgcn.events import BlockAccepted
from pgcn.source import GraphSource
from pgcn.ui.grow.graph import graph_beside, graph_to_come, prediction_job
from pgcn.ui.grow.settings import FIRST
from pgcn.ui.recorded import first_run, recorded_replay
from pgcn.ui.refreshing import SENDING, wait_until_sent
from pgcn.ui.server import job_manager, store

PAGE = Path(__file__).parents[2] / "pages" / "grow.py"
SYNTHETIC = GraphSource(name="synthetic")


@pytest.fixture(autouse=True)
def own_main(monkeypatch):
    """A page becomes the main module, which new processes would look for; afterwards it is ours again."""
    monkeypatch.setitem(sys.modules, "__main__", sys.modules["__main__"])


@pytest.fixture
def own_store(tmp_path, monkeypatch):
    monkeypatch.setenv("PGCN_STORE", f"sqlite:///{tmp_path / 'runs.db'}")
    st.cache_resource.clear()
    yield
    job_manager().close()
    st.cache_resource.clear()


@pytest.fixture
def page():
    page = AppTest.from_file(str(PAGE), default_timeout=30)
    page.query_params["seed"] = "1"
    return page.run()


def test_a_late_request_with_the_address_before_does_not_bring_the_settings_before_back(page):
    page.number_input(key="set_seed").set_value(2).run()
    assert page.query_params["seed"] in ("2", ["2"])
    page.query_params["seed"] = "1"
    page.run()
    assert page.session_state["session_grow"].settings.seed == 2 and page.query_params["seed"] in ("2", ["2"])


def test_a_link_that_was_never_shown_is_followed(page):
    page.query_params["seed"] = "7"
    page.run()
    assert page.session_state["session_grow"].settings.seed == 7
    assert page.number_input(key="set_seed").value == 7


def test_the_bare_address_begins_with_a_newcomer_s_settings_and_says_so():
    page = AppTest.from_file(str(PAGE), default_timeout=30).run()
    assert page.session_state["session_grow"].settings == FIRST and not page.query_params
    assert page.pills[0].value == "Goes deep"
    page.run()
    assert page.query_params["dims"] in ("30", ["30"]) and page.number_input(key="set_dims").value == 30


def test_what_back_returns_to_is_followed_although_it_was_shown_before(page, monkeypatch):
    page.number_input(key="set_seed").set_value(2).run()
    page.query_params["seed"] = "1"
    monkeypatch.setattr("pgcn.ui.session.is_history_step", lambda: True)
    page.run()
    assert page.session_state["session_grow"].settings.seed == 1
    assert page.number_input(key="set_seed").value == 1


def test_streamlit_tells_back_from_other_requests():
    assert "is_history_navigation" in {part.name for part in dataclasses.fields(ScriptRunContext)}


def test_an_example_starts_its_run_as_often_as_it_is_clicked_and_a_change_leaves_the_example(own_store, page):
    runs = set()
    for clicked in ("Goes deep", None):  # a click on the chosen one takes the choice away
        page.pills[0].set_value(clicked).run()
        session = page.session_state["session_grow"]
        runs.add(session.run)
        assert page.pills[0].value == "Goes deep" and session.settings == session.base == FIRST
        job = job_manager().get(session.job)
        job.cancel()
        assert job.wait(30)
        page.run()
    assert len(runs) == 2 and "" not in runs
    assert page.selectbox(key="set_preset").value == "tuned" and page.query_params["dims"] in ("30", ["30"])
    page.selectbox(key="set_preset").set_value("paper").run()
    assert page.session_state["session_grow"].settings.preset == "paper"
    assert not page.session_state["set_example"] and not page.exception


def test_the_graph_of_the_recorded_run_stays_drawn_when_a_newcomer_grows_on_it():
    to_come = graph_to_come(FIRST, make=True)
    assert to_come["id"] == recorded_replay()["data"]["id"] == sample_key(first_run()[0][0])
    assert to_come["predicted"] == {} and recorded_replay()["data"]["predicted"]
    assert graph_to_come(FIRST.change(seed=1), make=True) is to_come  # another run on the same graph
    assert graph_to_come(FIRST.change(dims=31), make=True) == {"id": ""}


def test_the_graph_beside_a_stored_run_is_made_for_whoever_opens_it_by_a_click_not_by_a_link(own_store):
    spec = RunSpec(method="pgcn", config=growth_preset(epochs=5, max_layers=1, max_width=5), source=SYNTHETIC)
    execute([spec], store(), ids=["one"]).finish()
    page = AppTest.from_file(str(PAGE), default_timeout=30)
    page.query_params["run"] = "one"
    page.run()
    assert prediction_job("one") is None
    page.session_state["requested_grow"] = {"run": "one"}
    page.run()
    assert not page.exception and prediction_job("one").wait(30) and not prediction_job("one").error
    events = store().events("one")
    assert set(graph_beside("one", events, make=False)["predicted"]) == {"1"}


def test_a_run_of_one_s_own_is_shown_also_where_there_is_no_room_for_the_job_that_draws_its_graph(
    own_store, monkeypatch
):
    monkeypatch.setenv("PGCN_MAX_QUEUE", "1")
    page = AppTest.from_file(str(PAGE), default_timeout=30)
    page.query_params |= {"dataset": "synthetic", "epochs": "2000"}
    page.run().button(key="grow").click().run()
    run = page.session_state["session_grow"].run
    job = job_manager().get(page.session_state["session_grow"].job)
    wait_until(lambda: any(isinstance(event.event, BlockAccepted) for event in job.events()))
    page.run()
    assert not page.exception and not page.error and prediction_job(run) is None
    job.cancel()
    assert job.wait(30)


def test_edited_settings_of_a_run_that_is_shown_survive_a_reload_and_can_still_be_reset(own_store, page):
    page.pills[0].set_value("Goes deep").run()
    session = page.session_state["session_grow"]
    job_manager().get(session.job).cancel()
    assert job_manager().get(session.job).wait(30)
    page.selectbox(key="set_dataset").set_value("karate").run()  # takes the projection with it
    page.selectbox(key="set_preset").set_value("paper").run()
    link = {name: value if isinstance(value, str) else value[0] for name, value in page.query_params.items()}
    assert link["dims"] == "30" and link["next_dataset"] == "karate"
    reloaded = AppTest.from_file(str(PAGE), default_timeout=30)
    reloaded.query_params |= link
    reloaded.run()
    again = reloaded.session_state["session_grow"]
    assert again.settings == page.session_state["session_grow"].settings and again.base == FIRST
    assert again.run == session.run and not again.problems and again.edited == session.edited != []
    reloaded.button(key="reset").click().run()
    assert not any(name.startswith("next_") for name in reloaded.query_params)
    assert reloaded.session_state["session_grow"].settings == FIRST


def test_a_browser_that_missed_the_first_telling_begins_with_the_settings_of_the_link():
    page = AppTest.from_file(str(PAGE), default_timeout=30)
    page.query_params |= {"dataset": "pubmed", "preset": "tuned", "seed": "7", "bias": "true", "loss": "mse"}
    page.session_state["more"] = True
    for _ in range(2):  # the second time the state is known, and only the beginning is told
        page.run()
    assert not page.exception and not page.number_input(key="set_seed").proto.set_value
    assert page.number_input(key="set_seed").proto.default == 7
    for name, value in (("dataset", "pubmed"), ("preset", "tuned"), ("loss", "mse")):
        widget = page.selectbox(key=f"set_{name}")
        assert widget.value == value and widget.proto.default == widget.index
    assert page.toggle(key="set_bias").proto.default


def test_buttons_are_drawn_after_the_state_was_noted_so_that_a_job_that_begins_meanwhile_is_noticed(
    page, monkeypatch
):
    from pgcn.ui.grow import page as grow_page

    order = []

    def note(name, was):
        monkeypatch.setattr(grow_page, name, lambda *args: order.append(name) or was(*args))

    note("state_of", grow_page.state_of)
    note("show_controls", grow_page.show_controls)
    page.run()
    assert not page.exception and order[:2] == ["state_of", "show_controls"]


def two_clicks_for_a_run_again():
    import streamlit as st

    from pgcn.execution.execute import execute
    from pgcn.studies.sensitivity import perturbed_specs, sensitivity_batch
    from pgcn.ui.grow.jobs import grow_perturbed
    from pgcn.ui.grow.session import grow_session
    from pgcn.ui.server import store

    session = grow_session()
    spec = session.settings.spec
    execute([spec], store(), ids=["a" * 32]).finish()
    execute(perturbed_specs(spec), store(), batch=sensitivity_batch(spec)).finish()
    session.show(run="a" * 32)
    for _ in range(2):
        grow_perturbed(session, store().events("a" * 32)[0])
    st.session_state["shown"] = [session.run, session.way_back, session.query()]
    session.show_batch("twenty seeds")
    st.session_state["shown"].append(session.way_back)


def test_the_way_back_from_a_run_again_survives_a_second_click_and_a_reload(own_store):
    page = AppTest.from_function(two_clicks_for_a_run_again, default_timeout=120)
    page.query_params |= {"dataset": "karate", "epochs": "2", "max_layers": "1", "max_width": "5"}
    page.run()
    assert not page.exception
    run, back, link, later = page.session_state["shown"]
    assert (run, back, link["of"], later) == ("", "a" * 32, "a" * 32, "")
    reloaded = AppTest.from_file(str(PAGE), default_timeout=120)
    reloaded.query_params |= link
    reloaded.run()
    assert reloaded.session_state["session_grow"].way_back == "a" * 32


def two_clicks_that_are_one():
    import streamlit as st
    from small_study import small

    from pgcn.ui.difficulty.jobs import run_studies
    from pgcn.ui.difficulty.session import DifficultySession
    from pgcn.ui.grow.jobs import grow
    from pgcn.ui.grow.session import grow_session

    begun = st.session_state["begun"] = []
    for session, click in (
        (grow_session(), grow),
        (DifficultySession(), lambda session: run_studies(session, [small()])),
    ):
        click(session)
        first = session.job
        click(session)
        begun.append((first, session.job))
        job = session.current_job()
        job.cancel()
        assert not session.is_busy()
        job.wait(30)


def test_a_click_that_is_sent_twice_starts_one_job(tmp_path, monkeypatch):
    monkeypatch.setenv("PGCN_STORE", f"sqlite:///{tmp_path / 'runs.db'}")
    st.cache_resource.clear()
    page = AppTest.from_function(two_clicks_that_are_one, default_timeout=60)
    page.query_params |= {"dataset": "synthetic", "epochs": "1000000"}
    page.run()
    st.cache_resource.clear()
    assert not page.exception
    assert [first == second != "" for first, second in page.session_state["begun"]] == [True, True]


def test_streamlit_has_the_private_event_loop_that_a_page_waits_for(monkeypatch):
    assert callable(Runtime._get_async_objs) and "eventloop" in AsyncObjects._fields
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    runtime = SimpleNamespace(_get_async_objs=lambda: SimpleNamespace(eventloop=loop))
    monkeypatch.setattr(st.runtime, "exists", lambda: True)
    monkeypatch.setattr(st.runtime, "get_instance", lambda: runtime)
    began = time.monotonic()
    wait_until_sent()
    assert time.monotonic() - began >= 0.9 * SENDING
    loop.call_soon_threadsafe(loop.stop)
    thread.join()
    loop.close()
