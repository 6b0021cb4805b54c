"""A study under way: results are kept as they come, whoever carries the tasks out and whatever dies."""

import multiprocessing
import re
import signal
import socket
import subprocess
import sys
import time

import psutil
import pytest
from small_study import GROWTH, SET, small, table
from tools import start_pgcn, wait_until

from pgcn.errors import PgcnError
from pgcn.events import RunFinished
from pgcn.execution.pool import cluster, processes
from pgcn.store import Store
from pgcn.studies.difficulty import Study
from pgcn.studies.results import Results, divergences, stored_outcomes
from pgcn.studies.running import StudyRun
from pgcn.studies.tasks import carry_out


def test_a_study_is_kept_and_asked_for_twice_is_read(done):
    again = StudyRun([small()], done)
    assert again.missing == [] and list(again) == []
    outcomes = stored_outcomes(small(), done)
    assert len(outcomes) == 20 and all(one.test_accuracy > 0 for one in outcomes)
    pgcn = next(one for one in outcomes if one.method == "pgcn-ce")
    run = done.run(pgcn.run)
    assert run.topology == done.model(run.id).architecture.widths == pgcn.topology
    assert isinstance(done.events(run.id)[-1], RunFinished) and "D' = 5" in run.name
    matched = next(one for one in outcomes if one.method == "same-topology")
    assert matched.topology == pgcn.topology and matched.parameters == pgcn.parameters


def test_a_deleted_run_is_missing_and_comes_back_the_same(done):
    before = stored_outcomes(small(), done)
    done.delete(before[0].run)
    run = StudyRun([small()], done)
    assert [task.id for task in run.missing] == [before[0].run]
    assert len([said for said in run if said is not None]) == 1
    after = stored_outcomes(small(), done)
    assert [(one.run, one.test_accuracy, one.topology) for one in before] == [
        (one.run, one.test_accuracy, one.topology) for one in after
    ]


def test_a_worker_that_dies_loses_nothing(tmp_path, done):
    store = Store(f"sqlite:///{tmp_path / 'runs.db'}")
    run = StudyRun([small()], store, lambda: processes(2))
    killed = False
    for said in run:
        if said is not None and not killed:
            victims = [child for child in psutil.Process().children() if "spawn_main" in " ".join(child.cmdline())]
            victims[0].kill()
            killed = True
    assert killed and table(store, small()) == table(done, small())
    store.close()


def test_a_study_that_is_stopped_ends_at_once_and_keeps_what_it_has(tmp_path):
    store = Store(f"sqlite:///{tmp_path / 'runs.db'}")
    study = small(growth=GROWTH.change(epochs=100_000), methods=("gcn", "pgcn-ce"))
    run = StudyRun([study], store)
    wait_until(lambda: next(run) is not None, 60)  # a GCN has ended, PGCN would take for ever
    workers = [child for child in psutil.Process().children() if "spawn_main" in " ".join(child.cmdline())]
    started = time.monotonic()
    run.cancel()
    assert time.monotonic() - started < 0.5
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
    again = start_pgcn(None, *arguments, "--json", PGCN_STORE=url)
    out, err = again.communicate(timeout=120)
    assert again.returncode == 0, err
    assert f"{len(before)} of 8 runs are kept already" in err
    assert len(out.splitlines()) == 8
    after = {run.id: run.created for run in store.runs()}
    assert before.items() <= after.items() and len(after) == 8
    store.close()


def test_a_run_that_diverges_does_not_stop_those_that_were_to_match_it(tmp_path):
    store = Store(f"sqlite:///{tmp_path / 'runs.db'}")
    study = small(growth=GROWTH.change(learning_rate=1e30), dims=(5,), experiments=1)
    ended = [said.event for said in StudyRun([study], store) if said is not None]
    assert len(ended) == 5
    outcomes = {one.method: one for one in stored_outcomes(study, store)}
    for method in ("pgcn-ce", "matched-gcn", "same-topology"):
        assert outcomes[method].status == "failed" and outcomes[method].topology == ()
    assert outcomes["gcn"].status == "finished"
    assert "Nothing to match: PGCN (CE) diverged." in store.events(outcomes["matched-gcn"].run)[-1].reason
    assert "matched GCN diverged in 1 run at D' = 5" in " ".join(divergences(Results(outcomes.values())))
    assert StudyRun([study], store).missing == []  # it is not tried for ever
    store.close()


def test_a_study_fetches_its_data_once_before_processes_want_it(tmp_path, monkeypatch):
    """Also where the number of processes is given, as on the command line."""
    asked = []

    def obtain(name, folder):
        asked.append((name, folder))
        raise PgcnError("no network")

    monkeypatch.setattr("pgcn.studies.running.obtain", obtain)
    store = Store(f"sqlite:///{tmp_path / 'runs.db'}")
    study = Study(dataset="cora", dims=(10,), experiments=1)
    run = StudyRun([study], store, lambda: processes(2), data_dir=str(tmp_path))
    with pytest.raises(PgcnError, match="no network"):
        next(run)
    run.close()
    assert asked == [("cora", str(tmp_path))]
    store.close()


def test_workers_look_for_data_where_they_are_told_to(tmp_path):
    """A folder with a damaged file: the worker's error names it, whatever its own environment says."""
    damaged = tmp_path / "Cora" / "raw" / "ind.cora.x"
    damaged.parent.mkdir(parents=True)
    damaged.write_bytes(b"not a data set")
    task = Study(dataset="cora", dims=(10,), experiments=1).tasks()[0]
    crew = processes(1)
    with pytest.raises(PgcnError, match=re.escape(str(tmp_path))):
        crew.executor.submit(carry_out, task, None, str(tmp_path)).result()
    crew.dismiss()


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
    yield address, workers
    for process in started:
        process.kill()
        process.wait()


@pytest.mark.slow
def test_a_dask_cluster_gives_the_same_table_also_when_a_worker_is_killed(tmp_path, done, dask):
    address, workers = dask
    wait_until(lambda: cluster_size(address) == 2, 60)
    store = Store(f"sqlite:///{tmp_path / 'runs.db'}")
    run = StudyRun([small()], store, lambda: cluster(address))
    ended = 0
    for said in run:
        ended += said is not None
        if ended == 5 and workers[0].poll() is None:
            assert run.size == 2  # what the time left is estimated with
            workers[0].kill()
            workers[0].wait()
    assert workers[1].poll() is None
    assert table(store, small()) == table(done, small())
    store.close()


def answers(port):
    with socket.socket() as caller:
        return caller.connect_ex(("127.0.0.1", port)) == 0


def cluster_size(address):
    try:
        crew = cluster(address)
    except PgcnError:
        return 0
    crew.dismiss()
    return crew.size


def test_a_scheduler_that_does_not_answer_is_said_soon():
    started = time.monotonic()
    with pytest.raises(PgcnError, match=r"No Dask scheduler answered at tcp://127\.0\.0\.1:9"):
        cluster("tcp://127.0.0.1:9")
    assert time.monotonic() - started < 15
