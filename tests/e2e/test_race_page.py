"""Two runs on one clock in a real browser: a button starts them, one scrubber moves both, and they are stored."""

from urllib.parse import parse_qs, urlencode, urlsplit

from playwright.sync_api import expect
from steady import expect_steady, watch
from tools import address, at_rest, press

from pgcn.store import Store

RACE = {
    "dataset": "karate",
    "split": "public",
    "reproducible": "false",
    "clock": "epochs",
    "r1": "pgcn epochs=20 max_layers=1 max_width=15",
    "r2": "gcn epochs=50",
}
STEPS = "[...document.querySelectorAll('.race figure')].map(({dataset}) => dataset.step)"


def test_a_race_is_started_by_a_button_and_one_scrubber_moves_both_runs(server, tabs, busy):
    link = f"{server.url}/race?{urlencode(RACE)}"
    page = tabs(link)
    expect(page.locator(".race figure .recorded").first).to_have_text("not run yet")
    store = Store(server.store)
    assert store.runs() == []
    parts = ["figure:nth-of-type(1)", "figure:nth-of-type(2)", ".transport", ".charts"]
    watch(page, ".race", parts, ".st-key-race_start button")
    press(page, "race_start")
    expect(page.locator(".race tbody td")).to_have_count(12, timeout=90_000)
    expect_steady(page)
    assert sorted(run.method for run in store.runs()) == ["gcn", "pgcn"]
    for row, run in enumerate(sorted(store.runs(), key=lambda run: run.method, reverse=True)):
        cells = page.locator(".race tbody tr").nth(row).locator("td").all_inner_texts()
        assert cells[3] == f"{run.parameters:,}" and cells[0] == f"{100 * run.scores['test_accuracy']:.1f} %"
    scrubber, cards = page.locator(".race .transport input"), page.locator(".race figure")
    ended = page.evaluate(STEPS)
    scrubber.focus()
    page.keyboard.press("Home")
    assert page.evaluate(STEPS) == ["0", "0"] and "0" not in ended  # it has moved both
    expect(cards.first.locator("p")).to_have_text("at the start")
    page.keyboard.press("End")
    assert page.evaluate(STEPS) == ended
    expect(cards.nth(1).locator("p")).to_contain_text("finished")
    expect(page.locator(".st-key-race_start button").first).to_be_disabled()
    page.reload()
    expect(page.locator(".race tbody td")).to_have_count(12)
    page.locator(".st-key-race_clock").get_by_text("Seconds").click()
    expect(page.locator(".race .transport output")).to_contain_text("seconds")
    at_rest(page)
    assert parse_qs(urlsplit(address(page)).query)["clock"] == ["seconds"]
    page.go_back()
    expect(page.locator(".race .transport output")).to_contain_text("epochs")
    press(page, "race_replay_0")
    page.locator(".player .network").wait_for()
    store.close()


def test_a_point_of_the_difficulty_page_opens_as_a_race_on_its_graph(server, tabs):
    page = tabs(f"{server.url}/difficulty")
    press(page, "study_race")
    page.locator(".race .network").first.wait_for()
    query = parse_qs(urlsplit(address(page)).query)
    assert query["r1"][0].startswith("pgcn") and query["r2"][0].startswith("gcn") and query["dims"][0].isdecimal()
    assert page.locator(".race figure").count() == 2
