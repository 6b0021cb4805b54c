"""What several tests need: processes and a server of their own, and waiting for a fact."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from functools import cache
from pathlib import Path
from urllib.parse import urlsplit

import psutil
import pytest

from pgcn import reproducible

ROOT = Path(__file__).parents[1]
OVERFLOW = """() => [...document.querySelectorAll(".stMain *")].filter((node) => {
  const box = node.getBoundingClientRect();
  return box.width && box.right > innerWidth + 1 && !node.closest("svg, [style*='overflow: auto']");
}).map((node) => `${node.tagName}.${node.className}`).slice(0, 5)"""
"""What is wider than the window and not within something that scrolls by itself."""


def wait_until(fact, seconds=20, *, page=None):
    """Wait for a fact; if it does not come to pass, say what a page shows."""
    deadline = time.monotonic() + seconds
    while not fact():
        told = f"; the page says: {what_is_shown(page)}" if page and time.monotonic() >= deadline else ""
        assert time.monotonic() < deadline, f"it did not come to pass{told}"
        time.sleep(0.005)


def start_pgcn(data_dir, *arguments, **environment):
    """Start ``pgcn`` as a process of its own, with its output piped."""
    if data_dir is not None:
        environment["PGCN_DATA_DIR"] = str(data_dir)
    return subprocess.Popen(
        [sys.executable, "-m", "pgcn", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | environment,
        # A shell that runs the tests in the background has them ignore Ctrl-C, and so would this process.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )


def reproducible_environment(**others):
    """Return the variables of a process in the reproducible mode, which sets those for arithmetic itself."""
    plain = {name: value for name, value in os.environ.items() if name not in reproducible.ARITHMETIC}
    return {**plain, **others, reproducible.SETTING: "1"}


def skip_unless_reproducible():
    """Skip where the mode says that it promises nothing."""
    if obstacle := obstacle_to_reproducibility():
        pytest.skip(f"the reproducible mode promises nothing here: {obstacle}")


@cache
def obstacle_to_reproducibility():
    """Ask a process of its own, since this one is not in the mode."""
    probe = "from pgcn import reproducible as r; print(r.is_on() and (r.obstacle() or ''))"
    command = [sys.executable, "-c", probe]
    return subprocess.check_output(command, env=reproducible_environment(), text=True).strip()


class Server:
    """A dashboard of its own: a real process with a store and a log of its own, which ends with its block."""

    def __init__(self, folder, data_dir=None, *, script="app.py", **environment):
        self.folder, self.script = Path(folder), str(ROOT / script)
        self.log = self.folder / "server.log"
        self.store = f"sqlite:///{self.folder / 'runs.db'}"
        environment["PGCN_STORE"] = self.store
        if data_dir is not None:
            environment["PGCN_DATA_DIR"] = str(data_dir)
        self.environment = os.environ | environment
        with socket.socket() as free:
            free.bind(("localhost", 0))
            self.port = free.getsockname()[1]
        self.url = f"http://localhost:{self.port}"
        self.start()

    def start(self):
        command = ["streamlit", "run", self.script, "--server.headless", "true", "--server.fileWatcherType", "none"]
        with self.log.open("a") as log:
            self.started = time.monotonic()
            command = [sys.executable, "-m", *command, "--server.port", str(self.port)]
            self.process = subprocess.Popen(command, cwd=ROOT, env=self.environment, stdout=log, stderr=log)

    def wait(self):
        try:
            wait_until(self.answers, 60)
        except AssertionError:
            self.kill()
            raise
        return self

    def answers(self):
        try:
            with urllib.request.urlopen(f"{self.url}/_stcore/health", timeout=5) as answer:
                return answer.status == 200
        except OSError:
            return False

    def kill(self):
        """End it as a power cut would."""
        self.process.kill()
        self.process.wait()

    def __enter__(self):
        return self.wait()

    def __exit__(self, *_):
        self.kill()  # nothing is lost by it, and it is quick


def watched_tab(window, errors, *, height=900, motion=False):
    """Open an empty tab; what it writes to the console as an error or asks of elsewhere is added to ``errors``."""
    page = window.new_page()
    page.set_viewport_size({"width": 1440, "height": height})
    # Without motion a tab leaves the machine to the server.
    page.emulate_media(reduced_motion="no-preference" if motion else "reduce")
    page.set_default_timeout(30_000)
    page.on("console", lambda message: errors.append(message.text) if message.type == "error" else None)
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("request", lambda request: errors.append(request.url) if is_elsewhere(request.url) else None)
    return page


@contextlib.contextmanager
def one_tab(window, *, height):
    """A tab of a height for one test; an error in its console fails the test."""
    errors = []
    page = watched_tab(window, errors, height=height)
    page.set_default_timeout(60_000)
    yield page
    page.close()
    assert unexpected(errors) == []


def what_is_shown(page):
    """Return the words on a page, or that the tab does not answer."""
    from playwright.sync_api import Error

    try:
        return page.locator("body").inner_text(timeout=5000)
    except Error as error:
        return f"The tab does not answer: {error.message}"


def unexpected(errors):
    """Return the errors but one: Streamlit looks for its base path on a deep link by trial and error."""
    return [error for error in errors if "404" not in error]


def is_elsewhere(url):
    """Return whether an address is not of this machine: the dashboard needs no internet."""
    return urlsplit(url).hostname not in (None, "localhost")


def at_rest(page):
    """Wait until a page is not being computed."""
    page.wait_for_selector("[data-testid=stApp][data-test-script-state=notRunning]")


def address(page):
    return page.evaluate("location.href")


def words(page, text, seconds=120):
    """Wait until a text is on a page."""
    page.get_by_text(text).first.wait_for(timeout=1000 * seconds)


def press(page, key):
    page.locator(f".st-key-{key} button").first.click()


def workers_of(process):
    """Return the worker processes of a process that are there; one may end, or wait to be forgotten, meanwhile."""
    found = []
    for child in process.children():
        with contextlib.suppress(psutil.Error):
            if child.status() != psutil.STATUS_ZOMBIE and "spawn_main" in " ".join(child.cmdline()):
                found.append(child)
    return found
