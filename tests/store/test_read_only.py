"""A store that can only be read: what others write is seen, and nothing is changed."""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
import sqlalchemy as sa

from pgcn.cli import main
from pgcn.errors import StoreError
from pgcn.store import Store
from pgcn.store.sqlite import look_into

WRITER = """
import os, sys
from pgcn.events import RunStarted
from pgcn.store import Store
graph = dict(nodes=1, edges=0, features=1, classes=1, labelled=1, val=0, test=0)
about = dict(method="gcn", dataset="karate", split="", versions={}, notes=(), recipe=None, reproducible=False)
store = Store(sys.argv[1])
for seed in range(3):
    store.open_run(RunStarted(config={"seed": seed}, **graph, **about))
print("written", flush=True)
sys.stdin.read(1)
os._exit(9)
"""


@pytest.fixture
def place():
    """A folder that others can look into; pytest's own cannot."""
    with tempfile.TemporaryDirectory(prefix="pgcn-read-only-") as folder:
        yield Path(folder)


@pytest.fixture
def writer(place):
    """A process that has written and lives, with its log beside the file."""
    url = f"sqlite:///{place / 'runs.db'}"
    Store(url).close()
    process = subprocess.Popen(
        [sys.executable, "-c", WRITER, url], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert process.stdout.readline() == "written\n"
    yield process
    process.kill()
    process.communicate()


def read_as_somebody_else(file):
    """Return what another user reads, who may change nothing: how many runs there are."""
    code = """
import os, sys, sqlite3
from pathlib import Path
import sqlalchemy as sa
from pgcn.store import Store
import pgcn.methods.registry, sqlalchemy.dialects.sqlite.pysqlite
if os.getuid() == 0:
    os.setgid(65534); os.setuid(65534)
store = Store(sys.argv[1])
print(store.database.read_only, len(store.runs()))
"""
    done = subprocess.run(
        [sys.executable, "-c", code, f"sqlite:///{file}"], capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


@pytest.mark.skipif(os.name != "posix", reason="needs permissions")
@pytest.mark.parametrize("killed", [False, True])
def test_what_a_writer_has_left_in_its_log_is_read(place, writer, killed):
    if killed:
        writer.communicate("x")
    assert (place / "runs.db-wal").stat().st_size > 0
    for path in place.iterdir():
        path.chmod(0o444)
    place.chmod(0o555)
    try:
        assert read_as_somebody_else(place / "runs.db") == ["True", "3"]
    finally:
        place.chmod(0o755)


def test_a_file_that_nobody_writes_is_read_without_another_beside_it(tmp_path):
    file = tmp_path / "runs.db"
    Store(f"sqlite:///{file}").close()
    before = file.read_bytes()
    connection = look_into(file)
    assert connection.execute("SELECT count(*) FROM pgcn_runs").fetchone() == (0,)
    connection.close()
    assert file.read_bytes() == before and list(tmp_path.iterdir()) == [file]


def test_a_read_only_store_of_an_earlier_version_says_what_to_do(tmp_path, monkeypatch):
    file = tmp_path / "runs.db"
    store = Store(f"sqlite:///{file}")
    with store.database.writing() as connection:
        connection.execute(sa.text("UPDATE pgcn_schema SET version = 2"))
    store.close()
    monkeypatch.setattr(os, "access", lambda path, mode: mode != os.W_OK)  # root may write anything
    with pytest.raises(StoreError, match="read-only and of an earlier version"):
        Store(f"sqlite:///{file}")


@pytest.mark.parametrize("name", ["a#b.db", "a?b.db", "a%41b.db", "a b.db", "ü.db"])
def test_check_opens_the_file_that_is_named(tmp_path, monkeypatch, name, capsys):
    url = sa.URL.create("sqlite", database=str(tmp_path / name)).render_as_string()
    monkeypatch.setenv("PGCN_STORE", url)
    Store().close()
    made = sorted(path.name for path in tmp_path.iterdir())
    assert main(["store", "check"]) == 0 and "No problems found" in capsys.readouterr().out
    assert sorted(path.name for path in tmp_path.iterdir()) == made
