"""What several tests need: a command line and a server of their own, and waiting for a fact."""

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

ROOT = Path(__file__).parents[1]


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


class Server:
    """A dashboard of its own: a real process with a store and a log of its own."""

    def __init__(self, folder, data_dir=None, *, script="app.py", **environment):
        self.folder, self.script = Path(folder), str(ROOT / script)
        self.log = self.folder / "server.log"
        self.store = f"sqlite:///{self.folder / 'runs.db'}"
        environment["PGCN_STORE"] = self.store
        if data_dir is not None:
            environment["PGCN_DATA_DIR"] = str(data_dir)
        self.environment = os.environ | environment
        with socket.socket() as free:
            free.bind(("localhost", 0))
            self.port = free.getsockname()[1]
        self.url = f"http://localhost:{self.port}"
        self.start()

    def start(self):
        command = ["streamlit", "run", self.script, "--server.headless", "true", "--server.fileWatcherType", "none"]
        with self.log.open("a") as log:
            self.started = time.monotonic()
            self.process = subprocess.Popen(
                [sys.executable, "-m", *command, "--server.port", str(self.port)],
                cwd=ROOT, env=self.environment, stdout=log, stderr=log,
            )  # fmt: skip

    def wait(self):
        wait_until(self.answers, 60)
        return self

    def answers(self):
        try:
            with urllib.request.urlopen(f"{self.url}/_stcore/health", timeout=5) as answer:
                return answer.status == 200
        except OSError:
            return False

    def kill(self):
        """End it as a power cut would."""
        self.process.kill()
        self.process.wait()

    close = kill  # nothing is lost by it, and it is quick
