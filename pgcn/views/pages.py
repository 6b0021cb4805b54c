"""Web pages that hold all they need: they ask nothing of any network."""

import json
from html import escape
from pathlib import Path
from typing import Any

from pgcn.errors import PgcnError


def web_page(title: str, *, style: str, body: str, scripts: tuple[str, ...] = (), body_class: str = "") -> str:
    """Return a page; ``body`` is HTML, ``scripts`` are programs that are there before it."""
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
    """Return values as they may stand within a script element, which only "</" could end early."""
    return json.dumps(values, allow_nan=False).replace("</", "<\\/")


def write_page(page: str, path: Path) -> None:
    """Write a page to a file, or say why it cannot be."""
    try:
        path.write_text(page, encoding="utf-8")
    except OSError as error:
        raise PgcnError(f"{path} cannot be written: {error.strerror}.") from error
