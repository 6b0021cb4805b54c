"""How long a visitor waits for the first picture: a real browser on a fresh server, beside an empty page.

``pgcn bench --first-sight`` prints the figures.
"""

import shutil
import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from pgcn.errors import PgcnError
from pgcn.limits import checked_number
from pgcn.temporary import LOAD, temporary_folder
from pgcn.ui.load import LoadServer

if TYPE_CHECKING:
    from playwright.sync_api import Browser

BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""The first is without all that draws windows, and opens a page a fifth faster."""
EMPTY = "import streamlit as st\nst.write('Nothing here.')\n"
THERE = {
    "empty": "() => document.body.innerText.includes('Nothing here.')",
    "recorded": "() => Number(document.querySelector('.pgcn')?.dataset.cursor) >= 1",
}
"""What is there once a visitor sees a page: the words of an empty one, the recorded run once it moves."""
PATIENCE = 60_000
MOST_ROUNDS = 100

Progress = Callable[[str], None]


def bench_first_sight(rounds: int = 5, progress: Progress = lambda text: None) -> dict:
    """Return the seconds from asking for a page to seeing it, each time of a fresh server, in turns."""
    checked_number("The number of rounds", rounds, at_least=1, at_most=MOST_ROUNDS)
    seconds: dict[str, list[float]] = {name: [] for name in THERE}
    with temporary_folder(LOAD) as folder, launched() as browser:
        (folder / "empty.py").write_text(EMPTY)
        for number in range(rounds):
            for name, script in {"empty": str(folder / "empty.py"), "recorded": "app.py"}.items():
                progress(f"round {number + 1} of {rounds}")
                own = folder / f"{name}-{number}"
                own.mkdir()
                seconds[name].append(seconds_to_see(browser, own, script, THERE[name]))
    return {
        "rounds": rounds,
        **{f"{name}_seconds": statistics.median(values) for name, values in seconds.items()},
        "more_seconds": statistics.median(
            there - empty for there, empty in zip(seconds["recorded"], seconds["empty"], strict=True)
        ),
    }


def seconds_to_see(browser: "Browser", folder: Path, script: str, there: str) -> float:
    """Return the seconds from asking a fresh server for a page until a fact holds of it."""
    with LoadServer(folder, script) as server:
        window = browser.new_context()
        page = window.new_page()
        began = time.monotonic()
        page.goto(f"http://localhost:{server.port}")
        page.wait_for_function(there, timeout=PATIENCE)
        seconds = time.monotonic() - began
        window.close()
    return seconds


@contextmanager
def launched() -> "Iterator[Browser]":
    """Start a browser without a window; say what is missing where that cannot be."""
    program = next(filter(None, map(shutil.which, BROWSERS)), None)
    try:
        from playwright.sync_api import sync_playwright
    except ImportError as error:
        raise PgcnError("This needs Playwright, which drives a browser: pip install playwright.") from error
    if program is None:
        raise PgcnError(
            f"This needs a browser; found none of {', '.join(BROWSERS)}. On Debian: apt install chromium."
        )
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox", "--disable-gpu"])
        yield browser
        browser.close()
