"""Where the dashboard's own files are: beside the package in a checkout, inside it where it was installed."""

from pathlib import Path

PACKAGE = Path(__file__).parent


def dashboard_folder() -> Path:
    """Return the folder that holds app.py, pages/, assets/ and .streamlit/."""
    beside = PACKAGE.parent
    return beside if (beside / "app.py").is_file() and (beside / "pages").is_dir() else PACKAGE / "dashboard"
