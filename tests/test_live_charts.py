"""Charts that are updated in place while somebody looks at them, in a real browser."""

import pytest

MOUNT = """async () => {
  const code = "component/pgcn.ui.components.web/components/chart.js";
  const { show } = await import(new URL(code, document.baseURI).href);
  const parent = document.createElement("div");
  parent.style.cssText = "position: fixed; inset: 0; z-index: 9999999; background: white";
  parent.append(document.createElement("div"));
  document.body.append(parent);
  window.tell = (about, ...lengths) => {
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


def told(page, *lengths, about="one run"):
    page.evaluate("(told) => window.tell(...told)", [about, *lengths])
    page.wait_for_function("(n) => window.plot.data?.[0].x.length === n", arg=lengths[-1])


def test_a_chart_that_is_told_several_things_at_once_shows_the_last(page):
    told(page, 2, 3, 4, 5)
    told(page, 6, 7, 8, 9)
    assert page.evaluate("window.plot.querySelectorAll('.main-svg').length") > 0


def test_a_zoom_outlives_what_a_chart_is_told_next_but_not_another_subject(page):
    told(page, 10)
    page.mouse.move(500, 200)
    page.mouse.down()
    page.mouse.move(800, 400, steps=5)
    page.mouse.up()
    page.wait_for_function("window.plot.layout.xaxis.autorange === false")
    zoomed = page.evaluate("window.plot.layout.xaxis.range")
    told(page, 30)
    assert page.evaluate("window.plot.layout.xaxis.range") == zoomed
    told(page, 20, about="another run")
    assert page.evaluate("window.plot.layout.xaxis.range") == [0, 19]
