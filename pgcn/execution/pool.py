"""Who carries the tasks of a study out: processes of this machine, or a Dask cluster.

Both are behind the interface of ``concurrent.futures.Executor``.
"""

import logging
import multiprocessing
import os
from collections.abc import Callable
from concurrent.futures import Executor, ProcessPoolExecutor
from dataclasses import dataclass, field

from pgcn.errors import PgcnError
from pgcn.execution.mailbox import DaskMailbox, FolderMailbox, Mailbox
from pgcn.execution.worker import begin_worker

CONNECT_SECONDS = 5
NOISY = ("distributed", "distributed.client", "tornado.application")
"""Loggers that print a traceback for every connection to a scheduler that is lost."""


@dataclass(frozen=True, kw_only=True)
class Pool:
    """An executor, how many tasks it can do at a time, and how to shut it down, with what is running cancelled.

    ``local`` says that its workers are processes of this machine; ``name`` is where they are. In the ``mailbox``
    they put what is to be known before a task has ended.
    """

    executor: Executor
    size: int
    shutdown: Callable[[], None]
    local: bool
    name: str
    mailbox: Mailbox = field(default_factory=FolderMailbox)


def prepare_worker(reproducibly: bool) -> None:
    """Make a process ready for tasks: one thread, since there is a process for every core; lower priority."""
    begin_worker(reproducibly=reproducibly)
    if hasattr(os, "setpriority"):
        os.setpriority(os.PRIO_PROCESS, 0, 5)
    _use_one_thread()


def _use_one_thread() -> None:
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    import torch

    torch.set_num_threads(1)


def processes(workers: int | None = None, *, reproducibly: bool = False) -> Pool:
    """Return as many processes as there are cores, or as asked for."""
    if workers is not None and workers < 1:
        raise PgcnError(f"workers must be at least 1, got {workers}.")
    size = workers or os.cpu_count() or 1
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(size, mp_context=context, initializer=prepare_worker, initargs=(reproducibly,))

    def shutdown() -> None:
        # A private attribute: only Python 3.14 has terminate_workers(). tests/studies/test_running.py would notice
        # its loss: a study that is stopped leaves no process behind.
        workers = list((pool._processes or {}).values())
        pool.shutdown(wait=False, cancel_futures=True)
        for worker in workers:
            worker.terminate()

    return Pool(executor=pool, size=size, shutdown=shutdown, local=True, name="this machine")


def cluster(address: str) -> Pool:
    """Return the workers of a Dask scheduler, such as ``tcp://host:8786``. They need this package and the data.

    Runs that must be reproducible need workers that were started so, with PGCN_REPRODUCIBLE=1; others refuse them.
    """
    try:
        from distributed import Client, WorkerPlugin
    except ImportError as error:
        raise PgcnError("A cluster needs the package distributed: pip install 'pgcn[cluster]'.") from error
    # A scheduler that is gone is a sentence of ours; what these loggers say of it fills the screen.
    for name in NOISY:
        logging.getLogger(name).setLevel(logging.CRITICAL)
    try:
        client = Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
    except (OSError, TimeoutError, ValueError) as error:
        raise PgcnError(
            f"No Dask scheduler answered at {address} within {CONNECT_SECONDS} seconds. Start one with "
            "'dask scheduler', workers with 'dask worker ADDRESS', and name its address, such as tcp://host:8786."
        ) from error
    size = sum(client.nthreads().values())
    if not size:
        client.close()
        raise PgcnError(f"The Dask scheduler at {address} has no workers. Start some with 'dask worker {address}'.")

    class OneThread(WorkerPlugin):
        def setup(self, worker) -> None:
            _use_one_thread()

    client.register_plugin(OneThread())
    pool = client.get_executor(pure=False)

    def shutdown() -> None:
        mailbox.close()
        pool.shutdown(wait=False)  # what waits is called off; what a worker is at, it ends for nothing
        client.close()

    mailbox = DaskMailbox(client)
    return Pool(executor=pool, size=size, shutdown=shutdown, local=False, name=address, mailbox=mailbox)
