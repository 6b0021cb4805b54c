"""Where the dashboard's own files are, and where a store may be."""

from pathlib import Path
from urllib.parse import unquote

from pgcn.errors import StoreError, shown

PACKAGE = Path(__file__).parent


def dashboard_folder() -> Path:
    """Return the folder that holds app.py, pages/, assets/ and .streamlit/.

    They are beside the package in a checkout, inside it where it was installed.
    """
    beside = PACKAGE.parent
    return beside if (beside / "app.py").is_file() and (beside / "pages").is_dir() else PACKAGE / "dashboard"


def check_store_address(url: str) -> None:
    """Refuse the address of a store that would be forgotten, or that no database can have."""
    kind, _, rest = url.partition("://")
    path, _, how = rest.partition("?")
    how = unquote(how).lower()
    in_memory = path.strip("/") in ("", "file:") or ":memory:" in path or "mode=memory" in how or "vfs=" in how
    if kind.startswith("sqlite") and not in_memory and (path.lstrip("/").startswith("file:") or "uri=" in how):
        raise StoreError(f"The store {shown(url)} must be named by a path, such as sqlite:////home/me/runs.db.")
    if kind.startswith("sqlite") and in_memory:
        raise StoreError(
            f"The store {shown(url)} would be in memory and forgotten at once. Name a file, such as "
            "sqlite:////home/me/runs.db."
        )
    if not url.isprintable():
        raise StoreError(f"The address of a store must be printable text, got {shown(url)}.")
