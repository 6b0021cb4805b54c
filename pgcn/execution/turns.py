"""Whose turn is next, fair to every owner and quick however many wait. Standard library only."""

from collections import OrderedDict, deque
from typing import Protocol


class Owned(Protocol):
    owner: str


class Turns:
    """Jobs that wait for a turn.

    The next is of the owner who has the fewest at work; of several such owners the one who has waited longest, of
    theirs the oldest: one person's twenty jobs do not keep another's one waiting. Not safe for threads by itself.
    """

    def __init__(self) -> None:
        self.count = 0
        self._waiting: dict[str, deque] = {}
        self._load: dict[str, int] = {}
        self._owners: dict[int, OrderedDict[str, None]] = {}
        """Those who have jobs waiting, by how many of theirs are at work, in order."""

    def add(self, job: Owned) -> None:
        if job.owner not in self._waiting:
            self._waiting[job.owner] = deque()
            self._queue_up(job.owner)
        self._waiting[job.owner].append(job)
        self.count += 1

    def take(self):
        """Return the next job, which is at work from now on until :meth:`end`; None if none waits."""
        for load in sorted(self._owners):
            for owner in self._owners[load]:
                job = self._waiting[owner][0]
                self.discard(job)
                self.begin(job)
                return job
        return None

    def begin(self, job: Owned) -> None:
        """Note that a job is at work."""
        self._set_load(job.owner, self._load.get(job.owner, 0) + 1)

    def end(self, job: Owned) -> None:
        """Note that the turn of a job is over."""
        self._set_load(job.owner, self._load[job.owner] - 1)

    def discard(self, job: Owned) -> None:
        """Have a job wait no longer, if it does."""
        waiting = self._waiting.get(job.owner)
        if waiting is None or job not in waiting:
            return
        waiting.remove(job)
        self.count -= 1
        if not waiting:
            del self._waiting[job.owner]
            self._leave(job.owner)

    def position(self, job: Owned) -> int | None:
        """Return how many turns come before this job's, as far as is known now; None if it does not wait."""
        own = self._waiting.get(job.owner, ())
        if job not in own:
            return None
        behind = own.index(job)
        turn = self._load.get(job.owner, 0) + behind  # everybody has had so many before this one is due
        ahead, later = behind, 0
        for load in sorted(self._owners):
            for owner in self._owners[load]:
                if owner == job.owner:
                    later = 1
                    continue
                ahead += min(max(turn - load + 1 - later, 0), len(self._waiting[owner]))
        return ahead

    def _set_load(self, owner: str, load: int) -> None:
        waits = owner in self._waiting
        if waits:
            self._leave(owner)
        self._load[owner] = load
        if not load:
            del self._load[owner]
        if waits:
            self._queue_up(owner)

    def _queue_up(self, owner: str) -> None:
        self._owners.setdefault(self._load.get(owner, 0), OrderedDict())[owner] = None

    def _leave(self, owner: str) -> None:
        load = self._load.get(owner, 0)
        del self._owners[load][owner]
        if not self._owners[load]:
            del self._owners[load]
