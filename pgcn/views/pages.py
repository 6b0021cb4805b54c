"""Self-contained web pages: they need no network."""

import json
from html import escape
from pathlib import Path
from typing import Any

from pgcn.errors import PgcnError

# "</" would end a script element, and "<!--<script>" would hide its end; in JSON these occur only within strings.
IN_SCRIPTS = {ord(character): f"\\u{ord(character):04x}" for character in "<>&\u2028\u2029"}


def web_page(title: str, *, style: str, body: str, scripts: tuple[str, ...] = (), body_class: str = "") -> str:
    """Return a page; ``body`` is HTML, ``scripts`` are run before it."""
    return "\n".join(
        [
            "<!doctype html>",
            '<html lang="en"><head><meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{escape(title)}</title>",
            f"<style>{style}</style>",
            *(f"<script>{script}</script>" for script in scripts),
            f'</head><body class="{body_class}">',
            body,
            "</body></html>",
        ]
    )


def script_values(values: Any) -> str:
    """Return values as JSON for a script element: none of its characters means anything to HTML."""
    return json.dumps(values, allow_nan=False).translate(IN_SCRIPTS)  # beyond ASCII json escapes itself


def plotly_text(text: str) -> str:
    """Return text that Plotly shows as it is; it takes some HTML in labels for its own, links among it."""
    return escape(text, quote=False)


def write_page(page: str, path: Path) -> None:
    """Write a page to a file; an error says why it cannot be written."""
    try:
        path.write_text(page, encoding="utf-8")
    except OSError as error:
        raise PgcnError(f"{path} cannot be written: {error.strerror}.") from error
