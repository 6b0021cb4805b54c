"""Runs divided among processes are the runs they would be in one, and nothing is left behind when they end."""

import multiprocessing
import os
import signal
import subprocess
import sys
import tempfile

import psutil
import pytest
import torch
from tools import start_pgcn, wait_until, workers_of

from pgcn.cli import main
from pgcn.errors import ConfigError, PgcnError
from pgcn.execution.start import grow_many
from pgcn.methods.pgcn import growth_preset
from pgcn.temporary import FETCHING, LOAD, WORK, remove_abandoned, temporary_folder

QUICK = {"epochs": 10, "max_width": 10, "max_layers": 2}


def workers():
    return multiprocessing.active_children()


def test_two_processes_give_what_one_gives(cora):
    configs = [growth_preset(seed=seed, **QUICK) for seed in range(3)]
    divided, whole = grow_many(cora, configs, workers=2).finish(), grow_many(cora, configs).finish()
    for left, right in zip(divided, whole, strict=True):
        assert left.config == right.config and left.topology == right.topology and left.scores == right.scores
        assert [type(event) for event in left.events] == [type(event) for event in right.events]
        weights = left.model.state_dict(), right.model.state_dict()
        assert all(torch.equal(weights[0][name], weights[1][name]) for name in weights[1])
    wait_until(lambda: not workers())


def test_stopping_early_ends_the_processes(cora):
    runs = grow_many(cora, [growth_preset(seed=seed, epochs=100_000) for seed in range(2)], workers=2)
    assert runs.started(0) and runs.started(1) and workers()
    assert [said.event.status for said in runs.cancel()] == ["cancelled"] * 2
    wait_until(lambda: not workers())


def test_workers_end_with_a_parent_that_is_killed_and_what_is_left_is_removed_by_the_next(tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    parent = start_pgcn(None, "grow", "--dataset", "synthetic", "--runs", "2", "--set", "epochs=1000000", "--json")
    assert parent.stdout.readline()  # something has happened
    working = workers_of(psutil.Process(parent.pid))
    assert len(working) == 2
    (left,) = tmp_path.glob(f"{WORK}*")
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    with temporary_folder():
        assert left.exists()  # its process lives
    parent.kill()
    parent.wait()
    wait_until(lambda: not any(worker.is_running() for worker in working))
    parent.communicate()
    with temporary_folder() as own:
        wait_until(lambda: remove_abandoned() or not left.exists())
        assert own.exists()
    assert list(tmp_path.glob(f"{WORK}*")) == []


LEAVE = """
import os, sys
from pathlib import Path
from pgcn.temporary import temporary_folder
held = temporary_folder(sys.argv[1], Path(sys.argv[2]))
held.__enter__()
os._exit(9)
"""


@pytest.mark.parametrize("prefix", [WORK, LOAD, FETCHING])
def test_every_command_removes_what_killed_processes_left_behind(tmp_path, monkeypatch, prefix, capsys):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setenv("PGCN_DATA_DIR", str(tmp_path))
    with temporary_folder(prefix, tmp_path) as own:
        subprocess.run([sys.executable, "-c", LEAVE, prefix, str(tmp_path)], timeout=60)
        (left,) = set(tmp_path.glob(f"{prefix}*")) - {own}
        assert main(["settings"]) == 0
        assert own.exists() and not left.exists()


def test_a_worker_that_is_killed_is_reported_and_the_others_end(cora):
    runs = grow_many(cora, [growth_preset(seed=seed, epochs=100_000) for seed in range(2)], workers=2)
    next(runs)
    os.kill(workers()[0].pid, signal.SIGKILL)
    with pytest.raises(PgcnError, match="A worker process ended with code -9"):
        for _ in runs:
            pass
    wait_until(lambda: not workers())


def test_an_error_in_a_worker_is_raised_where_the_runs_are_asked_for(cora):
    configs = [growth_preset(seed=seed, device="cuda:99", **QUICK) for seed in range(2)]
    with pytest.raises(ConfigError, match="device 'cuda:99' cannot be used here"):
        grow_many(cora, configs, workers=2).finish()
