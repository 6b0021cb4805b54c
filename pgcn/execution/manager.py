"""The jobs of a server: a few workers, which give every visitor turns, and what jobs may take."""

import ctypes
import os
import sys
import threading
from collections import deque

from pgcn.errors import BusyError
from pgcn.execution.jobs import Job, Start
from pgcn.execution.limits import Limits
from pgcn.execution.memory import Memory
from pgcn.execution.turns import Turns

FORGET = 120.0
"""Seconds after which a job that has ended and that nobody looks at is forgotten; what it stored stays."""
SMALL, ON_TOP = 1 / 16, 1 / 4
"""Jobs that need at most this share of the memory have this share for themselves: great ones do not block them."""


class JobManager:
    """A few workers for all jobs of a server.

    Jobs take turns (:class:`pgcn.execution.turns.Turns`), so that everybody's advance however many there are and
    however long they take; a paused job takes none. A job that nobody has looked at for ``limits.grace`` seconds is
    cancelled, and one that was paused for ``limits.pause`` seconds.
    """

    def __init__(self, workers: int = 2, grace: float | None = None, *, limits: Limits | None = None) -> None:
        self.limits = limits or Limits()
        self.grace = self.limits.grace if grace is None else grace
        self._jobs: dict[str, Job] = {}
        self._of_owner: dict[str, set[Job]] = {}
        """The jobs that have not ended, by owner."""
        self._unended = 0
        self._to_give_back = False
        """Whether there was a job since memory was last given back."""
        self._turns = Turns()
        self._stopping: deque[Job] = deque()
        """Jobs that wait to be told that they are over, which takes no time: they come first."""
        self._no_room: list[Job] = []
        """Jobs that wait for memory."""
        self._working: set[Job] = set()
        self._change = threading.Condition()
        self._closed = threading.Event()
        self._threads = [threading.Thread(target=self._work, daemon=True, name=f"job-{i}") for i in range(workers)]
        self._threads.append(threading.Thread(target=self._watch, daemon=True, name="job-watch"))
        for thread in self._threads:
            thread.start()

    def submit(
        self,
        start: Start,
        owner: str,
        *,
        keep_running: bool = False,
        steps: int | None = None,
        memory: Memory | None = None,
        counted: bool = True,
    ) -> Job:
        """Queue work; ``start`` is called in a worker. With ``steps`` it pauses after so many candidates.

        What is not ``counted`` is not limited by how many jobs its owner has.

        A :class:`pgcn.errors.BusyError` says why it cannot be: too much memory, too many jobs of this owner or of
        all.
        """
        limits = self.limits
        if memory is not None and limits.memory is not None and memory.now > limits.memory:
            raise BusyError(limits.too_large(memory.now))
        job = Job(
            start,
            owner,
            keep_running=keep_running,
            steps=steps,
            memory=memory,
            limits=limits,
            wake=self._wake,
        )
        with self._change:
            if self._closed.is_set():
                raise BusyError("The server is closing.")
            if limits.queue is not None and self._unended >= limits.queue:
                raise BusyError(limits.busy)
            own = self._of_owner.get(owner, set())
            if counted and limits.jobs is not None and sum(not other.stopping for other in own) >= limits.jobs:
                raise BusyError(limits.too_many)
            self._of_owner.setdefault(owner, set()).add(job)
            self._unended += 1
            self._to_give_back = True
            self._jobs[job.id] = job
            self._turns.add(job)
            self._change.notify_all()
        return job

    def get(self, job: str) -> Job | None:
        """Return the job with this id, None if there is none (any more)."""
        with self._change:
            return self._jobs.get(job)

    def position(self, job: Job) -> int | None:
        """Return how many turns come before the first one of this job, None if it does not wait for one."""
        with self._change:
            return self._turns.position(job)

    def waits_for_memory(self, job: Job) -> bool:
        with self._change:
            return job in self._no_room

    @property
    def unended(self) -> int:
        """How many jobs wait, run or are paused."""
        return self._unended

    def close(self) -> None:
        """Give up all jobs and end the workers."""
        with self._change:
            self._closed.set()
            jobs = list(self._jobs.values())
        for job in jobs:
            job.cancel("The server is closing.")
        with self._change:
            self._change.notify_all()
        for thread in self._threads:
            thread.join(timeout=10)

    def _wake(self, job: Job) -> None:
        """Give a job a turn again, or have it end: it was resumed, stepped or cancelled."""
        with self._change:
            if job.ended:
                self._forget_turn(job)
                self._note_end(job)
            elif job not in self._working:  # else it is asked when its turn is over
                self._queue(job)
            self._change.notify_all()

    def _queue(self, job: Job) -> None:
        """Have a job wait for what it needs next."""
        self._forget_turn(job)
        if job.stopping:
            self._stopping.append(job)
        elif job.wants_turn:
            self._turns.add(job)

    def _forget_turn(self, job: Job) -> None:
        self._turns.discard(job)
        if job in self._no_room:
            self._no_room.remove(job)
        if job in self._stopping:
            self._stopping.remove(job)

    def _note_end(self, job: Job) -> None:
        own = self._of_owner.get(job.owner, set())
        if job in own:
            own.remove(job)
            self._unended -= 1
            if not own:
                del self._of_owner[job.owner]
            for waiting in self._no_room:  # there may be room now
                self._turns.add(waiting)
            self._no_room.clear()

    def _take(self) -> Job | None:
        """Return a job to work on."""
        if self._stopping:
            job = self._stopping.popleft()
            self._turns.begin(job)
            return job
        while (job := self._turns.take()) is not None:
            if job.begun or self._has_room(job):
                return job
            self._turns.end(job)
            self._no_room.append(job)
        return None

    def _has_room(self, job: Job) -> bool:
        budget, needed = self.limits.memory, job.memory.now
        if budget is None or not needed:
            return True
        used = sum(other.memory.now for own in self._of_owner.values() for other in own if other.begun)
        return used + needed <= budget * (1 + ON_TOP if needed <= SMALL * budget else 1)

    def _work(self) -> None:
        give_way()
        while True:
            with self._change:
                while (job := self._take()) is None:
                    if self._closed.is_set():
                        return
                    self._change.wait()
                self._working.add(job)
            job.run(lambda: self._turns.count > 0 or bool(self._stopping))
            with self._change:
                self._working.remove(job)
                self._turns.end(job)
                if job.ended:
                    self._note_end(job)
                else:
                    self._queue(job)
                self._change.notify_all()

    def _watch(self) -> None:
        """Give up jobs that nobody looks at or that are paused for long, and forget those that ended long ago."""
        while True:
            if self._closed.wait(min(1.0, self.grace / 4, self.limits.pause / 4)):
                return
            with self._change:
                jobs = list(self._jobs.values())
            for job in jobs:
                if job.ended or job.stopping:
                    continue
                if not job.keep_running and job.unseen_for() > self.grace:
                    job.cancel(f"Its page was closed for {self.grace:.0f} seconds.")
                elif job.paused_for() > self.limits.pause:
                    job.cancel(self.limits.paused_too_long)
            with self._change:
                self._jobs = {
                    key: job for key, job in self._jobs.items() if not job.ended or job.unseen_for() < FORGET
                }
                self._to_give_back |= len(self._jobs) < len(jobs)
                idle = self._to_give_back and not self._unended
                self._to_give_back &= not idle
            if idle:
                give_back()


def give_way() -> None:
    """Let pages and browsers go first where work and they share few cores. Linux knows a priority per thread."""
    if sys.platform == "linux":
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), 5)


def give_back() -> None:
    """Return freed memory to the system: glibc keeps it otherwise, in a heap of each thread."""
    trim = getattr(ctypes.CDLL(None), "malloc_trim", None) if sys.platform == "linux" else None
    if trim is not None:
        trim(0)
