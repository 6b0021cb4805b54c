"""The Runs page in a real browser: batches unfold, the selection is in the address, all of it by keyboard."""

import pytest
from small_runs import quick
from tools import Server, address, wait_until

from pgcn import load_graph, train_many
from pgcn.execution.recorder import record_runs
from pgcn.store import Store

ROWS = ".pgcn.runs tbody tr"


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """A dashboard whose store holds two batches of three seeds and a single run."""
    with Server(tmp_path_factory.mktemp("server")) as server:
        store, graph = Store(server.store), load_graph("karate")
        for batch, seeds, width in (("a", range(3), 5), ("b", range(3), 2), (None, [7], 5)):
            runs = train_many("pgcn", graph, [quick("pgcn").change(seed=seed, block_width=width) for seed in seeds])
            record_runs(runs, store, batch=batch)
            runs.finish()
        store.close()
        yield server


def focused(page):
    return page.evaluate("document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent")


def checked(page):
    return page.evaluate("[...document.querySelectorAll('.pgcn.runs tbody input')].map((box) => box.checked)")


def test_a_batch_unfolds_and_is_compared_by_keyboard_alone_and_back_returns(server, tabs):
    page = tabs(f"{server.url}/runs")
    page.locator(ROWS).first.wait_for()
    assert page.locator(ROWS).count() == 3
    page.locator(ROWS).nth(1).locator("input").focus()
    page.keyboard.press("Tab")
    assert focused(page) == "3 runs of Karate club, seeds 0 to 2"
    page.keyboard.press("Enter")
    assert page.locator(ROWS).count() == 6 and focused(page) == "3 runs of Karate club, seeds 0 to 2"
    page.keyboard.press("Enter")
    assert page.locator(ROWS).count() == 3
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Space")
    page.locator(".st-key-one_batch").wait_for()
    one = address(page)
    assert "?run=" in one
    page.locator(ROWS).nth(2).locator("input").focus()
    page.keyboard.press("Space")
    page.get_by_text("paired, exact sign-flip test").wait_for()
    assert checked(page) == [False, True, True]
    marked = page.locator(".pgcn-table mark").all_inner_texts()
    assert "5" in marked or "2" in marked  # the width; nothing that is equal
    assert page.locator(".pgcn-table tr", has_text="block_width").locator("mark").count() == 1
    both = address(page)
    page.go_back()
    page.locator(".st-key-one_batch").wait_for()
    wait_until(lambda: checked(page) == [False, True, False])
    assert address(page) == one
    page.goto(both)
    page.get_by_text("paired, exact sign-flip test").wait_for()


def test_a_filter_is_in_the_address_and_back_takes_it_away(server, tabs):
    page = tabs(f"{server.url}/runs")
    page.locator(ROWS).first.wait_for()
    search = page.locator(".st-key-runs_search input")
    search.fill("seed 7")
    search.press("Enter")
    wait_until(lambda: page.locator(ROWS).count() == 1)
    wait_until(lambda: "search=seed" in address(page))
    page.reload()
    wait_until(lambda: page.locator(ROWS).count() == 1 and search.input_value() == "seed 7")
    page.go_back()
    wait_until(lambda: page.locator(ROWS).count() == 3 and not search.input_value())


def test_a_deleted_batch_comes_back_with_its_selection_and_all_of_it_fits_a_telephone(server, tabs):
    page = tabs(f"{server.url}/runs")
    page.set_viewport_size({"width": 390, "height": 844})
    page.locator(f"{ROWS} .open", has_text="seeds 0 to 2").first.click()
    page.locator(".st-key-one_batch").wait_for()
    chosen = address(page)
    page.locator(".st-key-delete button:visible").click()
    bar = page.locator(".st-key-undo_bar")
    bar.get_by_text("3 runs deleted.").wait_for()
    place = bar.bounding_box()
    assert place["x"] >= 0 and place["x"] + place["width"] <= 390 and place["y"] + place["height"] <= 844
    assert page.locator(ROWS).count() == 2
    page.locator(".st-key-undo button:visible").click()
    page.locator(".st-key-one_batch").wait_for()
    wait_until(lambda: address(page) == chosen and bar.count() == 0)
    page.locator(".st-key-copy button:visible").first.click()
    page.get_by_text("--runs 3").wait_for()
    page.keyboard.press("Escape")
    page.get_by_label("Select all").check()
    page.get_by_text("Settings that differ").wait_for()
    assert page.evaluate("document.querySelector('[data-testid=stMain]').scrollWidth") <= 390
