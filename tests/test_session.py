"""The Grow page and its address: what was shown last stays, whatever address a late request still carries."""

import sys
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

PAGE = Path(__file__).parents[1] / "pages" / "grow.py"


@pytest.fixture(autouse=True)
def own_main(monkeypatch):
    """A page becomes the main module, which new processes would look for; afterwards it is ours again."""
    monkeypatch.setitem(sys.modules, "__main__", sys.modules["__main__"])


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
    assert page.session_state["visit_grow"].settings.seed == 2 and page.query_params["seed"] in ("2", ["2"])


def test_a_link_that_was_never_shown_is_followed(page):
    page.query_params["seed"] = "7"
    page.run()
    assert page.session_state["visit_grow"].settings.seed == 7
    assert page.number_input(key="set_seed").value == 7


def test_a_lesson_sets_the_widgets_and_a_change_leaves_the_lesson(page):
    page.pills[0].set_value("Goes deep").run()
    assert page.selectbox(key="set_preset").value == "tuned" and page.query_params["dims"] in ("30", ["30"])
    page.selectbox(key="set_preset").set_value("paper").run()
    assert page.session_state["visit_grow"].settings.preset == "paper"
    assert not page.session_state["set_lesson"] and not page.exception


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


def two_clicks_that_are_one():
    import streamlit as st
    from small_study import small

    from pgcn.ui import work
    from pgcn.ui.difficulty_session import Inquiry, run_studies
    from pgcn.ui.session import grow_session

    begun = st.session_state["begun"] = []
    for session, click in (
        (grow_session(), work.grow),
        (Inquiry(), lambda session: run_studies(session, [small()])),
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
    import streamlit as st

    monkeypatch.setenv("PGCN_STORE", f"sqlite:///{tmp_path / 'runs.db'}")
    st.cache_resource.clear()
    page = AppTest.from_function(two_clicks_that_are_one, default_timeout=60)
    page.query_params |= {"dataset": "synthetic", "epochs": "1000000"}
    page.run()
    st.cache_resource.clear()
    assert not page.exception
    assert [first == second != "" for first, second in page.session_state["begun"]] == [True, True]
