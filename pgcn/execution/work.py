"""What a job carries out: an iterator of events that can be cancelled."""

from collections.abc import Callable, Sequence
from typing import Protocol

from pgcn.events import RunEvent


class Work(Protocol):
    """What a job carries out: an iterator of events that can be cancelled, such as :class:`pgcn.methods.run.Runs`.

    It may return None for "nothing has happened yet", so that the job can be cancelled while it waits. Work that
    asks a person has a ``question``, None while it does not, and a method ``decide``.
    """

    def __next__(self) -> RunEvent | None: ...
    def cancel(self, reason: str, *, status: str = "cancelled") -> Sequence[RunEvent]: ...


class JobStopped(Exception):
    """Raised inside the work of a job that was told to stop, where the work says what it is doing."""


Start = Callable[[Callable[[str], None]], Work]
"""Called in the worker with a function that takes what is being done, in words; returns the work.

That function raises :class:`JobStopped` once the job is to stop: long computations call it now and then.
"""
