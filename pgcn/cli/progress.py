"""Progress bars: of a download, and of many runs."""

from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import (
    BarColumn,
    DownloadColumn,
    MofNCompleteColumn,
    Progress,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
    TransferSpeedColumn,
)


@contextmanager
def transfer_progress(console: Console) -> Iterator:
    """Yield the callable (description, done_bytes, total_bytes) that loaders report their downloads to.

    Nothing is drawn before the first report: mostly there is nothing to download.
    """
    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TransferSpeedColumn())
    progress = Progress(*columns, console=console, transient=True)
    tasks: dict[str, TaskID] = {}

    def report(description: str, done: int, total: int | None) -> None:
        progress.start()
        if description not in tasks:
            tasks[description] = progress.add_task(description, total=total)
        progress.update(tasks[description], completed=done, total=total)

    try:
        yield report
    finally:
        if tasks:
            progress.stop()


def runs_progress(console: Console) -> Progress:
    """Return a bar that counts finished runs; it disappears at the end."""
    columns = (*Progress.get_default_columns()[:2], MofNCompleteColumn(), TimeElapsedColumn())
    return Progress(*columns, console=console, transient=True)
