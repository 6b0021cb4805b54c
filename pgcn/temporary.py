"""Temporary folders that do not outlive their process, however that ends.

A folder is locked while its process lives. A process that is killed leaves its folder behind without the lock, and
the next one removes it: whoever makes a folder, every command and every server. Standard library only.
"""

import contextlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

try:
    import fcntl
except ImportError:  # Windows: nothing is removed but what ends properly
    fcntl = None  # type: ignore[assignment]

PREFIXES = WORK, LOAD, FETCHING = "pgcn-work-", "pgcn-load-", ".fetching-"
"""How names begin: of folders of processes that share work, of a server under load, of a data set that comes."""


@contextlib.contextmanager
def temporary_folder(prefix: str = WORK, within: Path | None = None) -> Iterator[Path]:
    """Give a folder of one's own; it is gone afterwards."""
    remove_abandoned(*([] if within is None else [within]))
    with tempfile.TemporaryDirectory(prefix=prefix, dir=within, ignore_cleanup_errors=True) as name:
        folder = Path(name)
        with (folder / "lock.new").open("w") as lock:
            if fcntl:
                fcntl.flock(lock, fcntl.LOCK_EX)
            (folder / "lock.new").rename(folder / "lock")  # nobody sees it before it is locked
            yield folder


def remove_abandoned(*others: Path) -> None:
    """Remove the folders of processes that are gone: where temporary folders are, data directories, and others."""
    if not fcntl:
        return
    places = {Path(tempfile.gettempdir()), *others}
    with contextlib.suppress(RuntimeError):  # of a ~user that there is not
        places.add(Path(os.environ.get("PGCN_DATA_DIR") or tempfile.gettempdir()).expanduser())
    for folder in (found for place in places for prefix in PREFIXES for found in within(place, prefix)):
        # An error says that it is somebody else's, still locked, or was removed in the meantime.
        with contextlib.suppress(OSError), (folder / "lock").open("r+") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(folder, ignore_errors=True)


def within(place: Path, prefix: str) -> list[Path]:
    """Return the folders of a place whose names begin so; none of a place that cannot be read."""
    try:
        return sorted(place.glob(f"{prefix}*"))
    except OSError:
        return []
