"""How many threads a computation should use."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager

import torch

PARALLEL_ABOVE = 20_000_000
"""Multiplications below which a second thread costs more in waiting than it saves.

On a busy machine threads that wait for each other at every small step can be 100 times slower than one. Results do
not depend on it: what several threads compute is first compared with what one computes.
"""


def threads_worth(work: int) -> int:
    """Return 1 for little work, otherwise the number of threads torch is set to use."""
    return torch.get_num_threads() if work > PARALLEL_ABOVE else 1


@contextmanager
def on_threads(count: int) -> Iterator[None]:
    """Compute on this number of threads."""
    before = torch.get_num_threads()
    if count == before:
        yield
        return
    torch.set_num_threads(count)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def threads_for(work: int) -> AbstractContextManager[None]:
    """Compute on the number of threads that suits the work, counted in multiplications."""
    return on_threads(threads_worth(work))
