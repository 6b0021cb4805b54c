"""Every page through every door: the front door, from page to page, by its link, and alone."""

from tools import Server

from pgcn.ui.shell import PAGES

SIGNS = {
    "grow": ".pgcn .network",
    "embedding": ".pgcn canvas",
    "difficulty": ".st-key-study_cora_accuracy .points path",
    "runs": ".st-key-to_grow",
    "learn": ".pgcn svg",
}
"""What is there when a page is."""


def test_every_page_opens_through_all_four_doors_with_no_data_set_on_disk(tmp_path, tabs):
    missing = {"PGCN_DATA_DIR": str(tmp_path / "nothing"), "XDG_CACHE_HOME": str(tmp_path / "cache")}
    assert SIGNS.keys() == PAGES.keys()

    def opened(page, name):
        page.locator(SIGNS[name]).first.wait_for(state="attached")
        assert page.locator("[data-testid=stException]").count() == 0
        if name == "grow":
            assert "Not on this machine yet" in page.locator(".stSidebar").inner_text()

    with Server(tmp_path, **missing) as server:
        for name in PAGES:
            opened(tabs(f"{server.url}/{name}"), name)  # deep links, while nobody has opened the app yet
            tabs.close()
        page = tabs(server.url)  # the front door
        opened(page, "grow")
        for target in (*reversed(PAGES), "grow"):  # from page to page
            page.get_by_role("link", name=PAGES[target][1], exact=True).click()
            opened(page, target)
        tabs.close()
    for name in PAGES:
        (tmp_path / name).mkdir()
        with Server(tmp_path / name, script=f"pages/{name}.py", **missing) as server:
            opened(tabs(server.url), name)  # the page alone
            tabs.close()
