"""The Arena page in a real browser: compute, look closely, compare in pairs, train, watch a search, go back."""

import re

import pytest
from tools import address, at_rest, one_tab, press, wait_until, words

from pgcn.store import Store
from pgcn.studies.arena.results import ArenaResults, stored_outcomes
from pgcn.ui.arena.question import Question

QUERY = "dataset=karate&methods=gcn,sgc&runs=3"
QUESTION = Question(dataset="karate", methods="gcn,sgc", runs=3)
STEADY = """(selector) => {
  const node = document.querySelector(selector);
  let opacity = 1;
  for (let at = node; at; at = at.parentElement) opacity *= Number(getComputedStyle(at).opacity);
  return [Math.round(node.getBoundingClientRect().y), opacity];
}"""


@pytest.fixture
def page(window):
    with one_tab(window, height=1000) as page:
        yield page


def results_of(server):
    store = Store(server.store)
    results = ArenaResults(stored_outcomes(QUESTION.arena, store))
    store.close()
    return results


def test_what_is_missing_is_computed_while_the_picture_stands_still(server, page):
    page.goto(f"{server.url}/arena?{QUERY}")
    page.locator(".st-key-arena_table_accuracy tbody tr").first.wait_for()
    page.locator(".st-key-arena_scatter .js-plotly-plot").wait_for()
    at_rest(page)
    page.evaluate(
        "document.querySelector('.st-key-arena_table_accuracy table').parentElement.dataset.mark = 'kept'"
    )
    page.get_by_text("Compute what is missing: 6 runs").click()
    press(page, "arena_compute")
    words(page, re.compile(r"Starting the worker|runs have ended|Waiting"))
    seen = set()
    while page.locator(".st-key-arena_stop").count():
        seen.add(tuple(page.evaluate(STEADY, ".st-key-arena_scatter")))
        page.wait_for_timeout(200)
    assert len(seen) == 1 and next(iter(seen))[1] == 1
    assert (
        page.evaluate("document.querySelector('.st-key-arena_table_accuracy [data-mark]')?.dataset.mark") == "kept"
    )
    words(page, "Compute again here")
    results = results_of(server)
    for name in ("gcn", "sgc"):
        words(page, results.cell(QUESTION.arena.place, name).test.text())


def test_a_row_opens_the_runs_behind_it_and_back_returns(server, page):
    page.goto(f"{server.url}/arena?{QUERY}")
    page.get_by_role("button", name="GCN: show its runs").click()
    page.get_by_role("button", name="seed 2: show its runs").wait_for()
    wait_until(lambda: "at=gcn" in address(page))
    page.locator(".st-key-arena_view").get_by_text("Two methods").click()
    wait_until(lambda: "view=pair" in address(page))
    page.go_back()
    page.get_by_role("button", name="seed 2: show its runs").wait_for()
    page.go_back()
    page.get_by_role("button", name="GCN: show its runs").wait_for()
    assert "at=gcn" not in address(page)
    page.get_by_role("button", name="GCN: show its runs").focus()  # by keyboard too: what it is, and its runs
    page.locator(".pgcn.arena .tip.shown").wait_for()
    page.keyboard.press("Enter")
    page.get_by_role("button", name="seed 0: show its runs").wait_for()
    at_rest(page)
    press(page, "arena_to_runs")
    page.locator(".st-key-one_run").wait_for()


def test_two_methods_disagree_on_nodes_that_the_embedding_shows(server, page):
    page.goto(f"{server.url}/arena?{QUERY}&view=pair&one=sgc&other=gcn")
    words(page, "3 pairs:")
    at_rest(page)
    press(page, "arena_nodes")
    page.locator(".st-key-arena_nodes_bar .js-plotly-plot").wait_for()


def test_one_is_trained_live_and_a_search_is_watched(server, page):
    page.goto(f"{server.url}/arena?dataset=karate&view=train&train=random&budget=3")
    at_rest(page)
    press(page, "arena_train_start")
    words(page, "3 of 3 architectures; the papers try 1,000", 120)
    page.locator(".st-key-arena_to_table").wait_for()
    press(page, "arena_to_table")
    page.get_by_role("button", name="seed 0: show its runs").wait_for()
    page.locator(".st-key-arena_view").get_by_role("radio", name="Compare", checked=True).wait_for()
    page.locator(".st-key-arena_view").get_by_text("Watch a search").click()
    page.locator(".st-key-arena_search_tried .points path").first.wait_for()
    page.locator(".st-key-arena_search_network .block").first.wait_for()
    words(page, "all architectures are equally likely")


def test_it_fits_a_telephone(server, page):
    page.set_viewport_size({"width": 390, "height": 844})
    for view in ("compare", "pair", "search", "train", "protocol"):
        page.goto(f"{server.url}/arena?{QUERY}&view={view}&one=sgc")
        page.locator(".st-key-arena_top").wait_for()
        at_rest(page)
        assert page.evaluate("document.querySelector('[data-testid=stMain]').scrollWidth") <= 390, view


def test_what_a_link_asks_for_and_cannot_be_is_said(server, page):
    page.goto(f"{server.url}/arena?view=up&methods=nobody&runs=0&nonsense=1")
    for sentence in ("view must be one of", "No method named 'nobody'", "runs must be at least 1", "nonsense"):
        words(page, sentence)
