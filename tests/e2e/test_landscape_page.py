"""The Landscape page in a real browser: a map fills, paths are drawn, a click opens the runs behind a mark."""

import re

import pytest
from playwright.sync_api import expect
from steady import expect_steady, watch
from tools import OVERFLOW, address, one_tab, press, wait_until, words

from pgcn.store import Store
from pgcn.studies.landscape import Point
from pgcn.studies.landscape.outcomes import stored_outcomes
from pgcn.studies.landscape.results import LandscapeResults
from pgcn.studies.landscape.words import headline
from pgcn.studies.study import StudyRun
from pgcn.ui.landscape.question import Question, question_from_query

GROWTH = {"epochs": 5, "max_layers": 2, "block_width": 2, "max_width": 4}
QUERY = "dataset=karate&widths=2,4&depths=1,2&runs=2&paths=2&" + "&".join(f"{k}={v}" for k, v in GROWTH.items())
QUESTION = Question(dataset="karate", widths=(2, 4), depths=(1, 2), runs=2, paths=2, changes=GROWTH)
POINTS = ".st-key-landscape_map .points path"
SPOT = """([name, number]) => {
  const plot = document.querySelector(".st-key-landscape_map .js-plotly-plot");
  const { xaxis, yaxis } = plot._fullLayout, box = plot.getBoundingClientRect();
  const trace = plot._fullData.find(({ uid }) => uid === name);
  const [x, y] = name === "map" ? [trace.x[number] + 0.42, 1.65] : [trace.x[number], trace.y[number]];
  return [box.x + xaxis._offset + xaxis.d2p(x), box.y + yaxis._offset + yaxis.d2p(y)];
}"""

BOTTOM = "document.querySelector('.st-key-landscape_map').getBoundingClientRect().bottom"


@pytest.fixture
def page(window):
    with one_tab(window, height=1800) as page:
        yield page


def click_mark(page, trace, number):
    """Click a mark of a trace of the map; of the map itself a free corner of a cell in the second row."""
    page.locator(".st-key-landscape_map").scroll_into_view_if_needed()
    spot = page.evaluate(SPOT, [trace, number])
    page.mouse.move(*spot)
    page.wait_for_timeout(400)  # Plotly takes two clicks within 300 ms for a double click
    page.mouse.click(*spot)


def test_points_appear_paths_are_drawn_and_a_click_opens_the_run(server, page):
    page.goto(f"{server.url}/landscape?{QUERY}")
    words(page, re.compile("12 runs, .* in "))
    press(page, "study_run")
    expect(page.get_by_text("There are no results")).to_have_count(0)  # it runs: nobody is asked to run it
    page.wait_for_selector(POINTS, state="attached", timeout=200_000)  # the first point, while it runs
    page.evaluate("document.querySelector('.st-key-landscape_map .js-plotly-plot').mine = true")
    words(page, "All runs were computed here", 180)  # other tests may need the cores too
    store = Store(server.store)
    results = LandscapeResults(QUESTION.landscape, stored_outcomes(QUESTION.landscape, store))
    assert len(results.outcomes) == 12
    words(page, headline(results).removeprefix("G"))
    accepted = sum(step.accepted for one in results.grown.outcomes for step in one.steps)
    drawn = """(count) => document.querySelector(".st-key-landscape_map .js-plotly-plot")._fullData
      .find(({ uid }) => uid === "accepted")?.customdata.filter(Boolean).length === count"""
    page.wait_for_function(drawn, arg=accepted)
    assert page.evaluate("document.querySelector('.st-key-landscape_map .js-plotly-plot').mine")  # never drawn anew
    click_mark(page, "map", 1)
    wait_until(lambda: "at=2x4" in address(page))
    words(page, f"{results.landscape.parameters((4, 4))} parameters, 8 neurons")
    click_mark(page, "ends", 1)
    wait_until(lambda: "at=pgcn-1" in address(page))
    words(page, "Validation accuracy of every candidate")
    page.go_back()
    wait_until(lambda: "at=2x4" in address(page))
    words(page, re.compile(r"^Seed 1: \d+\.\d %"))
    run = results.cells[Point(2, 4)].outcomes[0].run
    page.wait_for_selector("[data-testid=stApp][data-test-script-state=notRunning]")
    press(page, f"open_{run}")
    wait_until(lambda: f"run={run}" in address(page))
    expect(page.locator(f".st-key-name_{run} input")).to_have_value("fixed 4-4, seed 0")  # on the Runs page
    store.close()


def test_the_map_stands_still_while_it_fills_and_stop_keeps_what_has_ended(server, page, busy):
    page.goto(f"{server.url}/landscape?{QUERY.replace('epochs=5', 'epochs=10000')}")
    press(page, "study_run")
    words(page, re.compile(r"\d+ of 12 runs ended"), 120)
    page.wait_for_selector(POINTS, state="attached", timeout=200_000)
    watch(page, ".st-key-landscape_map .js-plotly-plot", [".cartesianlayer"], ".st-key-study_stop button")
    page.wait_for_timeout(4000)
    expect_steady(page)
    press(page, "study_stop")
    words(page, re.compile(r"\d+ of 12 runs computed here so far"))
    assert page.locator(".st-key-study_run button").first.inner_text().endswith("Run the rest")
    store = Store(server.store)
    asked = QUESTION.change(changes={**GROWTH, "epochs": 10000})
    assert 0 < len(StudyRun([asked.landscape], store).missing) < 12
    store.close()


def test_a_first_visitor_sees_a_recorded_map_and_can_change_to_the_other(server, page):
    page.goto(f"{server.url}/landscape")
    words(page, "Recorded: 140 runs")
    page.wait_for_selector(POINTS, state="attached")
    page.set_viewport_size({"width": 1440, "height": 900})
    wait_until(lambda: page.evaluate(BOTTOM) <= 900)  # the map is seen whole without scrolling
    page.get_by_role("radio", name="30 features, half of the nodes labelled").click()
    wait_until(lambda: "dims=30" in address(page) and "dropout=0.1" in address(page))
    words(page, "Recorded: 140 runs")
    page.get_by_label("Look at").first.wait_for()
    for width in (390, 1920):
        page.set_viewport_size({"width": width, "height": 844})
        page.wait_for_timeout(1000)
        assert page.evaluate(OVERFLOW) == []


def test_what_a_link_asks_for_and_cannot_be_is_said(server, page):
    page.goto(f"{server.url}/landscape?widths=0&preset=reference&at=nowhere&loss=mse&nonsense=1")
    for text in ("widths must be at least 1", "dropout_scope = first_layer has no landscape", "at is written 2x40"):
        words(page, text)
    words(page, "mse_objective = j1 has no landscape")
    words(page, "The link has unknown settings: nonsense")


def test_a_link_brings_back_what_was_asked():
    asked = QUESTION.change(show="test", rejected=False, at="pgcn-1", reproducible=True, depths=(2, 1))
    assert question_from_query(asked.to_query()) == (asked, [])
