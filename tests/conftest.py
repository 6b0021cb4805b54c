"""What tests share: graphs (real ones where they can be found), a browser, and what they have measured."""

import gc
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from tools import Server, unexpected, watched_tab, what_is_shown

import pgcn  # noqa: F401 - before torch: the reproducible mode is settled when pgcn is first imported

gc.disable()  # until all is imported: to look through what stays, again and again, takes a third of that time
os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
os.environ.setdefault("PGCN_LEASE", "2")  # a killed process is soon known to be gone

LONGEST = ("test_every_place.py", "test_golden.py", "test_load.py", "test_advice.py")


@pytest.fixture(scope="session")
def data_dir():
    """Return the folder of the real data sets, fetched if need be; skip where they cannot be had."""
    from pgcn.data import fetch, locate
    from pgcn.errors import DataError

    beside = Path(__file__).parents[2] / "shared" / "data" / "planetoid"
    folder = None if os.environ.get("PGCN_DATA_DIR") or not beside.is_dir() else beside
    for name in ("cora", "citeseer", "pubmed"):
        if locate(name, folder) is None:
            try:
                fetch(name, folder)
            except DataError as error:
                pytest.skip(f"real data is not to be had: {error}")
    return folder


@pytest.fixture(scope="session")
def cora(data_dir):
    from pgcn.data import load_graph

    return load_graph("cora", data_dir=data_dir)


@pytest.fixture(scope="session")
def small_graph():
    """A synthetic graph small enough for dense oracles."""
    from pgcn.data import load_graph

    return load_graph("synthetic", nodes=120, classes=3, features=40, average_degree=4.0, seed=1)


@pytest.fixture(scope="session")
def tall_graph():
    """A synthetic graph with so many labelled nodes that layers are given room, and with dense features."""
    from pgcn.data import load_graph

    return load_graph(
        "synthetic", nodes=700, classes=3, features=40, average_degree=3.0, seed=1, split="fraction:0.75", dims=12
    )


@pytest.fixture(scope="session")
def done(tmp_path_factory):
    """A small study carried out in this process, and its store."""
    from small_arena import carried_out
    from small_study import small

    with carried_out(small(), tmp_path_factory.mktemp("study"), 20) as store:
        yield store


@pytest.fixture(scope="session")
def landscape_store(tmp_path_factory):
    """A small landscape carried out in this process, and its store."""
    from small_arena import carried_out
    from small_landscape import small

    with carried_out(small(), tmp_path_factory.mktemp("landscape"), 14) as store:
        yield store


@pytest.fixture(scope="session")
def chromium():
    """Start a real browser, without a window; skip where there is none, unless CI insists."""
    from pgcn.ui.first_sight import BROWSERS

    program = next(filter(None, map(shutil.which, BROWSERS)), None)
    if program is None:
        reason = "no Chromium was found; the tests in a real browser need it"
        pytest.fail(reason) if os.environ.get("PGCN_NEED_BROWSER") else pytest.skip(reason)
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=30_000)  # as long as all else waits on a busy machine
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])
        yield browser
        browser.close()


@pytest.fixture(scope="module")
def server(tmp_path_factory, data_dir):
    """A dashboard with a store of its own for the tests of a file."""
    with Server(tmp_path_factory.mktemp("server"), data_dir, PGCN_GRACE="4") as server:
        yield server


@pytest.fixture(scope="module")
def window(chromium):
    """One window for all tabs, so that what the browser has fetched once need not be fetched again."""
    context = chromium.new_context()
    yield context
    context.close()


@pytest.fixture
def tabs(window, chromium):
    """Open tabs, each a visitor of its own; an error in a console fails the test."""
    pages, errors = [], []

    def open_tab(address, *, first_visit=False, **how):
        page = watched_tab(chromium if first_visit else window, errors, **how)
        pages.append(page)
        page.goto(address)
        return page

    def close():
        while pages:
            pages.pop().close()

    open_tab.errors, open_tab.close = errors, close
    yield open_tab
    close()
    assert unexpected(errors) == []


def pytest_collection_finish():
    gc.freeze()
    gc.enable()


def pytest_xdist_make_scheduler(config, log):
    """With '--dist loadscope' the tests of a file in a browser stay together, all others go one by one.

    (xdist's own groups, '--dist loadgroup', do nothing under pytest 9.)
    """
    from xdist.scheduler import LoadScopeScheduling

    class BrowserFiles(LoadScopeScheduling):
        def _split_scope(self, nodeid):
            return nodeid.split("::")[0] if "e2e/" in nodeid else nodeid

    return BrowserFiles(config, log) if config.getvalue("dist") == "loadscope" else None


def pytest_collection_modifyitems(items):
    """Mark what drives a browser at length: pytest alone runs only the smoke tests in one.

    What takes longest comes first, so that in the end no process waits for it.
    """
    for item in items:
        if "chromium" in item.fixturenames and not item.get_closest_marker("smoke"):
            item.add_marker("e2e")
    items.sort(key=lambda item: item.path.name not in LONGEST)


@pytest.fixture
def measured(record_property):
    """Note what was measured; it is printed when all tests have ended."""
    return lambda text: record_property("measured", text)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    """Say of a test that failed what its tabs showed in the end and what its server had logged."""
    report = yield
    if report.failed and call.when == "call":
        shown = getattr(item, "funcargs", {})
        for page in shown["window"].pages if "window" in shown else ():
            report.sections.append((f"a tab at {page.url}", what_is_shown(page)))
        if hasattr(shown.get("server"), "log"):
            report.sections.append(("the end of its server's log", shown["server"].log.read_text()[-3000:]))
    return report


def pytest_terminal_summary(terminalreporter):
    reports = [report for kind in ("passed", "failed") for report in terminalreporter.stats.get(kind, [])]
    notes = [text for report in reports for name, text in report.user_properties if name == "measured"]
    if notes:
        terminalreporter.section("measured")
        for text in notes:
            terminalreporter.write_line(text)


@pytest.fixture
def busy():
    """Keep every core busy, politely: a class on one small server."""
    loop = [sys.executable, "-c", "import os; os.nice(5)\nwhile True: pass"]
    processes = [subprocess.Popen(loop) for _ in range(os.cpu_count() or 1)]
    yield
    for process in processes:
        process.kill()
        process.wait()
