"""Who carries the tasks of a study out: processes of this machine, or a Dask cluster.

Both are behind the interface of ``concurrent.futures.Executor``.
"""

import multiprocessing
import os
from collections.abc import Callable
from concurrent.futures import Executor, ProcessPoolExecutor
from dataclasses import dataclass

from pgcn.errors import PgcnError
from pgcn.execution.worker import begin_worker

CONNECT_SECONDS = 5


@dataclass(frozen=True, kw_only=True)
class Crew:
    """An executor, how many tasks it can do at a time, and how to dismiss it, with what is under way cancelled.

    ``local`` says that its workers are processes of this machine.
    """

    executor: Executor
    size: int
    dismiss: Callable[[], None]
    local: bool


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


def processes(workers: int | None = None, *, reproducibly: bool = False) -> Crew:
    """Return as many processes as there are cores, or as asked for."""
    if workers is not None and workers < 1:
        raise PgcnError(f"workers must be at least 1, got {workers}.")
    size = workers or os.cpu_count() or 1
    context = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(size, mp_context=context, initializer=prepare_worker, initargs=(reproducibly,))

    def dismiss() -> None:
        workers = list((pool._processes or {}).values())  # Python 3.14 has terminate_workers() for this.
        pool.shutdown(wait=False, cancel_futures=True)
        for worker in workers:
            worker.terminate()

    return Crew(executor=pool, size=size, dismiss=dismiss, local=True)


def cluster(address: str) -> Crew:
    """Return the workers of a Dask scheduler, such as ``tcp://host:8786``. They need this package and the data.

    Runs that must be reproducible need workers that were started so, with PGCN_REPRODUCIBLE=1; others refuse them.
    """
    try:
        from distributed import Client, WorkerPlugin
    except ImportError as error:
        raise PgcnError("A cluster needs the package distributed: pip install 'pgcn[cluster]'.") from error
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

    def dismiss() -> None:
        pool.shutdown(wait=False)  # what waits is called off; what a worker is at, it ends for nothing
        client.close()

    return Crew(executor=pool, size=size, dismiss=dismiss, local=False)
