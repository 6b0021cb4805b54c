"""How many threads a piece of work is worth."""

from collections.abc import Iterator
from contextlib import contextmanager

import torch

PARALLEL_ABOVE = 20_000_000
"""Products of numbers below which a second thread costs more in waiting than it gains in work.

On a busy machine threads that wait for each other at every small step are slower than one by a factor of 100.
Results do not depend on it.
"""


@contextmanager
def threads_for(work: int) -> Iterator[None]:
    """Compute on one thread where there is little to do, else on as many as torch is set to use."""
    threads = torch.get_num_threads()
    if threads == 1 or work > PARALLEL_ABOVE:
        yield
        return
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(threads)
