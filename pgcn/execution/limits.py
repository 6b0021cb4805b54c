"""What one job, one visitor and all of them together may take of a server, and the sentences that say so. No torch.

=================== ======================================================== =========================
variable            what it limits                                           default
=================== ======================================================== =========================
PGCN_MAX_SECONDS    seconds of computing of a job; waiting is free           3600
PGCN_MAX_MEMORY     memory of a job, and of all together, such as 4G or 500M half of the machine's
PGCN_MAX_JOBS       jobs of a visitor that have not ended                    4
PGCN_MAX_QUEUE      jobs of all visitors that have not ended                 1000
PGCN_MAX_PAUSE      seconds after which a paused job is stopped              600
PGCN_GRACE          seconds until a job that nobody looks at is stopped      60
=================== ======================================================== =========================

A run that was stopped can be resumed from its last block.
"""

import math
import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pgcn.errors import ConfigError

UNITS = {"": 1, "K": 2**10, "M": 2**20, "G": 2**30, "T": 2**40}
CGROUP = Path("/sys/fs/cgroup/memory.max")


def machine_memory() -> int:
    """Return the bytes of memory of this machine, or of the container that this runs in."""
    try:
        machine = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, ValueError, OSError):  # not on every system
        machine = 8 * 2**30
    try:
        return min(machine, int(CGROUP.read_text()))
    except (OSError, ValueError):  # no container, or one without a limit
        return machine


@dataclass(frozen=True, kw_only=True)
class Limits:
    """What jobs may take; None is no limit."""

    seconds: float | None = 3600.0
    memory: int | None = field(default_factory=lambda: machine_memory() // 2)
    jobs: int | None = 4
    queue: int | None = 1000
    pause: float = 600.0
    grace: float = 60.0

    @classmethod
    def from_environment(cls, variables: Mapping[str, str] = os.environ) -> "Limits":
        """Return the limits that the variables set; one that cannot be read is an error."""
        readers: dict[str, tuple[str, Callable[[str, str], Any]]] = {
            "seconds": ("PGCN_MAX_SECONDS", read_seconds),
            "memory": ("PGCN_MAX_MEMORY", read_bytes),
            "jobs": ("PGCN_MAX_JOBS", read_count),
            "queue": ("PGCN_MAX_QUEUE", read_count),
            "pause": ("PGCN_MAX_PAUSE", read_seconds),
            "grace": ("PGCN_GRACE", read_seconds),
        }
        given: dict[str, Any] = {
            name: read(variable, variables[variable])
            for name, (variable, read) in readers.items()
            if variables.get(variable)
        }
        return cls(**given)

    def sentence(self) -> str:
        """Say what a visitor may take."""
        return (
            f"A job may compute for {duration_text(self.seconds)} and take {bytes_text(self.memory)} of memory; "
            f"{self.jobs} jobs at a time."
        )

    @property
    def used_up(self) -> str:
        return (
            f"Stopped after {duration_text(self.seconds)} of computing, the most that a job may take here "
            "(PGCN_MAX_SECONDS). Its progress is stored."
        )

    @property
    def paused_too_long(self) -> str:
        return f"Stopped because it was paused for {duration_text(self.pause)}. Its progress is stored."

    def too_large(self, needed: int) -> str:
        return (
            f"This would take about {bytes_text(needed)} of memory; a job may take {bytes_text(self.memory)} here "
            "(PGCN_MAX_MEMORY). Use a smaller graph, fewer nodes, fewer runs at a time or narrower layers."
        )

    @property
    def outgrown(self) -> str:
        return (
            f"Stopped because it would take more than {bytes_text(self.memory)} of memory, the most that a job may "
            "take here (PGCN_MAX_MEMORY). Its progress is stored."
        )

    @property
    def too_many(self) -> str:
        return (
            f"You have {self.jobs} jobs that wait, run or are paused, the most for one visitor (PGCN_MAX_JOBS). "
            "Stop one of them, or wait until one has ended."
        )

    @property
    def busy(self) -> str:
        return f"The server is busy: {self.queue:,} jobs are waiting or running. Try again in a few minutes."


def read_seconds(variable: str, text: str) -> float:
    """Return a positive number of seconds."""
    try:
        seconds = float(text)
    except ValueError:
        seconds = math.nan
    if not 0 < seconds < math.inf:
        raise ConfigError(f"{variable} must be a number of seconds above 0, got {text!r}.")
    return seconds


def read_count(variable: str, text: str) -> int:
    """Return a whole number above 0."""
    if not (text.isascii() and text.isdecimal() and 0 < len(text) < 10 and int(text)):
        raise ConfigError(f"{variable} must be a whole number from 1 to 999,999,999, got {text[:40]!r}.")
    return int(text)


def read_bytes(variable: str, text: str) -> int:
    """Return a number of bytes, written as 4G, 500M or in full."""
    found = re.fullmatch(r"([0-9]{1,15}(?:\.[0-9]{1,6})?)\s*([KMGT]?)i?B?", text.strip(), re.IGNORECASE)
    amount = round(float(found[1]) * UNITS[found[2].upper()]) if found else 0
    if amount < 1:
        raise ConfigError(f"{variable} must be an amount of memory such as 4G or 500M, got {text[:40]!r}.")
    return amount


def bytes_text(amount: int | None) -> str:
    """Return for example '1.5 GB'."""
    if amount is None:
        return "any amount"
    unit, name = (2**30, "GB") if amount >= 2**30 else (2**20, "MB")
    return f"{amount / unit:.{1 if name == 'GB' else 0}f} {name}"


def duration_text(seconds: float | None) -> str:
    """Return for example '60 minutes'."""
    if seconds is None:
        return "any time"
    return f"{seconds / 60:.0f} minutes" if seconds >= 120 else f"{seconds:g} seconds"
