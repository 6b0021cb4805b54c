"""A study under way: what is missing is carried out, and kept as it comes."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, Future, wait
from dataclasses import replace
from functools import partial
from importlib.metadata import version

from pgcn.data.sources import obtain
from pgcn.errors import PgcnError
from pgcn.events import RunEvent
from pgcn.execution.pool import Crew, processes
from pgcn.store import Store
from pgcn.studies.difficulty import METHODS, Study, Task
from pgcn.studies.tasks import Found, TaskResult, carry_out, diverged

NEW_CREWS = 3
"""How often workers that died are replaced before the study gives up."""
ENDED = ("finished", "failed")
PATIENCE = 0.1
"""Seconds after which whoever asks may think again."""


class StudyRun(Iterator[RunEvent | None]):
    """Work for a job, or to be iterated over: ``next`` returns the end of a run, or None if none ended meanwhile.

    ``tasks`` are all runs of the studies, ``missing`` those not kept yet; an event's ``run`` is the position of its
    task. A study that is stopped by any means goes on with what is missing when it is asked for again.
    """

    def __init__(
        self,
        studies: Sequence[Study],
        store: Store,
        open_crew: Callable[[], Crew] | None = None,
        *,
        data_dir: str | None = None,
    ) -> None:
        """``open_crew`` finds who carries tasks out: by default a process for every core.

        ``data_dir`` is where they look for data sets, on whatever machine they are.
        """
        self.store, self.data_dir = store, data_dir
        self._open_crew = open_crew or partial(processes, reproducibly=any(study.reproducible for study in studies))
        self.tasks = sorted((task for study in studies for task in study.tasks()), key=lambda task: task.experiment)
        kept = store.find([task.id for task in self.tasks])
        self.missing = [task for task in self.tasks if not (task.id in kept and kept[task.id].status in ENDED)]
        self._waiting = list(self.missing)
        self._under_way: dict[Future, Task] = {}
        self._numbers = {task.id: number for number, task in enumerate(self.tasks)}
        self._crew: Crew | None = None
        self._crews = 0

    @property
    def size(self) -> int | None:
        """How many tasks can be carried out at a time, None while nobody is there to do so."""
        return self._crew and self._crew.size

    def __next__(self) -> RunEvent | None:
        if not self._waiting and not self._under_way:
            self.close()
            raise StopIteration
        try:
            vain = self._hand_out()
            if vain is not None:
                return vain
            done = wait(self._under_way, timeout=PATIENCE, return_when=FIRST_COMPLETED).done
            return self._take(next(iter(done))) if done else None
        except BrokenExecutor as error:
            self._replace_crew(error)
            return None

    def _hand_out(self) -> RunEvent | None:
        """Give the crew as much as it can do, and a little more so that nobody waits.

        The end of a task that cannot be carried out, for want of anything to match, is returned.
        """
        if self._crew is None:
            self._crew = self._open_crew()
            if self._crew.local:
                for name in {task.place.dataset for task in self._waiting} - {"synthetic"}:
                    obtain(name, self.data_dir)  # once, before several processes want it
        for task in list(self._waiting):
            if len(self._under_way) >= self._crew.size + 1:
                return None
            if not self._is_ready(task):
                continue
            needed = needed_by(task)
            before = None if needed is None else self.store.events(needed.id)
            found = None if before is None else Found.of(before)
            self._waiting.remove(task)
            if before is not None and found is None:
                return self._keep(task, diverged(task, before))
            self._under_way[self._crew.executor.submit(carry_out, task, found, self.data_dir)] = task
        return None

    def _is_ready(self, task: Task) -> bool:
        """Return whether the run a task is made to match has ended."""
        needed = needed_by(task)
        return needed is None or all(other.id != needed.id for other in (*self._waiting, *self._under_way.values()))

    def _take(self, future: Future) -> RunEvent:
        """Keep the result of a task; a failed one says why."""
        result: TaskResult = future.result()  # raises what the task raised
        task = self._under_way.pop(future)
        here, there = version("pgcn"), result.events[0].versions["pgcn"]
        if here != there:
            raise PgcnError(f"A worker has pgcn {there}, but this is pgcn {here}. Install the same on both.")
        return self._keep(task, result)

    def _keep(self, task: Task, result: TaskResult) -> RunEvent:
        batch = f"difficulty-{task.place.dataset}"
        self.store.keep(task.id, result.events, result.networks, name=task.name, batch=batch)
        return RunEvent(run=self._numbers[task.id], event=result.events[-1])

    def _replace_crew(self, error: BrokenExecutor) -> None:
        """Workers have died: what they had is handed out again."""
        self._crews += 1
        if self._crews > NEW_CREWS:
            raise PgcnError(
                f"Worker processes died {self._crews} times, perhaps for lack of memory ({error}). What was "
                "finished is kept; try again with fewer workers."
            ) from error
        self._waiting = [*self._under_way.values(), *self._waiting]
        self._under_way.clear()
        self._crew.dismiss()
        self._crew = None

    def cancel(self, reason: str = "Stopped.", *, status: str = "cancelled") -> list[RunEvent]:
        """Give up what is under way. What was finished is kept."""
        self._waiting.clear()
        self.close()
        return []

    def close(self) -> None:
        """Dismiss the workers."""
        self._under_way.clear()
        if self._crew is not None:
            self._crew.dismiss()
            self._crew = None


def needed_by(task: Task) -> Task | None:
    """Return the task whose outcome this one is made to match."""
    after = METHODS[task.method].after
    return None if after is None else replace(task, method=after)
