"""Stores to test on: SQLite, and in the long tests a real PostgreSQL."""

import os
import shutil
import socket
import sqlite3
import subprocess
import tempfile
import uuid
from pathlib import Path

import pytest
from interruption import RUN, SPEC

from pgcn.execution.execute import execute
from pgcn.store import Store, patience, sqlite


class Postgres:
    """A PostgreSQL server of our own on a free port, which can be stopped and started."""

    def __init__(self, programs: Path, folder: Path) -> None:
        self._programs, self._folder = programs, folder
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        if os.getuid() == 0:  # it refuses to run as root
            shutil.chown(folder, "postgres")
        self._run("initdb", "-D", str(folder / "data"), "-U", "pgcn", "--auth", "trust", "--no-sync")
        self.start()

    def _run(self, program: str, *arguments: str) -> None:
        become = ["runuser", "-u", "postgres", "--"] if os.getuid() == 0 else []
        command = [*become, str(self._programs / program), *arguments]
        done = subprocess.run(command, cwd=self._folder, capture_output=True, text=True, timeout=60)
        assert done.returncode == 0, done.stdout + done.stderr

    def _control(self, *arguments: str) -> None:
        self._run("pg_ctl", "-w", "-D", str(self._folder / "data"), "-l", str(self._folder / "log"), *arguments)

    def start(self) -> None:
        self._control("-o", f"-p {self.port} -k {self._folder} -c fsync=off", "start")

    def stop(self) -> None:
        self._control("-m", "immediate", "stop")

    def new_database(self) -> str:
        """Return the URL of a new, empty database."""
        import psycopg

        name = f"pgcn_{uuid.uuid4().hex[:12]}"
        with psycopg.connect(f"postgresql://pgcn@127.0.0.1:{self.port}/postgres", autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}")
        return f"postgresql+psycopg://pgcn@127.0.0.1:{self.port}/{name}"


@pytest.fixture(scope="session")
def postgres():
    """Start a real PostgreSQL; skip where there is none, unless CI insists."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb")) or [shutil.which("initdb")]
    if not found[-1]:
        reason = "no PostgreSQL was found; the tests on one need it"
        pytest.fail(reason) if os.environ.get("PGCN_NEED_POSTGRES") else pytest.skip(reason)
    with tempfile.TemporaryDirectory(prefix="pgcn-postgres-") as folder:  # pytest's own are root's alone
        server = Postgres(Path(found[-1]).parent, Path(folder))
        yield server
        server.stop()


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.slow)])
def url(request, tmp_path):
    """The URL of a new store."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'stored' / 'runs.db'}"
    return request.getfixturevalue("postgres").new_database()


@pytest.fixture
def store(url):
    store = Store(url)
    yield store
    store.close()


@pytest.fixture(scope="session")
def whole():
    return execute([SPEC]).finish()[0]


@pytest.fixture
def impatient(monkeypatch):
    """Waits are short, so that what takes half a minute takes a second."""
    monkeypatch.setattr(sqlite, "BUSY_SECONDS", 0.1)
    monkeypatch.setattr(patience, "PATIENCE", 1.5)


@pytest.fixture(scope="session")
def bytes_of_store(tmp_path_factory, whole):
    """The bytes of a store with three runs, an embedding and a graph, and what is in it."""
    from pgcn.embeddings.embed import embed
    from pgcn.embeddings.plan import EmbeddingConfig

    file = tmp_path_factory.mktemp("sound") / "runs.db"
    store = Store(f"sqlite:///{file}")
    ids = [RUN, "b" * 32, "c" * 32]
    execute([SPEC.with_config(seed=seed) for seed in (3, 4, 5)], store, ids=ids).finish()
    embed(store, RUN, EmbeddingConfig(method="pca")).finish()
    known = {run: (store.events(run), store.networks(run), store.run(run)) for run in ids}
    with store.database.writing() as connection:
        connection.exec_driver_sql("SELECT 1")
    store.close()
    raw = sqlite3.connect(file)
    raw.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    raw.execute("PRAGMA journal_mode=DELETE")
    raw.close()
    return file.read_bytes(), known
