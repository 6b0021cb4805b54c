"""A job: long work in the background of a server, in turns; it can be paused, stepped and cancelled.

A job's id is a capability: who knows it may look at the job and steer it; there is no list of other people's jobs.
Nothing here knows of pages; a page keeps the id and a cursor, and asks for the events after it.
"""

import logging
import threading
import time
import uuid
from collections.abc import Callable

from pgcn.errors import PgcnError
from pgcn.events import CandidateJudged, RunEvent, RunFinished
from pgcn.execution.limits import Limits
from pgcn.execution.memory import Memory
from pgcn.execution.pausing import Pausing
from pgcn.execution.work import JobStopped, Start, Work

LOG = logging.getLogger(__name__)
ENDED = ("finished", "cancelled", "failed")
TURN = 0.25
"""Seconds after which a job lets those have a turn who wait for one."""


class Job:
    """One piece of work. All methods may be called from any thread, :meth:`run` by one at a time."""

    def __init__(
        self,
        start: Start,
        owner: str,
        *,
        keep_running: bool = False,
        steps: int | None = None,
        memory: Memory | None = None,
        limits: Limits | None = None,
        wake: Callable[["Job"], None] = lambda job: None,
    ) -> None:
        """``wake`` is called when there is something to do for the job again."""
        self.id = uuid.uuid4().hex
        self.owner = owner
        self.keep_running = keep_running
        self.subject: tuple[str, ...] = ()
        """What it is about, in the words of the page that started it."""
        self.memory = memory or Memory()
        self.limits = limits or Limits()
        self.error: str | None = None
        self.doing = ""
        self.seconds = 0.0
        """How long it has computed, up to its last turn."""
        self._start: Start | None = start
        self._work: Work | None = None
        self._wake = wake
        self._events: list[RunEvent] = []
        self._status = "queued"
        self._change = threading.Condition()
        self._stop_reason: str | None = None
        self._pausing = Pausing(steps)
        self._turn_began: float | None = None
        self._viewers: set[str] = set()
        self._seen = time.monotonic()

    @classmethod
    def refused(cls, reason: str) -> "Job":
        """Return a job that has failed before it was queued."""

        def nothing(progress: Callable[[str], None]) -> Work:
            raise PgcnError(reason)

        job = cls(nothing, "")
        job.error = reason
        with job._change:
            job._set_ended("failed")
        return job

    @property
    def status(self) -> str:
        """queued (for its first turn), running, paused, asking (a person), finished, cancelled or failed."""
        with self._change:
            if self._waits_for_somebody():
                return "asking" if self._pausing.asking else "paused"
            return self._status

    @property
    def begun(self) -> bool:
        """Whether it had its first turn: it is in memory from then on until it has ended."""
        return self._status == "running"

    @property
    def ended(self) -> bool:
        return self._status in ENDED

    @property
    def stopping(self) -> bool:
        """Whether it was told to stop and has not yet."""
        return self._stop_reason is not None and not self.ended

    @property
    def stop_reason(self) -> str | None:
        """Why it was stopped."""
        return self._stop_reason

    @property
    def wants_turn(self) -> bool:
        """Whether there is something to do."""
        with self._change:
            return not self.ended and not self._waits_for_somebody()

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
        """Let others work; what it has reached stays in memory for a while (:attr:`Limits.pause`)."""
        with self._change:
            self._pausing.pause()
            self._change.notify_all()

    def resume(self) -> None:
        with self._change:
            self._pausing.resume()
        self._wake(self)

    def step(self) -> None:
        """Train exactly the next candidate, then pause; to ask for it twice is to ask for it once."""
        with self._change:
            self._pausing.step()
        self._wake(self)

    def decide(self, decision: str, number: int) -> None:
        """Answer what the work asks after so many events; a click that comes twice finds another question."""
        with self._change:
            if not self._pausing.asking or self._work is None or len(self._events) != number:
                raise PgcnError("The run no longer waits for this decision.")
            self._work.decide(decision)  # type: ignore[attr-defined]  # what asks can be answered
            self._pausing.answer()
        self._wake(self)

    def cancel(self, reason: str = "Stopped.") -> None:
        """Give the work up; it ends within the next few epochs, at once if it waits."""
        with self._change:
            self._stop_reason = self._stop_reason or reason
            if self._status == "queued":
                self._set_ended("cancelled")
        self._wake(self)

    def wait(self, seconds: float | None = None) -> bool:
        """Wait until the job has ended; return whether it has."""
        with self._change:
            return self._change.wait_for(lambda: self.ended, seconds)

    def unseen_for(self) -> float:
        """Return the seconds since somebody last looked."""
        with self._change:
            return 0.0 if self._viewers else time.monotonic() - self._seen

    def paused_for(self) -> float:
        """Return the seconds for which it has been paused."""
        with self._change:
            return self._pausing.seconds() if self._waits_for_somebody() else 0.0

    def run(self, others_wait: Callable[[], bool] = lambda: False) -> None:
        """Work in the calling thread until the job ends or pauses, or others have waited for a turn's time."""
        with self._change:
            if self.ended:
                return
            self._status = "running"
            self._turn_began = began = time.monotonic()
        status: str | None = "failed"
        try:
            status = self._work_on(lambda: others_wait() and time.monotonic() - began > TURN, others_wait)
        except JobStopped:
            status = "cancelled"
        except PgcnError as error:
            self.error = str(error)
        except Exception as error:  # whatever it is, the page shows a sentence and the log the traceback
            LOG.exception("job %s failed", self.id[:8])
            self.error = f"Something went wrong inside ({type(error).__name__}). The server's log has the details."
        finally:
            if status in ("failed", "cancelled"):
                self._close(status)
            with self._change:
                self.seconds, self._turn_began = self._computed_for(), None
                if status is not None:
                    self._set_ended(status)

    def _work_on(self, turn_is_over: Callable[[], bool], others_wait: Callable[[], bool]) -> str | None:
        """Return how the job has ended, None if it has not."""
        if self._work is None and self._start is not None:
            self._work, self._start = self._start(self._note_progress), None
        while self.wants_turn and self._work is not None:
            self._check()
            try:
                event = next(self._work)
            except StopIteration:
                return self._last_status()
            if event is not None:
                self._append(event)
                self._note_question()
            if turn_is_over() or (event is None and others_wait()):
                return None
        return None

    def _note_question(self) -> None:
        """Take no more turns while the work asks a person: others compute meanwhile."""
        if getattr(self._work, "question", None) is not None:
            with self._change:
                self._pausing.ask()
                self._change.notify_all()

    def _close(self, status: str) -> None:
        """Have the work end; what it says of that is told too."""
        reason = self.error or self._stop_reason or "Stopped."
        try:
            if self._work is not None and (self.error or status == "cancelled"):
                self._append(*self._work.cancel(reason, status=status))
        except Exception:  # such as a store that is gone: the job ends all the same
            LOG.exception("job %s could not be closed", self.id[:8])

    def _note_progress(self, doing: str) -> None:
        self.doing = doing
        self._check()

    def _check(self) -> None:
        """Raise where the job is to stop, also because it has used up its time or outgrown its memory."""
        limits = self.limits
        with self._change:
            if limits.seconds is not None and self._computed_for() > limits.seconds:
                self._stop_reason = self._stop_reason or limits.used_up
            if limits.memory is not None and self.memory.now > limits.memory:
                self._stop_reason = self._stop_reason or limits.outgrown
            if self._stop_reason is not None:
                raise JobStopped(self._stop_reason)

    def _waits_for_somebody(self) -> bool:
        return not self.ended and self._stop_reason is None and self._pausing.waits

    def _computed_for(self) -> float:
        return self.seconds + (time.monotonic() - self._turn_began if self._turn_began is not None else 0.0)

    def _append(self, *events: RunEvent) -> None:
        with self._change:
            self._events.extend(events)
            for added in events:
                self.memory.follow(added)
            self._pausing.took(sum(isinstance(added.event, CandidateJudged) for added in events))
            self._change.notify_all()

    def _last_status(self) -> str:
        ended = [added.event.status for added in self._events if isinstance(added.event, RunFinished)]
        return "failed" if ended and all(status == "failed" for status in ended) else "finished"

    def _set_ended(self, status: str) -> None:
        """End, and let go of all that was in memory but the events."""
        self._status = status
        self._start = self._work = None
        self._change.notify_all()
