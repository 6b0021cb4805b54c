"""A study under way: results are kept as they come, whoever carries the tasks out and whatever dies."""

import multiprocessing
import re
import signal
import socket
import subprocess
import sys
import time
from functools import partial

import psutil
import pytest
import small_sweep
from small_arena import here
from small_study import GROWTH, SET, small, table
from tools import start_pgcn, wait_until, workers_of

from pgcn.errors import PgcnError
from pgcn.events import RunFinished
from pgcn.execution.complete import complete_run
from pgcn.execution.pool import cluster, processes
from pgcn.execution.recorder import stored_model
from pgcn.methods.endings import ending_sentence
from pgcn.store import Store
from pgcn.studies.difficulty import Study
from pgcn.studies.difficulty.results import Results, stored_outcomes
from pgcn.studies.difficulty.words import divergences
from pgcn.studies.study import StudyRun


def test_a_study_is_kept_and_asked_for_twice_is_read(done):
    again = StudyRun([small()], done)
    assert again.missing == [] and list(again) == []
    outcomes = stored_outcomes(small(), done)
    assert len(outcomes) == 20 and all(one.test_accuracy > 0 for one in outcomes)
    pgcn = next(one for one in outcomes if one.method == "pgcn-ce")
    run = done.run(pgcn.run)
    assert run.topology == stored_model(done, run.id).architecture.widths == pgcn.topology
    assert isinstance(done.events(run.id)[-1], RunFinished) and "D' = 5" in run.name
    matched = next(one for one in outcomes if one.method == "same-topology")
    assert matched.topology == pgcn.topology and matched.parameters == pgcn.parameters


def test_a_deleted_run_is_missing_and_comes_back_the_same(done):
    before = stored_outcomes(small(), done)
    done.delete(before[0].run)
    run = StudyRun([small()], done, here)
    assert [task.id for task in run.missing] == [before[0].run]
    assert len([run_event for run_event in run if run_event is not None]) == 1
    after = stored_outcomes(small(), done)
    assert [(one.run, one.test_accuracy, one.topology) for one in before] == [
        (one.run, one.test_accuracy, one.topology) for one in after
    ]


def test_a_worker_that_dies_loses_nothing(tmp_path, done):
    """Carried out by two processes a study has the same numbers, though one is killed."""
    store = Store(f"sqlite:///{tmp_path / 'runs.db'}")
    before = {child.pid for child in workers_of(psutil.Process())}  # of other tests
    run = StudyRun([small()], store, lambda: processes(2))
    killed = False
    for run_event in run:
        if run_event is not None and not killed:
            victims = [child for child in workers_of(psutil.Process()) if child.pid not in before]
            victims[0].kill()
            killed = True
    assert killed and table(store, small()) == table(done, small())
    store.close()


def test_a_study_that_is_cancelled_does_not_wait_for_its_runs_and_keeps_what_it_has(tmp_path):
    store = Store(f"sqlite:///{tmp_path / 'runs.db'}")
    study = small(growth=GROWTH.change(epochs=100_000), methods=("gcn", "pgcn-ce"))
    run = StudyRun([study], store)
    wait_until(lambda: next(run) is not None, 60)  # a GCN has ended, PGCN would take for ever
    workers = workers_of(psutil.Process())
    run.cancel()  # comes back, though a run would take for ever
    wait_until(lambda: not multiprocessing.active_children(), 10)
    _, alive = psutil.wait_procs(workers, timeout=10)
    assert not alive and {one.method for one in stored_outcomes(study, store)} == {"gcn"}
    store.close()


def test_kill_minus_nine_in_the_middle_and_what_was_finished_is_not_computed_again(tmp_path):
    url = f"sqlite:///{tmp_path / 'runs.db'}"
    store, study = Store(url), small(methods=("gcn", "pgcn-ce"))
    arguments = ["difficulty", "--dataset", "synthetic", "--dims", "5,20", "--experiments", "2", *SET]
    process = start_pgcn(None, *arguments, PGCN_STORE=url)
    wait_until(lambda: len(table(store, study)) >= 2, 60)
    workers = psutil.Process(process.pid).children(recursive=True)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    before = {run.id: run.created for run in store.runs()}
    assert len(before) >= 2
    assert not psutil.wait_procs(workers, timeout=20)[1]  # they do not outlive it
    again = StudyRun([study], store, here)
    assert {task.id for task in again.missing} == {task.id for task in study.tasks()} - before.keys()
    assert all(run_event is None or run_event.event.scores for run_event in again)
    after = {run.id: run.created for run in store.runs()}
    assert before.items() <= after.items() and len(after) == 8
    store.close()


def test_a_run_that_diverges_does_not_stop_those_that_were_to_match_it(tmp_path):
    store = Store(f"sqlite:///{tmp_path / 'runs.db'}")
    study = small(growth=GROWTH.change(learning_rate=1e30), dims=(5,), experiments=1)
    ended = [run_event.event for run_event in StudyRun([study], store, here) if run_event is not None]
    assert len(ended) == 5
    outcomes = {one.method: one for one in stored_outcomes(study, store)}
    for method in ("pgcn-ce", "matched-gcn", "same-topology"):
        assert outcomes[method].status == "failed" and outcomes[method].topology == ()
    assert outcomes["gcn"].status == "finished"
    unmatched = store.events(outcomes["matched-gcn"].run)[-1]
    assert (unmatched.ending, unmatched.facts) == ("nothing_to_match", {"needed": "PGCN (CE)"})
    assert "Nothing to match: PGCN (CE) diverged" in ending_sentence(unmatched)
    assert "matched GCN diverged in 1 run at D' = 5" in " ".join(divergences(Results(outcomes.values())))
    assert StudyRun([study], store).missing == []  # it is not tried for ever
    store.close()


def test_a_study_fetches_its_data_once_before_processes_want_it(tmp_path, monkeypatch):
    """Also where the number of processes is given, as on the command line."""
    asked = []

    def obtain(name, folder):
        asked.append((name, folder))
        raise PgcnError("no network")

    monkeypatch.setattr("pgcn.studies.study.obtain", obtain)
    store = Store(f"sqlite:///{tmp_path / 'runs.db'}")
    study = Study(dataset="cora", dims=(10,), experiments=1)
    run = StudyRun([study], store, lambda: processes(2), data_dir=str(tmp_path))
    with pytest.raises(PgcnError, match="no network"):
        next(run)
    run.close()
    assert asked == [("cora", str(tmp_path))]
    store.close()


def test_workers_look_for_data_where_they_are_told_to(tmp_path, monkeypatch):
    """A folder with a damaged file: the worker's error names it, whatever its own environment says."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))  # a user may have the data set there
    damaged = tmp_path / "Cora" / "raw" / "ind.cora.x"
    damaged.parent.mkdir(parents=True)
    damaged.write_bytes(b"not a data set")
    task = Study(dataset="cora", dims=(10,), experiments=1).tasks()[0]
    pool = processes(1)
    with pytest.raises(PgcnError, match=re.escape(str(tmp_path))):
        pool.executor.submit(complete_run, task.spec(), data_dir=str(tmp_path)).result()
    pool.shutdown()


@pytest.fixture
def dask(tmp_path):
    """A real scheduler and two real workers, each a process of its own."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    address = f"tcp://127.0.0.1:{port}"
    started = []

    def start(*arguments):
        with (tmp_path / f"dask{len(started)}.log").open("w") as log:
            command = [sys.executable, "-m", "dask", *arguments]
            started.append(subprocess.Popen(command, stdout=log, stderr=log, cwd=tmp_path))
        return started[-1]

    start("scheduler", "--host", "127.0.0.1", "--port", str(port), "--no-dashboard", "--no-show")
    wait_until(lambda: answers(port), 30)
    workers = [
        start("worker", address, "--nthreads", "1", "--no-nanny", "--no-dashboard", "--name", f"worker{number}")
        for number in range(2)
    ]
    yield address, workers, started[0]
    for process in started:
        process.kill()
        process.wait()


@pytest.mark.slow
def test_a_dask_cluster_gives_the_same_table_also_when_a_worker_is_killed(tmp_path, done, dask):
    address, workers, _ = dask
    wait_until(lambda: cluster_size(address) == 2, 60)
    store = Store(f"sqlite:///{tmp_path / 'runs.db'}")
    run = StudyRun([small()], store, lambda: cluster(address))
    ended = 0
    for run_event in run:
        ended += run_event is not None
        if ended == 5 and workers[0].poll() is None:
            assert run.size == 2  # what the time left is estimated with
            workers[0].kill()
            workers[0].wait()
    assert workers[1].poll() is None
    assert table(store, small()) == table(done, small())
    store.close()


@pytest.mark.slow
def test_a_dask_cluster_stores_runs_trained_together_as_they_end_also_when_a_worker_is_killed(tmp_path, dask):
    address, workers, _ = dask
    wait_until(lambda: cluster_size(address) == 2, 60)
    stores = [Store(f"sqlite:///{tmp_path / name}.db") for name in ("alone", "cluster")]
    for _ in StudyRun([small_sweep.small()], stores[0], lambda: processes(1)):
        pass
    run, told = StudyRun([small_sweep.small()], stores[1], lambda: cluster(address)), []
    for run_event in run:
        if run_event is None:
            continue
        told.append(run_event.run)
        if len(told) == 2:
            workers[0].kill()
            workers[0].wait()
    assert sorted(told) == list(range(12))  # each once, though a share was begun again elsewhere
    one, other = (
        {task.id: (store.run(task.id).topology, store.network(task.id).weights) for task in run.tasks}
        for store in stores
    )
    assert one == other
    for store in stores:
        store.close()


def answers(port):
    with socket.socket() as caller:
        return caller.connect_ex(("127.0.0.1", port)) == 0


def cluster_size(address):
    try:
        pool = cluster(address)
    except PgcnError:
        return 0
    pool.shutdown()
    return pool.size


@pytest.mark.slow
def test_a_scheduler_that_is_killed_ends_a_study_in_a_sentence(tmp_path, dask, capfd):
    address, _, scheduler = dask
    wait_until(lambda: cluster_size(address) == 2, 60)
    store = Store(f"sqlite:///{tmp_path / 'runs.db'}")
    run = StudyRun([small()], store, partial(cluster, address))
    while next(run) is None:
        pass
    scheduler.kill()
    with pytest.raises(PgcnError, match=r"scheduler .* no longer answers\. What was finished is stored"):
        for _ in run:
            pass
    run.close()
    assert store.runs()
    store.close()
    assert "Traceback" not in capfd.readouterr().err


def test_a_scheduler_that_does_not_answer_is_said_soon(monkeypatch):
    monkeypatch.setattr("pgcn.execution.pool.CONNECT_SECONDS", 1)
    started = time.monotonic()
    with pytest.raises(PgcnError, match=r"No Dask scheduler answered at tcp://127\.0\.0\.1:9"):
        cluster("tcp://127.0.0.1:9")
    assert time.monotonic() - started < 11
