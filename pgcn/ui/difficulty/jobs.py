"""The job a visitor starts on the Difficulty page: the runs of a study that are missing."""

from collections.abc import Sequence
from functools import partial

from pgcn.execution.memory import RunMemory
from pgcn.studies.difficulty import Study
from pgcn.ui.difficulty.session import DifficultySession
from pgcn.ui.study.jobs import run_missing


def run_studies(session: DifficultySession, studies: Sequence[Study]) -> None:
    """Start the missing runs of the studies, unless a study is running."""
    run_missing(session, studies, partial(largest_run, studies))


def largest_run(studies: Sequence[Study]) -> int:
    """Return how much memory a run on the largest graph of the studies is estimated to take."""
    return max((RunMemory(study.facts, [study.growth], dense=True).now for study in studies), default=0)
