"""Showing a transfer or a long piece of work on the terminal."""

from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TransferSpeedColumn


@contextmanager
def transfer_progress(console: Console) -> Iterator:
    """Yield the callable (description, done_bytes, total_bytes) that loaders report their downloads to."""
    with Progress(
        TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TransferSpeedColumn(),
        console=console, transient=True,
    ) as progress:  # fmt: skip
        tasks: dict[str, int] = {}

        def report(description: str, done: int, total: int | None) -> None:
            if description not in tasks:
                tasks[description] = progress.add_task(description)
            progress.update(tasks[description], completed=done, total=total)

        yield report
