"""The app starts and opens without torch."""

import subprocess
import sys
from pathlib import Path

from streamlit.testing.v1 import AppTest

APP = Path(__file__).parents[1] / "app.py"


def test_the_page_opens_and_shows_the_version():
    page = AppTest.from_file(str(APP), default_timeout=30).run()
    assert not page.exception
    assert page.title[0].value == "PGCN explorer"
    assert "Version" in page.caption[0].value


def test_the_page_does_not_import_torch():
    probe = (
        "import sys; from streamlit.testing.v1 import AppTest; "
        f"AppTest.from_file({str(APP)!r}, default_timeout=30).run(); print('torch' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)
    assert done.stdout.strip().endswith("False")
