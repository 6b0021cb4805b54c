"""How many threads a piece of work is worth."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager

import torch

PARALLEL_ABOVE = 20_000_000
"""Products of numbers below which a second thread costs more in waiting than it gains in work.

On a busy machine threads that wait for each other at every small step are slower than one by a factor of 100.
Results do not depend on it: what is computed on several threads is first compared with what one gives.
"""


def threads_worth(work: int) -> int:
    """Return one where there is little to do, else as many threads as torch is set to use."""
    return torch.get_num_threads() if work > PARALLEL_ABOVE else 1


@contextmanager
def on_threads(count: int) -> Iterator[None]:
    """Compute on so many threads."""
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
    """Compute on as many threads as the work is worth."""
    return on_threads(threads_worth(work))
