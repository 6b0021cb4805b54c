"""Where a worker puts a run that has ended while others of its task go on. No torch."""

import contextlib
import itertools
import os
import pickle
import uuid
from pathlib import Path
from typing import Any, Protocol

from pgcn.temporary import temporary_folder


class Mailbox(Protocol):
    """A way from workers to whoever waits for them; it can be sent to a worker."""

    def put(self, message: Any) -> None:
        """Leave a message; it can be read when this returns."""

    def first(self) -> Any | None:
        """Return the oldest message, None where there is none; it stays until it is dropped."""

    def drop(self) -> None:
        """Remove the message that was read last."""

    def close(self) -> None:
        """Do away with the mailbox and all that was not read."""


class FolderMailbox:
    """A mailbox for workers on this machine: a folder with a file for every message.

    A file has its name only when it is complete: a worker that is killed leaves neither half a message nor a lock.
    The folder is made when it is first needed.
    """

    def __init__(self) -> None:
        self._resources = contextlib.ExitStack()
        self._folder: Path | None = None
        self._read: Path | None = None

    @property
    def folder(self) -> Path:
        if self._folder is None:
            self._folder = self._resources.enter_context(temporary_folder())
        return self._folder

    def __getstate__(self) -> dict[str, Any]:
        return {"_folder": self.folder}  # a worker writes there and is not to remove it

    def put(self, message: Any) -> None:
        part = self.folder / f"{uuid.uuid4().hex}.part"
        part.write_bytes(pickle.dumps(message))
        part.rename(self.folder / f"{next(NUMBERS):09d}-{os.getpid()}.message")

    def first(self) -> Any | None:
        self._read = self._folder and min(self._folder.glob("*.message"), default=None)
        return self._read and pickle.loads(self._read.read_bytes())

    def drop(self) -> None:
        if self._read is not None:
            self._read.unlink(missing_ok=True)
            self._read = None

    def close(self) -> None:
        self._resources.close()


NUMBERS = itertools.count()
"""Of the messages of this process."""


class DaskMailbox:
    """A mailbox for the workers of a Dask cluster: a queue that its scheduler holds."""

    def __init__(self, client) -> None:
        self.name = f"pgcn-{uuid.uuid4().hex}"
        self._client = client
        self._read: Any | None = None

    def __getstate__(self) -> dict[str, Any]:
        return {"name": self.name, "_client": None}  # a worker has a client of its own

    @property
    def _queue(self):
        from distributed import Queue

        return Queue(self.name, client=self._client)

    def put(self, message: Any) -> None:
        self._queue.put(pickle.dumps(message))

    def first(self) -> Any | None:
        if self._read is None and self._client is not None and self._queue.qsize():
            self._read = pickle.loads(self._queue.get())
        return self._read

    def drop(self) -> None:
        self._read = None

    def close(self) -> None:
        if self._client is not None:
            with contextlib.suppress(OSError):  # of a scheduler that is gone
                self._queue.close()
            self._client = None
