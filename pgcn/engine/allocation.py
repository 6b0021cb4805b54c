"""Where memory runs out, a sentence instead of what the allocator says."""

from collections.abc import Iterator
from contextlib import contextmanager

from pgcn.errors import PgcnError

SIGNS = (
    "can't allocate memory",
    "not enough memory",
    "cannot allocate memory",
    "out of memory",
    "invalid buffer size",
)
"""What torch says, on a CPU and elsewhere; it has no error of its own for the CPU."""


@contextmanager
def allocation_in_words() -> Iterator[None]:
    """Turn an allocation that fails into a :class:`pgcn.errors.PgcnError`."""
    try:
        yield
    except MemoryError as error:
        raise out_of_memory() from error
    except RuntimeError as error:
        if any(sign in str(error).lower() for sign in SIGNS):
            raise out_of_memory() from error
        raise


def out_of_memory() -> PgcnError:
    return PgcnError("Out of memory. Choose narrower layers, fewer runs at a time or a smaller graph.")
