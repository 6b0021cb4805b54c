"""What tests of pages need."""

import sys

import pytest
from tools import ROOT


@pytest.fixture(autouse=True)
def steady_path(monkeypatch):
    """Keep the pages' folder on the import path while a test lasts.

    Else AppTest puts it first for each run of a page and takes it away again, and a thread that looks for a package
    at that moment misses one place. 'streamlit run' puts it there once.
    """
    monkeypatch.setattr(sys, "path", [*sys.path, str(ROOT), str(ROOT / "pages")])
