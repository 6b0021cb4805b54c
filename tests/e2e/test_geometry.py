"""On a telephone, a tablet, a notebook and a large screen nothing overflows, is cut off or is too small."""

from pathlib import Path

from places import every_place

WIDTHS = (390, 768, 1440, 1920)
LOOKS = 5
FAULTS = (Path(__file__).parent / "geometry.js").read_text()


def lasting_faults(page):
    """Return the faults that are still there when charts, tables and the sidebar have come to rest."""
    page.wait_for_timeout(400)
    faults, looks = page.evaluate(FAULTS), 1
    while faults and looks < LOOKS:
        page.wait_for_timeout(1000)
        faults, looks = page.evaluate(FAULTS), looks + 1
    return faults


def test_nothing_overflows_is_cut_off_or_too_small_at_any_width(server, tabs):
    page = tabs("about:blank")
    found = []
    for place in every_place(server, page):
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 900})
            found += [f"{place}, {width} px: {fault}" for fault in lasting_faults(page)]
    assert not found, "\n".join(found)
