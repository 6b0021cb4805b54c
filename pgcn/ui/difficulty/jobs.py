"""The job a visitor starts on the Difficulty page: the runs of a study that are missing."""

import os
from collections.abc import Callable

from pgcn.errors import PgcnError
from pgcn.execution.jobs import Job
from pgcn.execution.memory import PROCESS, Memory, RunMemory
from pgcn.studies.difficulty import Study
from pgcn.ui.access import require_control
from pgcn.ui.difficulty.session import DifficultySession
from pgcn.ui.server import store, submit, visitor_key

WORKERS = os.cpu_count() or 1


def run_studies(session: DifficultySession, studies: list[Study]) -> None:
    """Start the missing runs of the studies, unless a study is running."""
    if session.is_busy():
        return
    database, creator = store(), visitor_key()

    def start(progress: Callable[[str], None]):
        progress("Starting the worker processes…")
        from pgcn.studies.study import StudyRun

        return StudyRun(studies, database, creator=creator)

    session.problems = []
    try:
        session.follow(submit(start, keep_running=session.keep_running, memory=memory_of(studies)))
    except PgcnError as error:
        session.problems = [str(error)]


def stop_studies(session: DifficultySession, job: Job) -> None:
    """Stop a study, if this visitor may."""
    try:
        require_control(job)
        job.cancel()
    except PgcnError as error:
        session.problems = [str(error)]


def memory_of(studies: list[Study]) -> Memory:
    """Return how much memory a study is estimated to take: in every process a run on its largest graph."""
    runs = [RunMemory(study.facts, [study.growth], dense=True).now for study in studies]
    return Memory(WORKERS * (PROCESS + max(runs, default=0)))
