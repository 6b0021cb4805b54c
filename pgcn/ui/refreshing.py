"""A part of a page that is drawn again every so many seconds, while the rest of the page stays."""

import asyncio
import logging
from collections.abc import Callable
from functools import wraps
from typing import Any

import streamlit as st

LOG = logging.getLogger(__name__)
SENDING, TURNS, LONGEST = 0.1, 5, 3.0
"""Seconds given to sending what was drawn, in so many turns of the event loop; the longest wait for these."""
REFRESHES, NOW, BEFORE = "page_refreshes", "now", "before"
"""Where it is noted whether a part of the page refreshes itself, or did when the page was drawn the last time."""


def refreshed(draw: Callable[..., None], every: float | None, *args: Any) -> None:
    """Draw a part of a page, and that part alone again every so many seconds; None for never."""
    st.fragment(draw, run_every=every)(*args)
    if every is not None:
        st.session_state[REFRESHES] = NOW


def whole_page(show: Callable[[], None]) -> Callable[[], None]:
    """Have a page end only when all of it is on its way to the browser, where that may ask for a part of it again.

    The browser still does so for a moment after the page has been drawn without refreshing itself.
    A timed refresh that begins earlier discards what is still to be sent of its part, and what follows that part
    on the page. The browser then draws the part anew, or fails to place what it gets: the tab stays blank.
    """

    @wraps(show)
    def shown() -> None:
        if REFRESHES in st.session_state:
            st.session_state[REFRESHES] = BEFORE
        show()
        if REFRESHES in st.session_state:
            wait_until_sent()
            if st.session_state[REFRESHES] == BEFORE:
                del st.session_state[REFRESHES]

    return shown


def wait_until_sent() -> None:
    """Wait until what has been drawn is on its way to the browser."""
    if not st.runtime.exists():
        return  # there is no browser
    # Private, because Streamlit has no public way to its event loop; tests/ui/test_session.py notices if it goes.
    loop = st.runtime.get_instance()._get_async_objs().eventloop
    if not isinstance(loop, asyncio.AbstractEventLoop):
        return  # the page is simulated (AppTest)
    try:
        asyncio.run_coroutine_threadsafe(_several_turns(), loop).result(LONGEST)
    except TimeoutError:
        LOG.warning("the server's event loop did not answer for %s s", LONGEST)


async def _several_turns() -> None:
    """Let the server's event loop send what it has to send, also where it was held up before."""
    for _ in range(TURNS):
        await asyncio.sleep(SENDING / TURNS)
