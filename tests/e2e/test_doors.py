"""Every page through every door: the front door, from page to page, and alone; by its link: test_every_place."""

import os
import subprocess
import sys

import pytest
from tools import ROOT, Server

from pgcn.ui.shell import PAGES

SIGNS = {
    "grow": ".pgcn .network",
    "embedding": ".pgcn canvas",
    "arena": ".st-key-arena_scatter .points path",
    "difficulty": ".st-key-study_chart .points path",
    "race": ".pgcn.race .network",
    "landscape": ".st-key-landscape_map .points path",
    "runs": ".st-key-to_grow",
    "data": ".pgcn.data .card .nodes",
    "predictions": ".st-key-predictions_to_grow",
    "learn": ".pgcn svg",
}
"""What is there when a page is."""


@pytest.fixture
def nothing(tmp_path):
    """An environment with no data set on disk, and no run."""
    return {
        "PGCN_DATA_DIR": str(tmp_path / "nothing"),
        "PGCN_STORE": f"sqlite:///{tmp_path / 'runs.db'}",
        "XDG_CACHE_HOME": str(tmp_path / "cache"),
    }


def opened(page, name):
    page.locator(SIGNS[name]).first.wait_for(state="attached")
    assert page.locator("[data-testid=stException]").count() == 0
    if name == "grow":
        assert "Not on this machine yet" in page.locator(".stSidebar").inner_text()


@pytest.mark.smoke
def test_every_page_opens_by_the_front_door_and_from_page_to_page_with_no_data_set_on_disk(tmp_path, tabs, nothing):
    assert SIGNS.keys() == PAGES.keys()
    with Server(tmp_path, **nothing) as server:
        page = tabs(f"{server.url}/runs")  # a deep link, while nobody has opened the app yet
        opened(page, "runs")
        page.get_by_role("link", name=PAGES["learn"][1], exact=True).wait_for()  # app.py: only once
        tabs.close()
        page = tabs(server.url)  # the front door
        opened(page, "grow")
        for target in (*reversed(PAGES), "grow"):  # from page to page
            page.get_by_role("link", name=PAGES[target][1], exact=True).click()
            opened(page, target)
        tabs.close()


def test_every_page_runs_alone_with_no_data_set_on_disk_and_imports_nothing_heavy(nothing):
    """Learn is the last: it has work, which imports torch."""
    script = """if True:
        import sys
        from streamlit.testing.v1 import AppTest
        for name in sys.argv[1:]:
            page = AppTest.from_file(f"pages/{name}.py", default_timeout=60).run()
            assert not page.exception and len(page.main.children), (name, page.exception)
            heavy = {"torch", "sklearn", "umap", "openTSNE"} & set(sys.modules)
            assert name == "learn" or not heavy, (name, heavy)
            assert name not in ("grow", "embedding") or "scipy" not in sys.modules, name
    """
    assert list(PAGES)[-1] == "learn"
    alone = subprocess.run(
        [sys.executable, "-c", script, *PAGES],
        cwd=ROOT,
        env=os.environ | nothing,
        capture_output=True,
        text=True,
        check=False,
    )
    assert alone.returncode == 0, alone.stderr
