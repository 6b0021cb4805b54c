"""What all pages share: pages in one tap on a telephone, no running man, and a mark of what has the focus."""

from playwright.sync_api import expect
from tools import Server, wait_until

from pgcn.ui.shell import PAGES

SLOW = """
import time
import streamlit as st
from pgcn.ui.shell import STYLE
st.html(f"<style>{STYLE}</style>")
st.text("It works.")
time.sleep(600)
"""
RESTLESS = """
import streamlit as st
from pgcn.ui.refreshing import refreshed, whole_page
state = st.session_state
state.setdefault("drawn", 0)
state.setdefault("times", 1)
def again():
    state.drawn, state.times = 0, state.times + 1
def part():
    state.drawn += 1
    if state.drawn in (5, 10):
        st.rerun()  # while the browser already asks for the part again
    st.text(f"done {state.times} times" if state.drawn > 10 else "The part.")
@whole_page
def show():
    left, right = st.columns(2)
    with right:
        refreshed(part, 0.005 if state.drawn < 10 else None)
        st.button("Again", on_click=again)
show()
"""
BOLD = """([title]) => {
  const bold = [...document.querySelectorAll(".st-key-page_links p")].filter((link) =>
    [link, ...link.querySelectorAll("*")].some((part) => getComputedStyle(part).fontWeight >= 600));
  return bold.length === 1 && bold[0].textContent === title;
}"""
TWO_MORE = """() => {
  const bar = document.querySelector(".st-key-page_links"), first = bar.querySelector(".stElementContainer");
  for (const title of ["Landscape two", "Race two"]) {
    const more = first.cloneNode(true);
    more.querySelectorAll("p").forEach((words) => { words.textContent = title; });
    bar.append(more);
  }
}"""
# The links that are outside the window, too small to tap, or covered, by another one too.
MISPLACED = """(width) => [...document.querySelectorAll(".st-key-page_links a")].filter((link) => {
  const { left, right, top, bottom } = link.getBoundingClientRect(), middle = (left + right) / 2;
  const covered = [top + 1, bottom - 1].some((y) => !link.contains(document.elementFromPoint(middle, y)));
  return covered || innerWidth !== width || left < 0 || right > width || Math.min(right - left, bottom - top) < 24;
}).map((link) => link.textContent)"""
NARROW = """() => [...document.querySelectorAll(".js-plotly-plot")].some((plot) => {
  const drawn = plot.querySelector(".main-svg").getBoundingClientRect().width;
  return plot.clientWidth && Math.abs(drawn - plot.clientWidth) > 1;
})"""
RING = """() => {
  const style = getComputedStyle(document.activeElement);
  return [document.activeElement.textContent.trim(), style.outlineStyle, parseFloat(style.outlineWidth)];
}"""


def test_on_a_telephone_every_page_is_one_tap_away_through_every_door(server, tabs):
    page = tabs("about:blank")
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(f"{server.url}/runs")  # a deep link; the front door is among the taps
    for name in (*PAGES, "runs"):
        page.locator(".st-key-page_links").get_by_role("link", name=PAGES[name][1], exact=True).click()
        page.wait_for_function("title => document.title.startsWith(title)", arg=PAGES[name][1])
        page.wait_for_function(BOLD, arg=[PAGES[name][1]])


def test_at_every_width_all_pages_are_in_sight_and_stay_there_also_two_more_than_there_are(server, tabs):
    page = tabs(server.url)
    page.locator(".st-key-set_dataset").wait_for()  # beside the settings there is the least room
    page.locator(".pgcn .network").wait_for()
    page.evaluate(TWO_MORE)
    for width in (1920, 1440, 1024, 768, 390, 360):
        page.set_viewport_size({"width": width, "height": 844})
        wait_until(lambda width=width: not page.evaluate(MISPLACED, width), page=page)
    assert len(page.locator(".st-key-page_links a").all()) >= len(PAGES) + 2
    page.mouse.move(180, 600)
    page.mouse.wheel(0, 500)
    page.wait_for_function("document.querySelector('.stMain').scrollTop > 100")
    assert page.evaluate(MISPLACED, 360) == []


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
    for address, group, first, choices in (
        ("difficulty", ".st-key-study_show", "Accuracy", ("Difference", "Parameters")),
        ("difficulty", ".st-key-study_recorded", "Preset reproduction", ("Preset pagerank",)),
        ("arena", "[data-testid=stButtonGroup]", "Cora", ("PubMed",)),
    ):
        page = tabs(f"{server.url}/{address}")
        chosen = page.locator(f"{group} [aria-checked=true]").first
        expect(chosen).to_have_text(first)
        page.wait_for_selector(".js-plotly-plot")
        page.wait_for_selector("[data-testid=stApp][data-test-script-state=notRunning]")
        begun = page.evaluate("history.length")
        for number, choice in enumerate(choices, start=1):
            page.locator(group).get_by_text(choice, exact=True).first.click()
            expect(chosen).to_have_text(choice)
            page.wait_for_function("wanted => history.length === wanted", arg=begun + number)
        for choice in (*reversed(choices[:-1]), first):
            page.go_back()
            expect(chosen).to_have_text(choice)


def test_charts_fill_the_room_that_the_sidebar_leaves_and_have_the_colours_of_the_theme(server, tabs):
    page = tabs(server.url)
    page.locator(".pgcn .js-plotly-plot .xtick").first.wait_for()
    stage, dark = page.locator(".player .below"), "document.querySelector('.plot').layout.font.color"
    before, light = stage.bounding_box()["width"], page.evaluate(dark)
    page.locator("[data-testid=stSidebarCollapseButton] button").click(force=True)
    wait_until(lambda: stage.bounding_box()["width"] > before + 200 and not page.evaluate(NARROW), page=page)
    page.get_by_test_id("stExpandSidebarButton").click()
    wait_until(lambda: stage.bounding_box()["width"] == before and not page.evaluate(NARROW), page=page)
    for theme in ("dark", "light"):
        page.emulate_media(color_scheme=theme)
        wait_until(lambda theme=theme: (page.evaluate(dark) == light) == (theme == "light"), page=page)


def test_a_part_that_refreshes_itself_leaves_no_tab_blank_when_the_page_is_drawn_anew(tmp_path, tabs):
    script = tmp_path / "restless.py"
    script.write_text(RESTLESS)
    with Server(tmp_path, script=script) as server:
        page = tabs(server.url)
        for times in range(1, 11):
            expect(page.get_by_text(f"done {times} times")).to_be_visible(timeout=10_000)
            page.get_by_role("button", name="Again").click(timeout=10_000)
