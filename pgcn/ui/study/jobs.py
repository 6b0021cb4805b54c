"""The job a visitor starts on the page of a study: the runs that are missing."""

import os
from collections.abc import Callable, Sequence

from pgcn.errors import PgcnError
from pgcn.execution.jobs import Job, Start
from pgcn.execution.memory import PROCESS, Memory
from pgcn.studies.tasks import Study
from pgcn.ui.access import require_control
from pgcn.ui.server import store, submit, visitor_key
from pgcn.ui.study.session import StudySession

WORKERS = os.cpu_count() or 1


def missing_runs(studies: Sequence[Study]) -> Start:
    """Return the work of a job that runs what is not stored of some studies."""
    database, creator = store(), visitor_key()

    def start(progress: Callable[[str], None]):
        progress("Starting the worker processes…")
        from pgcn.studies.study import StudyRun

        return StudyRun(studies, database, creator=creator)

    return start


def in_processes(memory: int) -> Memory:
    """Return how much memory the workers take, each with a run of so many bytes."""
    return Memory(WORKERS * (PROCESS + memory))


def run_missing(session: StudySession, studies: Sequence[Study], largest: Callable[[], int]) -> None:
    """Start the missing runs of some studies, unless the page's job is running.

    ``largest`` estimates the bytes of what takes the most memory in one process.
    """
    if session.is_busy():
        return
    start, session.problems = missing_runs(studies), []
    try:
        session.follow(submit(start, keep_running=session.keep_running, memory=in_processes(largest())))
    except PgcnError as error:
        session.problems = [str(error)]


def stop_study(session: StudySession, job: Job) -> None:
    """Stop a study, if this visitor may."""
    try:
        require_control(job)
        job.cancel()
    except PgcnError as error:
        session.problems = [str(error)]
