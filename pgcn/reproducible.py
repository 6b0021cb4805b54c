"""The reproducible mode: the same bits on every x86-64 CPU with AVX2.

A CPU's own instructions sum in their own order, and growth amplifies the last bit: one block more or less, another
topology. In this mode torch and the BLAS behind it use instructions that all these CPUs have, in one order and on
any number of threads. It costs time (``pgcn bench`` with and without says how much), so it is asked for:
``--reproducible``, ``PGCN_REPRODUCIBLE=1``, or ``reproducible=True`` where runs are started.

The promise is for one release of torch: another one may bring another BLAS. Standard library only; torch is asked
where it is there.
"""

import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from pgcn.errors import PgcnError

SETTING = "PGCN_REPRODUCIBLE"
ARITHMETIC = {"MKL_CBWR": "COMPATIBLE", "ATEN_CPU_CAPABILITY": "avx2"}
"""What torch and its BLAS read before they first compute: how to, not what this CPU could do."""
_lock = threading.Lock()


def is_on() -> bool:
    """Return whether this process computes reproducibly; raise where that was asked for too late."""
    if not _asked_for():
        return False
    switch_on()
    return True


def switch_on() -> None:
    """Have this process, and those it starts, compute reproducibly; torch must not have been imported yet."""
    if "torch" in sys.modules and not _arithmetic_is_set():
        raise PgcnError(
            "The reproducible mode came too late: torch had been imported, and it reads how to compute when it "
            "starts. Import pgcn before torch, or hand reproducible=True to what starts the run."
        )
    os.environ.update({SETTING: "1", **ARITHMETIC})


def follow_environment() -> None:
    """Switch the mode on if the environment asks for it; where that is too late, :func:`is_on` will say so."""
    if _asked_for() and "torch" not in sys.modules:
        switch_on()


@contextmanager
def for_new_processes() -> Iterator[None]:
    """Have the processes started within compute reproducibly, whatever this one does, which must have torch."""
    _settle()
    with _lock:
        before = {name: os.environ.get(name) for name in (SETTING, *ARITHMETIC)}
        os.environ.update({SETTING: "1", **ARITHMETIC})
        try:
            yield
        finally:
            for name, value in before.items():
                if value is None:
                    del os.environ[name]
                else:
                    os.environ[name] = value


def obstacle() -> str | None:
    """Return why the mode promises nothing on this machine, None where it does. Imports torch."""
    import torch

    if not torch.backends.mkl.is_available():
        return "this build of torch has no MKL, whose order of sums the mode fixes (it comes with x86-64)"
    capability = torch.backends.cpu.get_cpu_capability()
    if capability != "AVX2":
        return f"this CPU has no AVX2 (torch uses {capability})"
    return None


def _asked_for() -> bool:
    return os.environ.get(SETTING, "").strip().lower() in ("1", "true", "yes", "on")


def _arithmetic_is_set() -> bool:
    return all(os.environ.get(name) == value for name, value in ARITHMETIC.items())


def _settle() -> None:
    """Have torch and its BLAS read how this process computes, before that is changed for others."""
    import torch

    torch.backends.cpu.get_cpu_capability()
    torch.ones(32, 32) @ torch.ones(32, 32)
