"""Two hosts share a store: by its lease alone each knows whether the other still works on a run."""

import subprocess
import sys

import pytest
from comparison import same, state, timeless
from interruption import RUN, SPEC
from tools import ROOT, wait_until

from pgcn.execution.execute import execute
from pgcn.execution.recorder import stored_model

LONG = SPEC.with_config(epochs=600, epsilon_b=-1.0, epsilon_l=-1.0)
HOST = ("unshare", "--uts", "--pid", "--fork", "--mount-proc", "--kill-child")
NAMED = ("sh", "-c", 'hostname "$0" && exec "$@"')
WORK = """
import interruption, test_hosts
from pgcn.execution.execute import execute
from pgcn.store import Store

execute([test_hosts.LONG], Store(), ids=[interruption.RUN]).finish()
"""
TAKE_OVER = """
import os, socket, sys, time
import interruption
from pgcn.errors import StoreError
from pgcn.execution.execute import resume_execution
from pgcn.store import Store

store = Store()
print(socket.gethostname(), os.getpid(), flush=True)
sys.stdin.readline()
while True:
    try:
        resume_execution(store, interruption.RUN).finish()
        break
    except StoreError as error:
        print(error, flush=True)
        time.sleep(0.1)
"""


@pytest.fixture(scope="module")
def host():
    """Return the beginning of a command that runs on a host of its own, as in a container: a name and numbers of
    processes that belong to no other. Skip where that is not permitted."""
    for how in (HOST, (*HOST, "--user", "--map-root-user")):
        try:
            done = subprocess.run([*how, *NAMED, "somewhere", "true"], capture_output=True, text=True, timeout=20)
        except FileNotFoundError:
            pytest.skip("two hosts need unshare, of Linux")
        if done.returncode == 0:
            return (*how, *NAMED)
    pytest.skip(f"two hosts need namespaces, which are not permitted here: {done.stderr.strip()}")


@pytest.mark.parametrize(
    "names", [("worker", "worker"), pytest.param(("alpha", "beta"), marks=pytest.mark.slow)], ids="-".join
)
def test_a_run_is_taken_over_from_a_host_that_was_killed_and_never_from_one_that_lives(
    store, url, host, names, monkeypatch
):
    monkeypatch.setenv("PGCN_STORE", url)
    monkeypatch.setenv("PYTHONPATH", ":".join(map(str, (ROOT, ROOT / "tests", ROOT / "tests" / "store"))))
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    work, take_over = ([*host, name, sys.executable, "-c"] for name in names)
    with (
        subprocess.Popen([*take_over, TAKE_OVER], **pipes) as second,
        subprocess.Popen([*work, WORK], **pipes) as first,
    ):
        try:
            assert second.stdout.readline() == f"{names[1]} 1\n"
            wait_until(lambda: store.find([RUN]) and store.run(RUN).step, 60)
            second.stdin.write("now\n")
            second.stdin.flush()
            assert "is running; only one that was interrupted" in second.stdout.readline()
            first.kill()
            _, error = second.communicate(timeout=120)
        finally:
            first.kill()
            second.kill()
    assert second.returncode == 0, error
    (whole,) = execute([LONG]).finish()
    assert timeless(store.events(RUN)) == timeless(whole.events) and store.run(RUN).status == "finished"
    assert same(state(stored_model(store, RUN)), state(whole.model))
