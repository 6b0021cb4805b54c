"""The jobs of the Arena page: missing runs, one run that is watched, and the nodes two networks disagree on."""

from collections.abc import Callable, Generator, Sequence
from typing import Any

from pgcn.errors import PgcnError
from pgcn.execution.graphs import facts_of
from pgcn.execution.jobs import Job
from pgcn.execution.memory import RunMemory
from pgcn.lessons.work import LessonWork
from pgcn.methods.registry import method_named
from pgcn.studies.arena import Arena, ArenaTask
from pgcn.studies.sweep import Sweep, SweepTask
from pgcn.ui.access import require_change, require_control
from pgcn.ui.arena.session import ArenaSession, write_link
from pgcn.ui.server import store, submit, visitor_key
from pgcn.ui.study.jobs import in_processes, missing_runs


def compute_missing(session: ArenaSession, study: Arena | Sweep) -> None:
    """Start the runs of an arena or a sweep that are not stored, unless others are under way."""
    if session.missing.is_busy():
        return
    try:
        start, memory = missing_runs([study]), in_processes(memory_of(study.tasks()[:1]).now)
        session.missing.follow(submit(start, keep_running=session.keep_running, memory=memory))
        session.missing.study = study
    except PgcnError as error:
        session.say(str(error))
    write_link(session)


def memory_of(tasks: Sequence[ArenaTask | SweepTask]) -> RunMemory:
    """Return how much memory runs on one graph are estimated to take in this process."""
    configs = [task.config for task in tasks]
    return RunMemory(facts_of(tasks[0].source, store()), configs, int(tasks[0].reproducible))


def train_one(session: ArenaSession, task: ArenaTask) -> None:
    """Train the run of a task, or go on with it, unless another one is in training."""
    if session.training.is_busy():
        return
    database, creator = store(), visitor_key()
    try:
        resumes = prepare(task)

        def start(progress: Callable[[str], None]):
            progress("Importing torch…")
            from pgcn.execution.execute import execute, resume_execution

            if resumes:
                return resume_execution(database, task.id)
            about = {"ids": [task.id], "batch": task.batch, "creator": creator}
            return execute([task.spec()], database, **about, progress=progress)

        job = submit(start, keep_running=session.keep_running, memory=memory_of((task,)))
        session.training.run = task.id
        session.training.follow(job)
        session.question = session.question.change(seed=task.seed)
    except PgcnError as error:
        session.say(str(error))
    write_link(session)


def prepare(task: ArenaTask) -> bool:
    """Return whether the run of a task is to be resumed; one that cannot be makes way for a new one."""
    database = store()
    stored = next((run for run in (*database.find([task.id]).values(), *hidden(task.id))), None)
    if stored is None:
        return False
    require_change(stored)
    if stored.deleted is None and stored.status == "finished":
        raise PgcnError(f"{task.name} is stored already: choose another seed.")
    if stored.status == "running":
        raise PgcnError(f"{task.name} is in training already.")
    if stored.deleted is None and method_named(stored.method).resumable and stored.status != "failed":
        return True
    database.delete(stored.id)
    database.purge([stored.id])
    return False


def hidden(run: str) -> list[Any]:
    """Return the deleted run with this id, if there is one."""
    return [one for one in store().runs(deleted=True) if one.id == run]


def compare_nodes(session: ArenaSession, one: str, other: str) -> None:
    """Have the networks of two runs predict every node, to see where they disagree."""
    comparing = session.comparing
    if comparing.is_busy():
        return
    database = store()

    def states() -> Generator[dict[str, Any]]:
        from pgcn.studies.arena.disagreements import disagreements

        yield vars(disagreements(database, one, other))

    def start(progress: Callable[[str], None]) -> LessonWork:
        progress("Importing torch…")
        return LessonWork(states())

    try:
        comparing.follow(submit(start))
    except PgcnError as error:
        session.say(str(error))
    write_link(session)


def take_disagreements(session: ArenaSession, job: Job) -> None:
    """Keep what a job has found: jobs are forgotten."""
    from pgcn.studies.arena.disagreements import Disagreements

    for event in job.events():
        found = Disagreements(**event.event.values)
        session.disagreements[found.one, found.other] = found


def stop(session: ArenaSession, job: Job) -> None:
    """Stop a job, if this visitor may."""
    try:
        require_control(job)
        job.cancel("Stopped on the page.")
    except PgcnError as error:
        session.say(str(error))
