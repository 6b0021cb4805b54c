"""A study under way: the runs that are missing are carried out by a pool of workers, and stored as they come."""

import contextlib
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Future, wait
from functools import partial
from importlib.metadata import version

from pgcn.data.files import FOLDERS
from pgcn.data.sources import obtain
from pgcn.errors import PgcnError
from pgcn.events import Event, RunEvent, RunFinished
from pgcn.execution.complete import CompletedRun, Ended, complete_runs, complete_search
from pgcn.execution.pool import Pool, processes
from pgcn.execution.spec import RunSpec
from pgcn.methods.registry import method_named
from pgcn.store import Store
from pgcn.store.patience import patiently
from pgcn.studies.outcomes import ENDED
from pgcn.studies.tasks import Study, StudyTask, divided

NEW_POOLS = 3
"""How often workers that died are replaced before the study ends with an error."""
PATIENCE = 0.1
"""Seconds after which whoever asks may think again."""


class StudyRun(Iterator[RunEvent | None]):
    """Work for a job, or to be iterated over: ``next`` returns the end of a run, or None if none ended meanwhile.

    ``tasks`` are all runs of the studies, ``missing`` those not stored yet; an event's ``run`` is the position of
    its task. A study that is stopped by any means resumes with what is missing when it is asked for again.
    """

    def __init__(
        self,
        studies: Sequence[Study],
        store: Store,
        open_pool: Callable[[], Pool] | None = None,
        *,
        data_dir: str | None = None,
        creator: str = "",
    ) -> None:
        """``open_pool`` finds who carries runs out: by default a process for every core.

        ``data_dir`` is where they look for data sets, on whatever machine they are; ``creator`` is who asks.
        """
        self.store, self.data_dir, self.creator = store, data_dir, creator
        self._open_pool = open_pool or partial(processes, reproducibly=any(study.reproducible for study in studies))
        self.tasks = sorted((task for study in studies for task in study.tasks()), key=lambda task: task.experiment)
        stored = store.find([task.id for task in self.tasks])
        self.missing = [task for task in self.tasks if not (task.id in stored and stored[task.id].status in ENDED)]
        self._waiting = divided(self.missing, 1)
        self._running: dict[Future, list[StudyTask]] = {}
        self._numbers = {task.id: number for number, task in enumerate(self.tasks)}
        self._saved: set[str] = set()
        self._unsaid: deque[RunEvent] = deque()
        self._pool: Pool | None = None
        self._pools = 0

    @property
    def size(self) -> int | None:
        """How many runs can be carried out at a time, None while nobody is there to do so."""
        return self._pool and self._pool.size

    def __next__(self) -> RunEvent | None:
        if self._unsaid:
            return self._unsaid.popleft()
        if not self._waiting and not self._running:  # a share is running until all that was sent of it is stored
            self.close()
            raise StopIteration
        try:
            ended = self._hand_out() or self._take_sent()
            if ended is not None:
                return ended
            done = wait(self._running, timeout=PATIENCE, return_when=FIRST_COMPLETED).done
            return self._take(next(iter(done))) if done else None
        except BrokenExecutor as error:
            self._replace_pool(error)
            return None
        except (CancelledError, OSError) as error:
            if self._pool is None or self._pool.local:
                raise
            name = self._pool.name
            self.close()
            raise PgcnError(
                f"The Dask scheduler at {name} no longer answers. What was finished is stored; the same "
                "command resumes with what is missing when there is a scheduler."
            ) from error

    def _hand_out(self) -> RunEvent | None:
        """Give the pool as much as it can do, and a little more so that no worker waits.

        The end of a run that has nothing to do is returned.
        """
        if self._pool is None:
            self._pool = self._open_pool()
            if self._pool.local:
                self._fetch_data()
            self._waiting = divided([task for share in self._waiting for task in share], self._pool.size)
        for share in list(self._waiting):
            if len(self._running) >= self._pool.size + 1:
                return None
            task = share[0]
            if not self._is_ready(task):
                continue
            before = None if task.needed is None else self._stored_events(task.needed.id)
            specs = {task.id: task.spec(before) for task in share}
            self._waiting.remove(share)
            if specs[task.id] is None:
                return self._save(task, CompletedRun(events=tuple(task.unmatched(before)), networks=()))
            self._running[self._submit(self._pool, specs, task)] = share
        return None

    def _submit(self, pool: Pool, specs: dict[str, RunSpec], task: StudyTask) -> Future:
        """Have a worker carry out runs of which ``task`` is the first; a search here is stored as it happens."""
        if pool.local and method_named(specs[task.id].method).searches:
            about = {"name": task.name, "batch": task.batch, "creator": self.creator}
            where = {"data_dir": self.data_dir, "store_url": self.store.url}
            return pool.executor.submit(complete_search, specs[task.id], task.id, **about, **where)
        where = {"data_dir": self.data_dir, "store_url": self.store.url if task.source.content else None}
        mailbox = pool.mailbox if len(specs) > 1 else None
        return pool.executor.submit(complete_runs, specs, mailbox, **where)

    def _stored_events(self, run: str) -> tuple[Event, ...]:
        return patiently(lambda: self.store.events(run))

    def _fetch_data(self) -> None:
        """Fetch data sets once, before several processes want them."""
        tasks = (task for share in self._waiting for task in share)
        named = {task.source.name for task in tasks if task.source.content is None}
        for name in named & FOLDERS.keys():
            obtain(name, self.data_dir)

    def _is_ready(self, task: StudyTask) -> bool:
        """Return whether the run that a task needs has ended."""
        pending = (other for share in (*self._waiting, *self._running.values()) for other in share)
        return task.needed is None or all(other.id != task.needed.id for other in pending)

    def _take_sent(self) -> RunEvent | None:
        """Store a run that a worker has sent while others of its share go on; it stays sent until it is stored."""
        if self._pool is None:
            return None
        sent: Ended | None = self._pool.mailbox.first()
        if sent is None:
            return None
        event = self._accept(*sent)
        self._pool.mailbox.drop()
        return event

    def _take(self, future: Future) -> RunEvent | None:
        """Store the run that a worker returned, after all that was sent before; a failed one says why."""
        self._unsaid.extend(self._save_sent())
        ended = future.result()  # raises what the worker raised
        [task, *_] = self._running.pop(future)
        if isinstance(ended, RunFinished):  # stored already
            self._saved.add(task.id)
            return RunEvent(run=self._numbers[task.id], event=ended)
        [last] = ended
        return self._accept(*last)

    def _accept(self, name: str, result: CompletedRun) -> RunEvent | None:
        """Store what a worker has carried out; a Dask worker that took over from another may send it again."""
        here, there = version("pgcn"), result.events[0].versions["pgcn"]
        if here != there:
            raise PgcnError(f"A worker has pgcn {there}, but this is pgcn {here}. Install the same on both.")
        return None if name in self._saved else self._save(self.tasks[self._numbers[name]], result)

    def _save(self, task: StudyTask, result: CompletedRun) -> RunEvent:
        about = {"name": task.name, "batch": task.batch, "creator": self.creator}
        patiently(lambda: self.store.save(task.id, result.events, result.networks, **about))
        self._saved.add(task.id)
        return RunEvent(run=self._numbers[task.id], event=result.events[-1])

    def _save_sent(self) -> list[RunEvent]:
        """Store all that workers have sent."""
        events = []
        while self._pool is not None and self._pool.mailbox.first() is not None:
            events.append(self._take_sent())
        return [event for event in events if event is not None]

    def _replace_pool(self, error: BrokenExecutor) -> None:
        """Workers have died: what they had is handed out again."""
        self._unsaid.extend(self._save_sent())
        self._pools += 1
        if self._pools > NEW_POOLS:
            raise PgcnError(
                f"Worker processes died {self._pools} times, perhaps for lack of memory ({error}). What was "
                "finished is stored; try again with fewer workers."
            ) from error
        shares = (*self._running.values(), *self._waiting)
        self._waiting = [left for share in shares if (left := [one for one in share if one.id not in self._saved])]
        self._running.clear()
        self._shut_down()

    def cancel(self, reason: str = "Stopped.", *, status: str = "cancelled") -> list[RunEvent]:
        """Cancel what is running; what was finished is stored. Return the ends that were not told yet."""
        with contextlib.suppress(CancelledError, OSError):  # of a scheduler that is gone
            self._unsaid.extend(self._save_sent())
        untold, self._unsaid = list(self._unsaid), deque()
        self._waiting.clear()
        self.close()
        return untold

    def close(self) -> None:
        """Shut the workers down."""
        self._running.clear()
        self._shut_down()

    def _shut_down(self) -> None:
        if self._pool is not None:
            self._pool.shutdown()
            self._pool.mailbox.close()
            self._pool = None
