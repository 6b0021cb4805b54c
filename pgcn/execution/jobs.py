"""Long work in the background of a server: a few workers, a fair queue, jobs that can be paused and cancelled.

A job's id is a capability: who knows it may look at the job and steer it; there is no list of other people's jobs.
Nothing here knows of pages; a page keeps the id and a cursor, and asks for the events after it.
"""

import logging
import os
import sys
import threading
import time
import uuid
from collections.abc import Callable, Sequence
from typing import Protocol

from pgcn.errors import PgcnError
from pgcn.events import BlockJudged, RunEvent, RunFinished

LOG = logging.getLogger(__name__)
ENDED = ("finished", "cancelled", "failed")


class Work(Protocol):
    """What a job carries out: an iterator of events that can be cancelled, such as :class:`pgcn.methods.run.Runs`.

    It may return None for "nothing has happened yet", so that the job can be cancelled while it waits.
    """

    def __next__(self) -> RunEvent | None: ...
    def cancel(self, reason: str, *, status: str = "cancelled") -> Sequence[RunEvent]: ...


Start = Callable[[Callable[[str], None]], Work]
"""Called in the worker with a function that takes what is being done, in words; returns the work."""


class Job:
    """One piece of work. All methods may be called from any thread."""

    def __init__(self, start: Start, owner: str, *, keep_running: bool = False, steps: int | None = None) -> None:
        self.id = uuid.uuid4().hex
        self.owner = owner
        self.keep_running = keep_running
        self.error: str | None = None
        self.doing = ""
        self._start = start
        self._events: list[RunEvent] = []
        self._status = "queued"
        self._change = threading.Condition()
        self._stop_reason: str | None = None
        self._paused = steps is not None
        self._steps = steps or 0
        self._viewers: set[str] = set()
        self._seen = time.monotonic()

    @property
    def status(self) -> str:
        """queued, running, paused, finished, cancelled or failed."""
        with self._change:
            return "paused" if self._status == "running" and self._paused and not self._steps else self._status

    @property
    def ended(self) -> bool:
        return self._status in ENDED

    @property
    def stopping(self) -> bool:
        """Whether it was told to stop and has not yet."""
        return self._stop_reason is not None and not self.ended

    def events(self, cursor: int = 0) -> list[RunEvent]:
        """Return the events from the cursor on; asking shows that somebody is still looking."""
        with self._change:
            self._seen = time.monotonic()
            return self._events[cursor:]

    def wait_for_events(self, number: int, seconds: float) -> None:
        """Wait a moment for so many events, so that they can be shown at once."""
        with self._change:
            self._change.wait_for(lambda: len(self._events) >= number or self.ended, seconds)

    def attach(self, viewer: str) -> None:
        """Note that somebody looks on, until :meth:`detach`; a browser that sleeps does not ask for events."""
        with self._change:
            self._viewers.add(viewer)

    def detach(self, viewer: str) -> None:
        with self._change:
            self._viewers.discard(viewer)
            self._seen = time.monotonic()

    def pause(self) -> None:
        with self._change:
            self._paused, self._steps = True, 0
            self._change.notify_all()

    def go_on(self) -> None:
        with self._change:
            self._paused, self._steps = False, 0
            self._change.notify_all()

    def step(self) -> None:
        """Train exactly the next block, then pause; to ask for it twice is to ask for it once."""
        with self._change:
            self._paused, self._steps = True, max(1, self._steps)
            self._change.notify_all()

    def cancel(self, reason: str = "Stopped.") -> None:
        """Give the work up; it ends within the next few epochs, at once if it waits."""
        with self._change:
            self._stop_reason = self._stop_reason or reason
            if self._status == "queued":
                self._status = "cancelled"
            self._change.notify_all()

    def wait(self, seconds: float | None = None) -> bool:
        """Wait until the job has ended; return whether it has."""
        with self._change:
            return self._change.wait_for(lambda: self.ended, seconds)

    def unseen_for(self) -> float:
        """Return the seconds since somebody last looked."""
        with self._change:
            return 0.0 if self._viewers else time.monotonic() - self._seen

    def run(self) -> None:
        """Carry the work out in the calling thread."""
        with self._change:
            if self._status != "queued":
                return
            self._status = "running"
        status, work = "failed", None
        try:
            work = self._start(self._tell)
            status = self._carry_out(work)
        except PgcnError as error:
            self.error = str(error)
        except Exception as error:  # whatever it is, the page shows a sentence and the log the traceback
            LOG.exception("job %s failed", self.id[:8])
            self.error = f"Something went wrong inside ({type(error).__name__}). The server's log has the details."
        finally:
            try:
                if self.error and work is not None:
                    self._append(*work.cancel(self.error, status="failed"))
            except Exception:  # such as a store that is gone: the job ends all the same
                LOG.exception("job %s could not be closed", self.id[:8])
            with self._change:
                self._status = status
                self._change.notify_all()

    def _tell(self, doing: str) -> None:
        self.doing = doing

    def _carry_out(self, work: Work) -> str:
        while self._may_go_on():
            try:
                event = next(work)
            except StopIteration:
                return self._last_status()
            if event is not None:
                self._append(event)
        self._append(*work.cancel(self._stop_reason))
        return "cancelled"

    def _may_go_on(self) -> bool:
        """Wait while the job is paused; return whether it should go on at all."""
        with self._change:
            self._change.wait_for(lambda: self._stop_reason or not self._paused or self._steps)
            return self._stop_reason is None

    def _append(self, *events: RunEvent) -> None:
        with self._change:
            self._events.extend(events)
            judged = sum(isinstance(said.event, BlockJudged) for said in events)
            self._steps = max(0, self._steps - judged)
            self._change.notify_all()

    def _last_status(self) -> str:
        ended = [said.event.status for said in self._events if isinstance(said.event, RunFinished)]
        return "failed" if ended and all(status == "failed" for status in ended) else "finished"


class JobManager:
    """A few workers for all jobs of a server.

    The next job is of the owner who has the fewest under way, the oldest first, so that one person's twenty jobs do
    not keep another's one waiting. A job nobody has looked at for ``grace`` seconds is cancelled.
    """

    def __init__(self, workers: int = 2, grace: float = 60.0) -> None:
        self.grace = grace
        self._jobs: dict[str, Job] = {}
        self._queue: list[Job] = []
        self._running: list[Job] = []
        self._change = threading.Condition()
        self._closing = False
        self._threads = [threading.Thread(target=self._work, daemon=True, name=f"job-{i}") for i in range(workers)]
        self._threads.append(threading.Thread(target=self._watch, daemon=True, name="job-watch"))
        for thread in self._threads:
            thread.start()

    def submit(self, start: Start, owner: str, *, keep_running: bool = False, steps: int | None = None) -> Job:
        """Queue work; ``start`` is called in the worker. With ``steps`` it pauses after so many blocks."""
        job = Job(start, owner, keep_running=keep_running, steps=steps)
        with self._change:
            self._jobs[job.id] = job
            self._queue.append(job)
            self._change.notify_all()
        return job

    def get(self, job: str) -> Job | None:
        """Return the job with this id, None if there is none (any more)."""
        with self._change:
            return self._jobs.get(job)

    def position(self, job: Job) -> int | None:
        """Return how many jobs start before this one, None if it does not wait."""
        with self._change:
            order = self._order()
            return order.index(job) if job in order else None

    def close(self) -> None:
        """Give up all jobs and end the workers."""
        with self._change:
            self._closing = True
            for job in self._jobs.values():
                job.cancel("The server is closing.")
            self._change.notify_all()
        for thread in self._threads:
            thread.join(timeout=10)

    def _order(self) -> list[Job]:
        """Return the waiting jobs in the order they will start, as far as is known now."""
        load: dict[str, int] = {}
        for job in self._running:
            load[job.owner] = load.get(job.owner, 0) + 1
        waiting = [job for job in self._queue if not job.ended]
        order = []
        while waiting:
            chosen = min(waiting, key=lambda job: load.get(job.owner, 0))  # of equal ones, the oldest
            load[chosen.owner] = load.get(chosen.owner, 0) + 1
            waiting.remove(chosen)
            order.append(chosen)
        return order

    def _work(self) -> None:
        give_way()
        while True:
            with self._change:
                self._change.wait_for(lambda: self._closing or self._order())
                if self._closing:
                    return
                job = self._order()[0]
                self._queue = [other for other in self._queue if other is not job and not other.ended]
                self._running.append(job)
            job.run()
            with self._change:
                self._running.remove(job)
                self._change.notify_all()

    def _watch(self) -> None:
        """Give up jobs that nobody looks at, and forget those that ended an hour ago."""
        while True:
            with self._change:
                if self._change.wait_for(lambda: self._closing, timeout=min(1.0, self.grace / 4)):
                    return
                jobs = list(self._jobs.values())
            for job in jobs:
                if not job.ended and not job.keep_running and job.unseen_for() > self.grace:
                    job.cancel(f"Nobody had looked at it for {self.grace:.0f} seconds.")
            with self._change:
                self._jobs = {
                    key: job for key, job in self._jobs.items() if not job.ended or job.unseen_for() < 3600
                }


def give_way() -> None:
    """Let pages and browsers go first where work and they share few cores. Linux knows a priority per thread."""
    if sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), 5)
