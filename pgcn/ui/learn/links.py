"""Links to the Grow page with settings, and to stops of the tour. No streamlit here."""

from typing import Any
from urllib.parse import urlencode

from pgcn.ui.grow.settings import Settings


def grow_link(text: str, *, preset: str = "reproduction", **settings: Any) -> str:
    """Return a Markdown link that opens Grow with these settings, reproducible; an unknown setting is an error."""
    own = {name: settings.pop(name) for name in ("dataset", "split", "dims", "seed") if name in settings}
    query = Settings(preset=preset, changes=settings, reproducible=True, **own).to_query()
    return f"[{text}](./?{urlencode(query)})"


def stop_link(text: str, stop: str, **query: Any) -> str:
    """Return a Markdown link to a stop."""
    return f"[{text}](?{urlencode({'stop': stop, **query})})"
