"""Every page, every stop of Learn and every view of the Arena, each opened once by its link, with no data on disk.

axe-core finds nothing serious or critical in either theme, and on a telephone, a tablet, a notebook and a large
screen nothing overflows, is cut off or is too small.
"""

from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from places import every_place
from tools import Server, unexpected, watched_tab

WIDTHS = (390, 768, 1440, 1920)
LOOKS = 5
FAULTS = (Path(__file__).parent / "geometry.js").read_text()
VIOLATIONS = {"resultTypes": ["violations"]}
COLOURS = {"runOnly": {"type": "rule", "values": ["color-contrast", "link-in-text-block"]}}
THEMES = {"light": VIOLATIONS, "dark": VIOLATIONS | COLOURS}
"""What axe-core is asked in each theme: of its rules only these look at colours, and all else is the same."""
NOT_OURS: dict[str, str] = {}
"""What Streamlit draws and a page cannot change, each with the reason why."""
IS_THEME = "theme => getComputedStyle(document.querySelector('.stApp')).colorScheme === theme"
STANDS = """() => new Promise((done) => {
  let before = "", alike = 0;
  const look = () => {
    const parts = [...document.querySelectorAll("[data-testid=stApp] :is(div, section, svg, canvas, table)")];
    const boxes = parts.map((part) => part.getBoundingClientRect());
    const now = boxes.map(({ x, y, width, height }) => [x, y, width, height].map(Math.round)).join();
    alike = now === before ? alike + 1 : 0;
    before = now;
    if (alike === 2) done(); else setTimeout(look, 50);
  };
  look();
})"""
"""Waits until nothing has moved for a tenth of a second; a fault that is seen then is looked at again."""


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """A dashboard on a machine where no data set has been downloaded."""
    folder = tmp_path_factory.mktemp("server")
    nowhere = {"PGCN_DATA_DIR": str(folder / "nothing"), "XDG_CACHE_HOME": str(folder / "cache")}
    with Server(folder, **nowhere) as server:
        yield server


OTHER_COLOURS = """theme => {
  const dark = theme === "dark";
  const parts = (text) => getComputedStyle(text).fill.match(/[\\d.]+/g).slice(0, 3).map(Number);
  const isLight = (text) => parts(text).reduce((sum, part) => sum + part) > 384;
  const ticks = [...document.querySelectorAll(".js-plotly-plot :is(.xtick, .ytick) text")];
  const maps = [...document.querySelectorAll(".pgcn.embedding")].filter((map) => map.dataset.theme !== theme);
  const others = [...ticks.filter((text) => text.checkVisibility() && isLight(text) !== dark), ...maps];
  return others.map((node) => node.textContent.slice(0, 20));
}"""
"""What is drawn in the colours of the theme before, axe-core does not see."""


@pytest.fixture(scope="module")
def found(server, window):
    """What is wrong anywhere: with accessibility, with geometry, and in the console."""
    errors, accessibility, geometry = [], [], []
    page = watched_tab(window, errors)
    for place in every_place(server, page):
        for theme, options in THEMES.items():
            page.emulate_media(color_scheme=theme, reduced_motion="reduce")
            page.wait_for_function(IS_THEME, arg=theme)
            accessibility += [f"{place}, {theme}: {fault}" for fault in axe_faults(page, options)]
            others = lasting_faults(page, OTHER_COLOURS, theme)
            accessibility += [f"{place}, {theme}: in the colours of the other theme: {others}"] if others else []
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 900})
            page.evaluate(STANDS)
            geometry += [f"{place}, {width} px: {fault}" for fault in lasting_faults(page, FAULTS)]
        page.emulate_media(color_scheme="light", reduced_motion="reduce")
        page.set_viewport_size({"width": 1440, "height": 900})
    page.close()
    return {"accessibility": accessibility, "geometry": geometry, "console": unexpected(errors)}


def axe_faults(page, options):
    """Return what axe-core finds: the rule, where, and what it says."""
    excluded = {"exclude": [[selector] for selector in NOT_OURS]} if NOT_OURS else None
    return [
        f"{fault['id']} at {' '.join(map(str, node['target']))}: {' '.join(node['failureSummary'].split()[5:])}"
        for fault in Axe().run(page, excluded, options).response["violations"]
        if fault["impact"] in ("serious", "critical")
        for node in fault["nodes"]
    ]


def lasting_faults(page, script, *args):
    """Return the faults that a script finds and that are still there when all has been drawn."""
    faults, looks = page.evaluate(script, *args), 1
    while faults and looks < LOOKS:
        page.wait_for_timeout(1000)
        faults, looks = page.evaluate(script, *args), looks + 1
    return faults


@pytest.mark.timeout(600)
def test_no_page_has_a_serious_or_critical_fault_in_either_theme(found):
    assert not found["accessibility"], "\n".join(found["accessibility"])


@pytest.mark.timeout(600)
def test_nothing_overflows_is_cut_off_or_too_small_at_any_width(found):
    assert not found["geometry"], "\n".join(found["geometry"])


def test_no_place_complains_in_the_console(found):
    assert found["console"] == []
