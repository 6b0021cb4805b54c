"""Where the numbers of the Difficulty page come from, and the buttons that run and stop the study."""

from collections.abc import Sequence
from functools import partial

import streamlit as st

from pgcn.execution.jobs import Job
from pgcn.studies.difficulty.estimate import seconds_left
from pgcn.studies.difficulty.results import Outcome, Results
from pgcn.studies.difficulty.words import divergences
from pgcn.ui.difficulty.jobs import run_studies
from pgcn.ui.difficulty.session import DifficultySession
from pgcn.ui.recorded import cached_outcomes
from pgcn.ui.study import progress
from pgcn.ui.study.jobs import WORKERS
from pgcn.ui.text import plain


def show_progress(session: DifficultySession, job: Job | None, own: Sequence[Outcome], results: Results) -> None:
    """Draw where the numbers come from, the buttons, how long the rest takes, and what is not in the means."""
    studies = session.question.studies
    tasks = [task for study in studies for task in study.tasks()]
    progress.show_progress(
        session,
        job,
        partial(run_studies, session, studies),
        total=len(tasks),
        own=len(own),
        recorded=sum(outcome.recorded for outcome in results.shown),
        left=seconds_left(tasks, own, WORKERS),
    )
    agreement = progress.agreement_words(own, cached_outcomes())
    for sentence in [*session.question.left_out, *agreement, *divergences(results)]:
        st.caption(plain(sentence))
