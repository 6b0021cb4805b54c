"""What several tests need: a command line of its own, and waiting for a fact."""

import os
import signal
import subprocess
import sys
import time


def wait_until(fact, seconds=20):
    deadline = time.monotonic() + seconds
    while not fact():
        assert time.monotonic() < deadline, "it did not come to pass"
        time.sleep(0.005)


def start_pgcn(data_dir, *arguments, **environment):
    """Start ``pgcn`` as a process of its own, with its output piped."""
    if data_dir is not None:
        environment["PGCN_DATA_DIR"] = str(data_dir)
    return subprocess.Popen(
        [sys.executable, "-m", "pgcn", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | environment,
        # A shell that runs the tests in the background has them ignore Ctrl-C, and so would this process.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
