"""Links that would exhaust the server or break a page: each is answered at once, without a traceback."""

import time
from urllib.parse import urlencode

import pytest

LARGE, DIGITS = str(2**53 - 1), "9" * 5000
LINKS = {
    "landscape": ("landscape", {"runs": "100000000", "widths": DIGITS}, "runs must be at most 100"),
    "landscape, widths": ("landscape", {"widths": "1," * 2000 + "1"}, "at most 2,000 runs"),
    "study": ("difficulty", {"experiments": "100000000"}, "experiments must be at most 100"),
    "study, largest": ("difficulty", {"experiments": "100"}, None),
    "study, dims": ("difficulty", {"dims": "1," * 2000 + "1"}, "at most 5,000 runs"),
    "study, digits": ("difficulty", {"dims": DIGITS, "at": f"cora:{DIGITS}:50"}, "must be whole numbers"),
    "grow, largest": (
        "",
        {"seed": LARGE, "data_seed": LARGE, "perturbation_seed": LARGE, "epochs": "1000000"},
        None,
    ),
    "grow, beyond": ("", {"seed": str(2**53), "epochs": "1000000000"}, "epochs must be at most 1,000,000"),
    "grow, digits": ("", {"seed": DIGITS, "at": DIGITS, "dims": DIGITS}, "seed must be a whole number"),
    "grow, ids": ("", {"run": "a\0b", "job": "x" * 3000, "batch": "'; --"}, "run must be an id"),
    "embedding": ("embedding", {"seed": DIGITS, "nodes": DIGITS, "perplexity": "1e308"}, "nodes must be auto"),
    "tour": ("learn", {"stop": "convolution", "at": DIGITS, "node": "²"}, "in this figure it may be 0 to"),
    "tour, stop": ("learn", {"stop": DIGITS}, "No stop named"),
    "runs": ("runs", {"run": "a\0b"}, None),
}


@pytest.mark.parametrize("name", LINKS)
def test_a_link_that_asks_too_much_is_answered(name, server, tabs):
    path, query, words = LINKS[name]
    started = time.monotonic()
    page = tabs(f"{server.url}/{path}?{urlencode(query)}")
    if words:
        page.get_by_text(words).first.wait_for()
    else:
        page.locator("[data-testid=stApp][data-test-script-state=notRunning]").wait_for()
    assert time.monotonic() - started < 20
    if path == "":
        page.get_by_text("More", exact=False).first.click()  # all settings, each in a field of its own
        page.locator("[data-testid=stApp][data-test-script-state=notRunning]").wait_for()
    assert page.locator("[data-testid=stException]").count() == 0
