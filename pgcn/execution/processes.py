"""Runs divided among processes of this machine.

A run spends much of its time between small products, where threads of one process wait for each other; processes
do not.
"""

import multiprocessing
import pickle
import queue
from collections.abc import Callable, Generator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from pathlib import Path

import torch

from pgcn import reproducible
from pgcn.config import RunConfig
from pgcn.errors import PgcnError
from pgcn.execution.worker import begin_worker
from pgcn.graph import Graph
from pgcn.methods.network import Network
from pgcn.methods.run import RunStep
from pgcn.temporary import temporary_folder

Work = Callable[[Graph, Sequence[RunConfig], int], Generator[RunStep | None, str | None]]
"""A function of this package that yields the steps of runs: (graph, configs, report_every)."""

MOMENT = 0.2
"""Seconds to wait for a step."""
AHEAD = 4
"""Steps of a run that its process may be ahead of whoever asks: a run that nobody asks of soon pauses."""


def in_processes(
    work: Work,
    graph: Graph,
    configs: Sequence[RunConfig],
    report_every: int,
    workers: int,
    *,
    reproducibly: bool | None = None,
) -> Generator[RunStep | None, str | None]:
    """Yield the steps of all runs as they come, each run's in order; one process works on every n-th run.

    None says that nothing has happened for a moment, so that whoever asks can cancel; what is sent then is a
    decision, passed on to the one process of a run that a person decides. Where runs are to be
    reproducible and this process is not, another one works on them, also where one would do.
    """
    reproducibly = reproducible.is_on() or bool(reproducibly)
    if workers == 1 and reproducibly == reproducible.is_on():
        yield from work(graph, configs, report_every)
        return
    context = multiprocessing.get_context("spawn")
    steps, decisions = context.Queue(AHEAD * len(configs)), context.Queue()
    threads = max(1, torch.get_num_threads() // workers)
    with temporary_folder() as folder:
        # By a file: to hand it to a process directly is to wait until that process has imported torch to read it.
        order = folder / "order"
        order.write_bytes(pickle.dumps((work, graph, list(configs))))
        processes = [
            context.Process(
                target=_run_share,
                args=(
                    order,
                    range(first, len(configs), workers),
                    report_every,
                    threads,
                    (steps, decisions),
                    reproducibly,
                ),
                daemon=True,
            )
            for first in range(workers)
        ]
        how = reproducible.for_new_processes() if reproducibly else nullcontext()
        yield from _collect(processes, (steps, decisions), how)


def _collect(
    processes: list, queues: tuple, start: AbstractContextManager
) -> Generator[RunStep | None, str | None]:
    """Start the processes as told, yield what they send, and end them, however this ends."""
    steps, decisions = queues
    try:
        with start:
            for process in processes:
                process.start()
        running = len(processes)
        while running:
            _check(processes)
            try:
                kind, *message = steps.get(timeout=MOMENT)
            except queue.Empty:
                decision = yield None
                if decision is not None:
                    decisions.put(decision)
                    yield None  # to whoever sent it
                continue
            if kind == "step":
                run, event, network = message
                yield run, event, network and with_weights(network, torch.from_numpy)
            elif kind == "error":
                raise message[0]
            else:
                running -= 1
    finally:
        for process in processes:
            process.terminate() if process.is_alive() else None
        steps.close()
        decisions.close()


def _check(processes: list) -> None:
    for process in processes:
        if process.exitcode not in (None, 0):
            raise PgcnError(
                f"A worker process ended with code {process.exitcode}, perhaps out of memory. "
                "Try fewer workers or runs."
            )


def with_weights(network: Network, convert: Callable) -> Network:
    """Return a network with every weight converted."""
    return replace(network, weights={name: convert(weight) for name, weight in network.weights.items()})


def _run_share(
    order: Path, runs: range, report_every: int, threads: int, queues: tuple, reproducibly: bool
) -> None:
    steps, decisions = queues
    begin_worker(reproducibly=reproducibly)
    torch.set_num_threads(threads)
    try:
        work, graph, configs = pickle.loads(order.read_bytes())
        happening = work(graph, [configs[run] for run in runs], report_every)
        for step in happening:
            while step is None:  # a person is asked
                step = happening.send(decisions.get())
            share, event, network = step
            # As plain arrays: torch would send every tensor as an open file.
            sent = network and with_weights(network, lambda tensor: tensor.cpu().numpy())
            steps.put(("step", runs[share], event, sent))
    except Exception as error:  # passed on whole: the waiting process raises it
        steps.put(("error", error))
    steps.put(("end",))
