"""What only PostgreSQL can do to a run."""

import contextlib
import shutil
import subprocess
import sys
import tempfile
import threading
from pathlib import Path

import psycopg
import pytest
import sqlalchemy as sa
from interruption import RUN, SPEC, begun, leave, resumed_as_whole, sound

from pgcn.errors import StoreError, StoreUnavailable
from pgcn.execution.execute import execute
from pgcn.execution.spec import RunSpec
from pgcn.store import Store
from pgcn.store.database import errors_in_words


@contextlib.contextmanager
def locked(store):
    """Lock the runs of a store as another program would; what is locked is free when its transaction ends."""
    with psycopg.connect(store.url.replace("+psycopg", "")) as other:
        other.execute("LOCK TABLE pgcn_runs IN ACCESS EXCLUSIVE MODE")
        yield other


@pytest.mark.slow
def test_a_restart_of_postgresql_does_not_end_a_run(postgres, whole):
    store, work = begun(postgres.new_database())
    postgres.stop()
    with pytest.raises(StoreUnavailable, match="at the moment"):
        store.runs()
    threading.Timer(2, postgres.start).start()
    work.finish()
    assert store.run(RUN).status == "finished"
    sound(store, whole)
    store.close()


@pytest.mark.slow
def test_postgresql_takes_what_sqlite_takes(postgres):
    store = Store(postgres.new_database())
    config = SPEC.config.change(seed=2**62, epochs=1, max_layers=1)
    spec = RunSpec(method="pgcn", config=config, source=SPEC.source)
    execute([spec], store, ids=[RUN]).finish()
    assert store.run(RUN).seed == 2**62
    store.change(RUN, name="n" * 200, note="ü" * 10_000)
    with pytest.raises(StoreError, match="up to 200 characters, none of them NUL"):
        store.change(RUN, name="a\0b")
    store.close()


@pytest.mark.slow
def test_six_processes_that_open_a_new_postgresql_at_once_all_succeed(postgres):
    code = "import sys, pgcn.store; sys.stdin.read(1); pgcn.store.Store(sys.argv[1]).close()"
    url = postgres.new_database()
    there = [
        subprocess.Popen([sys.executable, "-c", code, url], stdin=subprocess.PIPE, stderr=subprocess.PIPE)
        for _ in range(6)
    ]
    errors = [process.communicate(b"x", timeout=60)[1].decode() for process in there]
    assert [process.returncode for process in there] == [0] * 6, "\n".join(errors)


@pytest.mark.slow
def test_a_locked_postgresql_hangs_nothing_and_a_lock_that_passes_is_waited_for(postgres, whole, impatient):
    store, work = begun(postgres.new_database())
    with locked(store) as other:
        with pytest.raises(StoreUnavailable, match="lock timeout"):
            store.runs()
        threading.Timer(0.8, other.rollback).start()
        work.finish()
    assert store.run(RUN).status == "finished"
    sound(store, whole)
    store.close()


@pytest.mark.slow
def test_a_postgresql_that_stays_locked_interrupts_the_run(postgres, whole, impatient):
    store, work = begun(postgres.new_database())
    with locked(store), pytest.raises(StoreError, match="The run is interrupted, with all that was stored"):
        work.finish()
    resumed_as_whole(store, whole)
    store.close()


@pytest.mark.slow
def test_a_full_postgresql_interrupts_the_run_and_room_lets_it_be_resumed(postgres, whole, impatient):
    folder = Path(tempfile.mkdtemp(prefix="pgcn-full-"))  # pytest's own are root's alone
    folder.chmod(0o755)
    disk = folder / "disk"
    disk.mkdir()
    how = ["mount", "-t", "tmpfs", "-o", "size=24m", "pgcn", str(disk)]
    if subprocess.run(how, capture_output=True, timeout=20).returncode:
        pytest.skip("a full disk needs one to be mounted, which is not permitted here")
    space = disk / "space"
    space.mkdir()
    shutil.chown(space, "postgres")
    try:
        with psycopg.connect(f"postgresql://pgcn@127.0.0.1:{postgres.port}/postgres", autocommit=True) as root:
            root.execute(f"CREATE TABLESPACE small LOCATION '{space}'")
            root.execute("CREATE DATABASE full1 TABLESPACE small")
        store, work = begun(f"postgresql+psycopg://pgcn@127.0.0.1:{postgres.port}/full1")
        leave(0, disk)
        with pytest.raises(StoreError, match=r"No space left.*The run is interrupted"):
            work.finish()
        (disk / "filler").unlink()
        resumed_as_whole(store, whole)
        store.close()
        with psycopg.connect(f"postgresql://pgcn@127.0.0.1:{postgres.port}/postgres", autocommit=True) as root:
            root.execute("DROP DATABASE full1")
            root.execute("DROP TABLESPACE small")
    finally:
        subprocess.run(["umount", "--lazy", str(disk)], check=True, timeout=20)
        shutil.rmtree(folder)


@pytest.mark.parametrize(
    "message",
    [
        'could not extend file "base/1/2": No space left on device',
        "canceling statement due to lock timeout",
        "canceling statement due to statement timeout",
        "deadlock detected",
        "FATAL: sorry, too many clients already",
    ],
)
def test_what_postgresql_says_of_a_passing_trouble_is_known(message):
    with pytest.raises(StoreUnavailable, match="at the moment"), errors_in_words("written"):
        raise sa.exc.OperationalError("", {}, Exception(message))
