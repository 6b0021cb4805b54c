"""The Grow page and its address: what was shown last stays, whatever address a late request still carries."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

PAGE = Path(__file__).parents[1] / "pages" / "grow.py"


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
