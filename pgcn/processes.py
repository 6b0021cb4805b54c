"""Runs divided among processes of this machine.

A run spends much of its time between small products, where threads of one process wait for each other; processes
do not.
"""

import multiprocessing
import queue
import signal
from collections.abc import Callable, Iterator, Sequence

import torch

from pgcn.errors import PgcnError
from pgcn.graph import Graph
from pgcn.options import Config
from pgcn.runs import Step

Work = Callable[[Graph, Sequence[Config], int], Iterator[Step]]
"""A function of this package that yields the steps of runs: (graph, configs, report_every)."""


def in_processes(
    work: Work, graph: Graph, configs: Sequence[Config], report_every: int, workers: int
) -> Iterator[Step]:
    """Yield the steps of all runs as they come, each run's in order; one process works on every n-th run."""
    if workers == 1:
        yield from work(graph, configs, report_every)
        return
    context = multiprocessing.get_context("spawn")
    steps = context.Queue()
    threads = max(1, torch.get_num_threads() // workers)
    crew = [
        context.Process(
            target=_carry_out,
            args=(
                work,
                graph,
                list(configs),
                range(first, len(configs), workers),
                report_every,
                threads,
                steps,
            ),
            daemon=True,
        )
        for first in range(workers)
    ]
    try:
        for process in crew:
            process.start()
        at_work = len(crew)
        while at_work:
            _check(crew)
            try:
                kind, *said = steps.get(timeout=1)
            except queue.Empty:
                continue
            if kind == "step":
                run, event, weights = said
                yield (
                    run,
                    event,
                    weights and {name: torch.from_numpy(array) for name, array in weights.items()},
                )
            elif kind == "error":
                raise said[0]
            else:
                at_work -= 1
    finally:
        for process in crew:
            process.terminate() if process.is_alive() else None
        steps.close()


def _check(crew: list) -> None:
    for process in crew:
        if process.exitcode not in (None, 0):
            raise PgcnError(
                f"A worker process ended with code {process.exitcode}, perhaps for lack of memory. "
                "Try fewer workers or runs."
            )


def _carry_out(work: Work, graph, configs, runs: range, report_every: int, threads: int, steps) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that waits; it ends this one.
    torch.set_num_threads(threads)
    try:
        for share, event, weights in work(graph, [configs[run] for run in runs], report_every):
            # As plain arrays: torch would send every tensor as an open file.
            arrays = weights and {name: tensor.cpu().numpy() for name, tensor in weights.items()}
            steps.put(("step", runs[share], event, arrays))
    except Exception as error:  # passed on whole: the waiting process raises it
        steps.put(("error", error))
    steps.put(("end",))
