"""The command line in this process."""

import pytest

from pgcn.cli import main


@pytest.fixture
def pgcn(capsys, monkeypatch, tmp_path):
    """Return a function that runs a command and returns (exit code, stdout, stderr); its store is its own."""
    monkeypatch.setenv("COLUMNS", "200")
    monkeypatch.setenv("PGCN_STORE", f"sqlite:///{tmp_path / 'runs.db'}")

    def run(*arguments):
        code = main(arguments)
        return code, *capsys.readouterr()

    return run
