"""What the server does with every request: it knows its own hosts, cannot be framed, and knows a browser again."""

import asyncio
import contextlib
import secrets
import webbrowser
from collections.abc import AsyncGenerator

import streamlit as st
from starlette.datastructures import MutableHeaders
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

# Private: until st.navigation has run once in a server, a link to a page shows the files of pages/ in a sidebar of
# Streamlit's own instead of our navigation, and there is no public way to say that they are ours.
# tests/e2e/test_doors.py notices if it goes.
from streamlit.runtime.pages_manager import PagesManager

# Private, because Streamlit checks the host of websockets only and has no public way to ask it; the very same check
# is made of pages, so that both know the same hosts. tests/ui/test_access.py notices if it goes.
from streamlit.web.server.starlette.starlette_websocket import is_host_allowed

from pgcn.temporary import remove_abandoned
from pgcn.ui.access import warn_if_open
from pgcn.ui.server import COOKIE, is_cookie

PROTECTION = {
    # The app asks for nothing in frames, and no other site may show it in one and have its buttons clicked.
    "X-Frame-Options": "SAMEORIGIN",
    "Content-Security-Policy": "frame-ancestors 'self'",
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",  # an address may hold the id of a job
}
FRONT = "/grow"
YEAR = 365 * 24 * 3600


class Protection:
    """Refuse foreign hosts, forbid frames, and give every browser a cookie that no script can read."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":  # Streamlit itself checks the host and the origin of a websocket
            await self.app(scope, receive, send)
            return
        asked = Request(scope)
        if not is_host_allowed(asked.headers.get("host")):
            words = "This server has another host name. Its administrator can add names to server.allowedHosts.\n"
            await PlainTextResponse(words, status_code=421)(scope, receive, send)
            return
        if asked.url.path.endswith(FRONT):  # the first page is at the address of the app itself
            await RedirectResponse(f"./?{asked.url.query}")(scope, receive, send)
            return

        async def answer(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                headers.update(PROTECTION)
                is_page = "text/html" in headers.get("content-type", "") + asked.headers.get("accept", "")
                if is_page and not is_cookie(asked.cookies.get(COOKIE, "")):
                    headers.append("Set-Cookie", new_cookie(secure=scope["scheme"] == "https"))
            await send(message)

        await self.app(scope, receive, answer)


def new_cookie(*, secure: bool) -> str:
    only = "; Secure" if secure else ""
    return f"{COOKIE}={secrets.token_urlsafe(32)}; Path=/; Max-Age={YEAR}; HttpOnly; SameSite=Lax{only}"


@contextlib.asynccontextmanager
async def lifespan(_: object) -> AsyncGenerator[None]:
    """Say whether the server is open to others, and open a browser as ``streamlit run`` does."""
    warn_if_open()
    remove_abandoned()
    PagesManager.uses_pages_directory = False
    if not st.get_option("server.headless"):
        base = str(st.get_option("server.baseUrlPath") or "").strip("/")
        url = f"http://localhost:{st.get_option('server.port')}/{base}"
        asyncio.get_running_loop().call_later(0.5, webbrowser.open, url)
    yield


MIDDLEWARE = [Middleware(Protection)]
