"""A database comes to have our tables, an earlier version's become today's, and nobody else's are touched."""

import gzip
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from pgcn.errors import StoreError
from pgcn.store import Store
from pgcn.store.schema import VERSION

OLD = Path(__file__).parents[1] / "golden" / "store.db.gz"


def tables(file):
    with sqlite3.connect(file) as database:
        found = {name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    database.close()
    return found


def change(file, *statements):
    with sqlite3.connect(file) as database:
        for statement in statements:
            database.execute(statement)
    database.close()


@pytest.fixture
def old(tmp_path):
    file = tmp_path / "old.db"
    file.write_bytes(gzip.decompress(OLD.read_bytes()))
    return file


def test_an_old_database_is_moved_over_whole_and_its_networks_stand_under_their_step(old):
    with sqlite3.connect(old) as database:
        (count,) = database.execute("SELECT count(*) FROM networks").fetchone()
        topologies = {
            topology for (topology,) in database.execute("SELECT topology FROM networks WHERE run = ?", ("f" * 32,))
        }
    database.close()
    store = Store(f"sqlite:///{old}")
    assert {"runs", "events", "networks", "maps"}.isdisjoint(tables(old))
    runs = [*store.runs(), *store.runs(deleted=True)]
    assert sum(len(store.networks(run.id)) for run in runs) == count
    networks = store.networks("f" * 32)
    assert list(networks) == list(range(1, len(topologies) + 1))
    assert [sum(network.description["widths"]) for network in networks.values()] == [5, 10, 15, 20, 25, 30]
    assert all(run.step is not None and store.network(run.id) for run in runs if run.topology)
    store.close()
    again = Store(f"sqlite:///{old}")
    assert {run.id for run in again.runs()} <= {run.id for run in runs}
    again.close()


def test_a_database_of_before_batches_is_brought_up_to_date(old):
    change(old, "ALTER TABLE runs DROP COLUMN batch")
    store = Store(f"sqlite:///{old}")
    assert store.runs() and all(run.batch is None for run in store.runs())
    store.close()


def test_moving_over_is_all_or_nothing(old, monkeypatch):
    before = tables(old)

    def fail(*_):
        raise StoreError("The light went out.")

    monkeypatch.setattr("pgcn.store.migrations.accepted_topologies", fail)
    with pytest.raises(StoreError, match="The light went out"):
        Store(f"sqlite:///{old}")
    assert tables(old) == before
    monkeypatch.undo()
    store = Store(f"sqlite:///{old}")
    assert store.runs()
    store.close()


def test_a_store_of_a_later_version_is_refused_in_words(tmp_path):
    file = tmp_path / "runs.db"
    Store(f"sqlite:///{file}").close()
    change(file, f"UPDATE pgcn_schema SET version = {VERSION + 1}")
    with pytest.raises(StoreError, match=rf"later version of pgcn: its tables are of version {VERSION + 1}"):
        Store(f"sqlite:///{file}")


@pytest.mark.parametrize(
    ("statement", "found"),
    [
        ("CREATE TABLE runs (id INTEGER, distance FLOAT)", "tables runs"),
        ("PRAGMA application_id = 4711", "application id is 4711"),
    ],
)
@pytest.mark.parametrize("journal", ["delete", "wal"])
def test_another_program_s_database_is_refused_and_left_as_it_was(tmp_path, statement, found, journal):
    file = tmp_path / "jogging.db"
    change(file, f"PRAGMA journal_mode = {journal}", statement)
    before = file.read_bytes()
    with pytest.raises(StoreError, match=f"another program: .*{found}"):
        Store(f"sqlite:///{file}")
    assert file.read_bytes() == before and list(tmp_path.iterdir()) == [file]


def test_a_later_version_is_refused_and_left_as_it_was(tmp_path):
    file = tmp_path / "runs.db"
    Store(f"sqlite:///{file}").close()
    change(file, f"UPDATE pgcn_schema SET version = {VERSION + 1}", "PRAGMA journal_mode = delete")
    before = file.read_bytes()
    with pytest.raises(StoreError, match="later version of pgcn"):
        Store(f"sqlite:///{file}")
    assert file.read_bytes() == before and list(tmp_path.iterdir()) == [file]


def test_six_processes_that_open_a_new_store_at_once_all_succeed(tmp_path):
    """They open eight new stores, each when all have opened the one before."""
    code = (
        "import sys, pgcn.store\nfor url in sys.stdin: pgcn.store.Store(url.strip()).close(); print(0, flush=True)"
    )
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    there = [subprocess.Popen([sys.executable, "-c", code], **pipes) for _ in range(6)]
    for attempt in range(8):
        for process in there:
            process.stdin.write(f"sqlite:///{tmp_path / str(attempt) / 'runs.db'}\n")
            process.stdin.flush()
        answers = [process.stdout.readline() for process in there]
        if "" in answers:
            break
    errors = [process.communicate(timeout=60)[1] for process in there]
    assert [process.returncode for process in there] == [0] * 6, "\n".join(errors)
    assert attempt == 7
