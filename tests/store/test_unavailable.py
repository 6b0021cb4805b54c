"""Locked or full: nothing recorded is false, nothing is lost, and the run can be resumed."""

import sqlite3
import subprocess
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
import sqlalchemy as sa
from interruption import RUN, SPEC, begun, leave, resumed_as_whole, sound, until_second_block
from small_study import small

from pgcn.errors import StoreError
from pgcn.events import RunFinished
from pgcn.execution.execute import execute
from pgcn.execution.jobs import Job
from pgcn.execution.pool import Pool
from pgcn.store import Store
from pgcn.store.check import check
from pgcn.store.embeddings import Cached, EmbeddingCache
from pgcn.studies.study import StudyRun


def lock_for(file, seconds):
    """Hold the write lock of an SQLite file, as another program may."""
    there = threading.Event()

    def hold():
        other = sqlite3.connect(file, isolation_level=None)
        other.execute("BEGIN EXCLUSIVE")
        there.set()
        time.sleep(seconds)
        other.execute("ROLLBACK")
        other.close()

    thread = threading.Thread(target=hold)
    thread.start()
    assert there.wait(10)
    return thread


def test_a_lock_that_passes_is_waited_for(tmp_path, whole, impatient):
    store, work = begun(f"sqlite:///{tmp_path / 'runs.db'}")
    thread = lock_for(tmp_path / "runs.db", 0.8)
    work.finish()
    thread.join()
    assert store.run(RUN).status == "finished"
    sound(store, whole)
    store.close()


def test_a_study_waits_for_a_lock_that_passes(tmp_path, impatient):
    store = Store(f"sqlite:///{tmp_path / 'runs.db'}")
    study, threads = small(methods=("gcn",), dims=(5,), experiments=3), ThreadPoolExecutor(1)
    pool = Pool(executor=threads, size=1, shutdown=threads.shutdown, local=True, name="a thread of this process")
    run = StudyRun([study], store, lambda: pool)
    assert wait_for_end(run) is not None
    thread = lock_for(tmp_path / "runs.db", 0.8)
    while wait_for_end(run) is not None:
        pass
    thread.join()
    assert [stored.status for stored in store.runs()] == ["finished"] * 3
    store.close()


def wait_for_end(run):
    """Return the end of the next run of a study, None where there is none."""
    return next((event for event in run if event is not None), None)


def test_an_embedding_waits_for_a_lock_that_passes(tmp_path, impatient):
    store = Store(f"sqlite:///{tmp_path / 'runs.db'}")
    thread = lock_for(tmp_path / "runs.db", 0.8)
    EmbeddingCache(store).put("key", Cached(facts={}, arrays={"map": np.zeros((3, 2))}))
    thread.join()
    assert EmbeddingCache(store).get("key").arrays["map"].shape == (3, 2)
    store.close()


def test_a_lock_that_stays_interrupts_the_run_and_leaves_nothing_false(tmp_path, whole, impatient):
    store, work = begun(f"sqlite:///{tmp_path / 'runs.db'}")
    thread = lock_for(tmp_path / "runs.db", 3.5)
    with pytest.raises(StoreError, match=r"locked.*The run is interrupted, with all that was stored: resume it"):
        work.finish()
    assert work.cancel("The job failed.", status="failed") == []
    thread.join()
    resumed_as_whole(store, whole)
    store.close()


def test_events_of_a_failed_write_are_not_shown_by_its_job(tmp_path, whole, impatient):
    store = Store(f"sqlite:///{tmp_path / 'runs.db'}")

    def start(progress):
        work = execute([SPEC], store, ids=[RUN])
        until_second_block(work)
        locks.append(lock_for(tmp_path / "runs.db", 3.0))
        return work

    locks = []
    job = Job(start, "somebody")
    job.run()
    assert job.status == "failed" and "The run is interrupted" in job.error
    assert not any(isinstance(event.event, RunFinished) for event in job.events())
    locks[0].join()
    resumed_as_whole(store, whole)
    store.close()


def test_a_full_disk_interrupts_the_run_and_leaves_nothing_false(tmp_path, whole, impatient):
    store, work = begun(f"sqlite:///{tmp_path / 'runs.db'}")
    engine, pages = store.database.engine, "PRAGMA max_page_count = {}"

    def fill(connection, _):
        (count,) = connection.execute("PRAGMA page_count").fetchone()
        connection.execute(pages.format(count))

    sa.event.listen(engine, "connect", fill)
    engine.dispose()
    with pytest.raises(StoreError, match=r"full.*The run is interrupted"):
        work.finish()
    sa.event.remove(engine, "connect", fill)
    engine.dispose()
    resumed_as_whole(store, whole)
    store.close()


@pytest.fixture
def small_disk(tmp_path):
    """A disk of 2 MB; skip where none can be mounted."""
    folder = tmp_path / "disk"
    folder.mkdir()
    try:
        how = ["mount", "-t", "tmpfs", "-o", "size=2m", "pgcn", str(folder)]
        done = subprocess.run(how, capture_output=True, text=True, timeout=20)
    except FileNotFoundError:
        pytest.skip("a full disk needs mount, of Linux")
    if done.returncode:
        pytest.skip(f"a full disk needs one to be mounted, which is not permitted here: {done.stderr.strip()}")
    yield folder
    subprocess.run(["umount", "--lazy", str(folder)], check=True, timeout=20)


@pytest.mark.parametrize("room", [0, 8192, 32768])
def test_a_disk_that_a_run_fills_interrupts_it_and_room_lets_it_be_resumed(small_disk, whole, impatient, room):
    store, work = begun(f"sqlite:///{small_disk / 'runs.db'}")
    leave(room, small_disk)
    with pytest.raises(StoreError, match=r"(full|disk I/O).*The run is interrupted, with all that was stored"):
        work.finish()
    other = Store(store.url)  # whoever looks while it is full
    sound(other, whole)
    other.close()
    (small_disk / "filler").unlink()
    resumed_as_whole(store, whole)
    assert list(check(store.database)) == []
    store.close()


def test_a_store_cannot_be_made_or_a_run_begun_on_a_full_disk_and_says_so(small_disk, whole, impatient):
    url = f"sqlite:///{small_disk / 'runs.db'}"
    leave(0, small_disk)
    with pytest.raises(StoreError, match=r"cannot be opened: .*(full|disk I/O)"):
        Store(url)
    (small_disk / "filler").unlink()
    store = Store(url)
    leave(0, small_disk)
    with pytest.raises(StoreError, match=r"(full|disk I/O)"):
        execute([SPEC], store, ids=[RUN]).finish()
    assert store.runs() == []
    (small_disk / "filler").unlink()
    execute([SPEC], store, ids=[RUN]).finish()
    sound(store, whole)
    store.close()
