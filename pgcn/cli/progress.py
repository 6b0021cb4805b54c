"""Showing a transfer or a long piece of work on the terminal."""

from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TaskID, TextColumn, TransferSpeedColumn


@contextmanager
def transfer_progress(console: Console) -> Iterator:
    """Yield the callable (description, done_bytes, total_bytes) that loaders report their downloads to.

    Nothing is drawn before the first report: mostly there is nothing to fetch.
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
