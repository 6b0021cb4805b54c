"""The player in a real browser: a live picture that stands still, one clock, and what a teacher needs of it."""

import itertools

import pytest
from playwright.sync_api import expect
from steady import expect_steady, watch
from tools import press

from pgcn.recorded import first_events, first_inside, recorded_events, recorded_gcn, recorded_graph
from pgcn.views.pages import write_page
from pgcn.views.replay import replay, replay_page

LIVE = "document.querySelector('.player').dataset.live"
LOOSE = """[...document.querySelectorAll('.network .bundle')].flatMap((path) => {
  const ends = [...document.querySelectorAll('.network .end rect')].map((rect) => rect.getBBox());
  const atEdge = (box, x) => Math.min(Math.abs(x - box.x), Math.abs(x - box.x - box.width)) < 1;
  const beside = ({ x, y }) => ends.some((box) => atEdge(box, x) && (y < box.y || y > box.y + box.height));
  return [0, path.getTotalLength()].map((at) => path.getPointAtLength(at)).filter(beside);
}).length"""
"""How many connections end beside the input or the output."""


def test_the_live_picture_neither_fades_nor_jumps_on_a_busy_server(server, tabs, busy):
    page = tabs(f"{server.url}/?run=none&epochs=150&max_layers=2&max_width=15", motion=True)
    page.locator(".player").wait_for()
    parts = [".stage", "svg.network", ".data", ".transport", ".log-panel", ".plot"]
    watch(page, ".player", parts, ".st-key-controls [kind=primary]")
    press(page, "grow")
    page.wait_for_function(f"() => {LIVE} === 'true'", timeout=60_000)
    assert page.locator(".player .transport :is(button, select):visible").all_inner_texts() == ["● Live", "Present"]
    page.wait_for_function(f"() => {LIVE} === 'false'", timeout=120_000)
    page.locator(".player .transport .play").wait_for()
    expect_steady(page)
    page.locator(".player .data").get_by_text("nodes without a training label are predicted correctly").wait_for()
    assert page.locator(".player .graph .node").count() == 240


BOXES = "labels => labels.map(label => label.getBoundingClientRect()).map(({ top, bottom }) => [top, bottom])"


@pytest.fixture(scope="module")
def recorded(tmp_path_factory):
    """The recorded run as a page of its own."""
    events, how = recorded_events(), {"baseline": recorded_gcn(), "data": recorded_graph()}
    path = tmp_path_factory.mktemp("replay") / "replay.html"
    write_page(replay_page(replay(events, name="recorded", **how)), path)
    return f"file://{path}"


def cursor(page):
    return int(page.evaluate("document.querySelector('.player').dataset.cursor"))


def test_a_teacher_steps_through_a_run_on_the_whole_screen_with_one_key(recorded, tabs):
    page = tabs(recorded)
    page.locator(".player .network .block").first.wait_for()
    page.locator(".player .canvas").focus()
    page.keyboard.press("f")
    page.locator(".player.presenting").wait_for()
    page.keyboard.press("Home")
    for step, key in ((1, "ArrowRight"), (2, "PageDown"), (3, "ArrowRight"), (2, "PageUp")):
        page.keyboard.press(key)
        assert cursor(page) == step
    size = page.viewport_size
    box = page.locator(".player .stage").bounding_box()
    assert box["width"] > 0.9 * size["width"] and box["height"] > 0.75 * size["height"]
    assert (
        page.locator(".player .caption strong").first.evaluate("node => parseInt(getComputedStyle(node).fontSize)")
        >= 30
    )
    for step in range(cursor(page), int(page.evaluate("document.querySelector('.player').dataset.steps"))):
        page.keyboard.press("ArrowRight")
        assert page.evaluate(LOOSE) == 0, step + 1
    page.keyboard.press("Escape")
    page.locator(".player:not(.presenting)").wait_for()


def test_blocks_are_walked_by_arrow_keys_with_a_visible_ring_and_formulae_are_typeset(recorded, tabs):
    page = tabs(recorded)
    page.locator(".player .network .block").first.wait_for()
    page.locator(".player .canvas").focus()
    page.keyboard.press("Tab")
    about = "document.activeElement.getAttribute('aria-label')"
    assert page.evaluate(about).startswith("Layer 1, block 1")
    for key, place in (
        ("ArrowDown", "Layer 1, block 2"),
        ("ArrowRight", "Layer 2, block 2"),
        ("ArrowUp", "Layer 2, block 1"),
    ):
        page.keyboard.press(key)
        assert page.evaluate(about).startswith(place)
    ring = page.evaluate("getComputedStyle(document.activeElement.querySelector('.ring')).strokeWidth")
    assert ring == "3px"
    page.locator(".player .log .more").nth(3).click()
    facts = page.locator(".player .log p:visible")
    assert facts.locator("i", has_text="r").count() == facts.locator("sub", has_text="b").count() == 1
    assert "r_b" not in page.locator(".player").inner_text()


def test_the_nodes_show_what_the_network_of_the_step_predicts(recorded, tabs):
    graph = recorded_graph()
    page = tabs(recorded)
    page.locator(".player .graph .node").first.wait_for()
    events = [frame["network"] for frame in replay(recorded_events(), name="r")["frames"]]
    for step in (2, 12, len(events) - 1):
        page.locator(".player .transport input").evaluate(
            "(node, step) => { node.value = step; node.dispatchEvent(new Event('input')); }", step
        )
        predicted = graph["predicted"][str(events[step])]
        wrong = sum(one != other for one, other in zip(predicted, graph["y"], strict=True))
        assert page.locator(".player .graph .node.wrong").count() == wrong
        colours = page.evaluate("[...document.querySelectorAll('.graph .node')].map((node) => node.style.fill)")
        assert len(set(zip(colours, predicted, strict=True))) == len(set(predicted))


def test_another_graph_fills_the_room_that_its_legend_leaves(tmp_path, tabs):
    graph, other = recorded_graph(), {**recorded_graph(), "id": "other"}
    first, second = (replay(recorded_events(), name="r", data=data) for data in (graph, other))
    path = tmp_path / "replay.html"
    write_page(replay_page(first).replace("new Player(", "window.player = new Player("), path)
    page = tabs(f"file://{path}")
    page.locator(".player .graph .node").first.wait_for()
    fitted = """() => {
      const svg = document.querySelector("svg.graph"), { width, height } = svg.viewBox.baseVal;
      return Math.abs(((width - 50) / (height - 50)) * (svg.clientHeight / svg.clientWidth) - 1) < 0.01;
    }"""
    page.wait_for_function(fitted)
    page.evaluate("replay => window.player.update(replay)", second)
    page.wait_for_timeout(300)
    assert page.evaluate(fitted)


def test_the_error_axis_has_labels_that_do_not_overlap_and_tools_hide_on_a_phone(recorded, tabs):
    page = tabs(recorded)
    page.get_by_label("Expert").check()
    page.wait_for_function("() => document.querySelectorAll('.js-plotly-plot').length === 4")
    labels = page.locator(".chart.error .ytick text")
    labels.nth(1).wait_for()
    boxes = sorted(labels.evaluate_all(BOXES))
    assert all(above[1] <= below[0] for above, below in itertools.pairwise(boxes))
    page.set_viewport_size({"width": 390, "height": 844})
    page.reload()
    page.wait_for_function("() => document.querySelectorAll('.js-plotly-plot').length === 2")
    assert page.locator(".modebar-btn").count() == 0
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def tab_to(page, what):
    """Press Tab until the element that a sentence of JavaScript describes has the focus."""
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate(f"() => {{ const here = document.activeElement; return Boolean({what}); }}"):
            return
    pytest.fail(f"Tab never came to: {what}")


def test_a_network_is_grown_and_looked_through_by_keyboard_alone(server, tabs):
    page = tabs(f"{server.url}/?run=none&dataset=synthetic&epochs=20&max_layers=1&max_width=10")
    page.locator(".st-key-grow button").first.wait_for()
    page.locator(".player").wait_for()
    tab_to(page, "here.closest('.st-key-grow') && here.tagName === 'BUTTON'")
    page.keyboard.press("Enter")
    page.wait_for_function(
        f"() => {LIVE} === 'false' && document.querySelector('.player').dataset.topology", timeout=90_000
    )
    page.locator(".st-key-summary").wait_for()
    tab_to(page, "here.closest('.player') && here.type === 'range'")
    page.keyboard.press("Home")
    page.wait_for_function("() => Number(document.querySelector('.player').dataset.cursor) === 0")
    page.keyboard.press("ArrowRight")
    page.wait_for_function("() => Number(document.querySelector('.player').dataset.cursor) === 1")


def test_on_a_telephone_an_example_starts_its_run_and_the_settings_give_way_to_it(server, tabs):
    page = tabs("about:blank")
    page.set_viewport_size({"width": 390, "height": 844})
    page.goto(server.url)
    page.locator(".player").wait_for()
    page.get_by_test_id("stExpandSidebarButton").click()
    page.get_by_test_id("stButtonGroup").get_by_text("Ten seconds").click()
    page.wait_for_function(f"() => {LIVE} === 'true'", timeout=60_000)
    page.locator("[data-testid=stSidebar][data-collapsed=true]").wait_for(state="attached")
    page.locator(".st-key-stop button:visible").click()


def test_what_a_block_has_learned_is_seen_enlarged_and_is_what_the_core_computed(tabs, tmp_path):
    inside, events = first_inside(), first_events()
    path = tmp_path / "replay.html"
    write_page(replay_page(replay(events, name="recorded", autoplay=False, inside=inside)), path)
    page = tabs(f"file://{path}")
    page.locator(".player .network .block").first.wait_for()
    page.locator(".player .canvas").focus()
    page.keyboard.press("End")
    values = inside[page.locator(".player").get_attribute("data-network")]
    page.locator(".network .block.accepted").first.focus()
    cells = page.locator(".tip .profile .cell").evaluate_all(
        "cells => cells.map(({dataset: {neuron, mean}, dataset}) => [+neuron, +dataset.class, +mean])"
    )
    means = values["layers"][0]["means"]
    width = events[1].width
    assert sorted(cells) == [[n, c, means[n][c]] for n in range(width) for c in range(len(means[0]))]
    assert "Dead neurons: " in page.locator(".tip .inside").inner_text()
    weights = page.locator(".network .link").evaluate_all("lines => lines.map(({dataset}) => +dataset.weight)")
    sums = [sum(row[c] for row in values["readout"]) for c in range(len(values["classes"]))]
    assert sum(weights) == pytest.approx(sum(sums), rel=0.02, abs=0.05)
    strips = page.locator(".network .block.accepted .cell").count()
    assert strips and page.locator(".network .layer-strip").count() == 1  # the layer of many blocks is folded
    for _ in range(2):
        page.get_by_role("button", name="Zoom in").click()
    expect(page.locator(".network .layer-strip")).to_have_count(0)
    assert page.locator(".network .block.accepted .cell").count() > strips
