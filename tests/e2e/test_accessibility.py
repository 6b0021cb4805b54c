"""axe-core finds nothing serious or critical on any page, in the light theme and in the dark one."""

from axe_playwright_python.sync_playwright import Axe
from places import every_place

THEMES = ("light", "dark")
NOT_OURS: dict[str, str] = {}
"""What Streamlit draws and a page cannot change, each with the reason why."""
IS_THEME = "theme => getComputedStyle(document.querySelector('.stApp')).colorScheme === theme"


def faults(page):
    """Return what axe-core finds: the rule, where, and what it says."""
    found = Axe().run(page, {"exclude": [[selector] for selector in NOT_OURS]} if NOT_OURS else None)
    return [
        f"{fault['id']} at {' '.join(map(str, node['target']))}: {' '.join(node['failureSummary'].split()[5:])}"
        for fault in found.response["violations"]
        if fault["impact"] in ("serious", "critical")
        for node in fault["nodes"]
    ]


def test_no_page_has_a_serious_or_critical_fault_in_either_theme(server, tabs):
    page = tabs("about:blank")
    found = []
    for place in every_place(server, page):
        for theme in THEMES:
            page.emulate_media(color_scheme=theme, reduced_motion="reduce")
            page.wait_for_function(IS_THEME, arg=theme)
            found += [f"{place}, {theme}: {fault}" for fault in faults(page)]
    assert not found, "\n".join(found)
