"""Whoever holds a run's lease works on it, and nobody else."""

import signal
import sys
import time

import psutil
import pytest
import sqlalchemy as sa
from interruption import RUN, SPEC, resumed_as_whole, sound, until_second_block
from tools import start_pgcn, wait_until

from pgcn.errors import PgcnError, StoreError, StoreUnavailable
from pgcn.execution.execute import execute, resume_execution
from pgcn.store import Store


def test_a_run_is_alive_while_a_long_block_trains(store):
    """Nothing is written for longer than a lease, and yet nobody may resume it."""
    work = execute([SPEC], store, ids=[RUN])
    until_second_block(work)
    time.sleep(1.5 * store._leases.seconds)
    other = Store(store.url)
    assert other.run(RUN).status == "running"
    with pytest.raises(StoreError, match="Somebody else has resumed"):
        other.reopen(RUN, 1)
    other.close()
    work.cancel("Enough.")


def test_whoever_has_lost_a_run_can_no_longer_write_to_it(store, whole):
    """A process that slept through its lease, on whatever host: another one resumes, the sleeper is refused."""
    work = execute([SPEC], store, ids=[RUN])
    until_second_block(work)
    owners = dict(store._leases._owners)
    store._leases.close()  # its heart stops
    store._leases._owners.update(owners)
    with store.database.writing() as connection:
        connection.execute(sa.text("UPDATE pgcn_runs SET lease = 0"))
    other = Store(store.url)
    assert other.run(RUN).status == "interrupted"
    resumed_as_whole(other, whole)
    with pytest.raises(StoreError, match="was resumed elsewhere in the meantime"):
        work.finish()
    assert other.run(RUN).status == "finished"
    sound(other, whole)
    other.close()


@pytest.mark.skipif(sys.platform == "win32", reason="needs SIGSTOP")
def test_a_process_that_is_frozen_loses_its_run_and_finds_out(impatient, store, url, data_dir):
    slow = ["--dataset", "karate", "--set", "epochs=1000", "max_layers=3", "--store"]
    process = start_pgcn(data_dir, "grow", *slow, PGCN_STORE=url, PGCN_LEASE="1")
    wait_until(lambda: store.runs() and store.runs()[0].step, 60)
    (run,) = (row.id for row in store.runs())
    freeze(process, store, run)
    wait_until(lambda: store.run(run).status == "interrupted", 20)
    (result,) = resume_execution(store, run).finish()
    process.send_signal(signal.SIGCONT)
    _, error = process.communicate(timeout=60)
    assert process.returncode == 2 and "was resumed elsewhere in the meantime" in error
    assert store.run(run).status == "finished" and store.events(run)[-1].topology == result.topology


def freeze(process, store, run):
    """Stop a process at a moment at which it does not hold the lock of the store."""
    for _ in range(20):
        process.send_signal(signal.SIGSTOP)
        wait_until(lambda: psutil.Process(process.pid).status() == psutil.STATUS_STOPPED)  # it takes a moment
        try:
            store.change(run, note="frozen")
            return
        except StoreUnavailable:
            process.send_signal(signal.SIGCONT)
            time.sleep(0.05)  # until it is past what it was writing
    pytest.fail("it always held the lock")


def test_a_lease_that_is_no_number_is_refused(monkeypatch, tmp_path):
    for text in ("soon", "-1", "nan", "1e9"):
        monkeypatch.setenv("PGCN_LEASE", text)
        with pytest.raises(PgcnError, match="PGCN_LEASE must be a number of seconds"):
            Store(f"sqlite:///{tmp_path / 'runs.db'}")
