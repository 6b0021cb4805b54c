"""Charts that are updated in place, in a real browser."""

import pytest

MOUNT = """async () => {
  const code = "component/pgcn.ui.components.web/components/chart.js";
  const { show } = await import(new URL(code, document.baseURI).href);
  const parent = document.createElement("div");
  parent.style.cssText = "position: fixed; inset: 0; z-index: 9999999; background: white";
  parent.append(document.createElement("div"));
  document.body.append(parent);
  window.showAll = (about, ...lengths) => {
    for (const n of lengths) {
      const x = [...Array(n).keys()];
      show(parent, { data: [{ x, y: x }], layout: { dragmode: "zoom" } }, 600, about, () => {});
    }
    window.plot = parent.firstChild;
  };
}"""


@pytest.fixture
def page(server, tabs):
    page = tabs(server.url)
    page.locator(".st-key-grow").first.wait_for()
    page.evaluate(MOUNT)
    return page


def show(page, *lengths, about="one run"):
    page.evaluate("(values) => window.showAll(...values)", [about, *lengths])
    page.wait_for_function("(n) => window.plot.data?.[0].x.length === n", arg=lengths[-1])


def test_a_chart_that_gets_several_updates_at_once_shows_the_last(page):
    show(page, 2, 3, 4, 5)
    show(page, 6, 7, 8, 9)
    assert page.evaluate("window.plot.querySelectorAll('.main-svg').length") > 0


def test_a_zoom_outlives_an_update_but_not_another_subject(page):
    show(page, 10)
    page.mouse.move(500, 200)
    page.mouse.down()
    page.mouse.move(800, 400, steps=5)
    page.mouse.up()
    page.wait_for_function("window.plot.layout.xaxis.autorange === false")
    zoomed = page.evaluate("window.plot.layout.xaxis.range")
    show(page, 30)
    assert page.evaluate("window.plot.layout.xaxis.range") == zoomed
    show(page, 20, about="another run")
    assert page.evaluate("window.plot.layout.xaxis.range") == [0, 19]
