"""What all pages share: pages in one tap on a telephone, no running man, and a mark of what has the focus."""

from playwright.sync_api import expect
from tools import Server

from pgcn.ui.shell import PAGES

SLOW = """
import time
import streamlit as st
from pgcn.ui.shell import STYLE
st.html(f"<style>{STYLE}</style>")
st.text("It works.")
time.sleep(600)
"""
BOLD = """([title]) => {
  const bold = [...document.querySelectorAll(".st-key-page_links p")].filter((link) =>
    [link, ...link.querySelectorAll("*")].some((part) => getComputedStyle(part).fontWeight >= 600));
  return bold.length === 1 && bold[0].textContent === title;
}"""
RING = """() => {
  const style = getComputedStyle(document.activeElement);
  return [document.activeElement.textContent.trim(), style.outlineStyle, parseFloat(style.outlineWidth)];
}"""


def test_on_a_telephone_every_page_is_one_tap_away_through_every_door(server, tabs):
    page = tabs("about:blank")
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{server.url}/runs")  # a deep link; the front door is among the taps
    for name in (*PAGES, "runs"):
        link = page.locator(".st-key-page_links").get_by_role("link", name=PAGES[name][1], exact=True)
        box = link.bounding_box()
        assert box["x"] >= 0 and box["x"] + box["width"] <= 390 and min(box["width"], box["height"]) >= 24, name
        link.click()
        page.wait_for_function("title => document.title.startsWith(title)", arg=PAGES[name][1])
        page.wait_for_function(BOLD, arg=[PAGES[name][1]])
    page.set_viewport_size({"width": 1440, "height": 900})
    page.locator(".st-key-page_links").wait_for(state="hidden")


def test_the_keyboard_shows_where_it_is_in_the_navigation(server, tabs):
    page = tabs(f"{server.url}/runs")
    page.locator(".st-key-to_grow").wait_for()  # drawn after the style; the links are there before it
    seen = {}
    for _ in range(20):
        page.keyboard.press("Tab")
        words, style, width = page.evaluate(RING)
        seen[words] = (style, width)
        if "Learn" in seen:
            break
    for _, title in PAGES.values():
        assert seen[title] == ("solid", 2), seen


def test_a_busy_script_shows_neither_a_running_man_nor_a_stop_but_a_lost_server_is_told(tmp_path, tabs):
    script = tmp_path / "slow.py"
    script.write_text(SLOW)
    with Server(tmp_path, script=script) as server:
        page = tabs(server.url)
        page.get_by_text("It works.").wait_for()
        page.locator("[data-testid=stStatusWidgetRunningIcon]").wait_for(state="attached")  # it is there
        assert page.locator(".stStatusWidget").is_hidden()  # and is not seen
        server.kill()
        page.get_by_text("Connecting").wait_for(state="visible")
    tabs.errors.clear()  # the server is gone, as the console says


def test_each_choice_is_one_step_of_the_history_and_back_returns_to_it(server, tabs):
    for address, first, choices in (
        ("difficulty", "Accuracy", ("Difference", "Parameters")),
        ("arena", "Cora", ("PubMed",)),
    ):
        page = tabs(f"{server.url}/{address}")
        chosen = page.locator("[data-testid=stButtonGroup] [aria-checked=true]").first
        expect(chosen).to_have_text(first)
        page.wait_for_selector(".js-plotly-plot")
        page.wait_for_selector("[data-testid=stApp][data-test-script-state=notRunning]")
        begun = page.evaluate("history.length")
        for number, choice in enumerate(choices, start=1):
            page.locator("[data-testid=stButtonGroup]").get_by_text(choice, exact=True).first.click()
            expect(chosen).to_have_text(choice)
            page.wait_for_function("wanted => history.length === wanted", arg=begun + number)
        for choice in (*reversed(choices[:-1]), first):
            page.go_back()
            expect(chosen).to_have_text(choice)
