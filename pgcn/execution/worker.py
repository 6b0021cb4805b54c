"""What every worker process does first."""

import multiprocessing
import os
import signal
import threading
from multiprocessing.connection import wait

from pgcn import reproducible


def begin_worker(*, reproducibly: bool) -> None:
    """Make a new process a worker: it obeys its parent and computes as asked."""
    obey_parent()
    if reproducibly:
        reproducible.switch_on()


def obey_parent() -> None:
    """Leave Ctrl-C to the process that waits for this one, and end with it, also when it is killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
    os._exit(1)
