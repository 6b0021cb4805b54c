"""Where the numbers of the Landscape page come from, and the buttons that run and stop it."""

from collections.abc import Sequence
from functools import partial

import streamlit as st

from pgcn.execution.jobs import Job
from pgcn.studies.landscape.estimate import seconds_left
from pgcn.studies.landscape.outcomes import LandscapeOutcome
from pgcn.studies.landscape.results import LandscapeResults
from pgcn.ui.landscape.jobs import run_landscape
from pgcn.ui.landscape.known import recorded_outcomes
from pgcn.ui.landscape.session import LandscapeSession
from pgcn.ui.study import progress
from pgcn.ui.study.jobs import WORKERS


def show_progress(
    session: LandscapeSession, job: Job | None, own: Sequence[LandscapeOutcome], results: LandscapeResults
) -> None:
    """Draw where the numbers come from, the buttons, and how long the rest takes."""
    progress.show_progress(
        session,
        job,
        partial(run_landscape, session, results.landscape),
        total=len(results.landscape.tasks()),
        own=len(own),
        recorded=sum(one.recorded for one in results.shown),
        left=seconds_left(results.landscape, own, WORKERS),
    )
    for sentence in progress.agreement_words(own, recorded_outcomes()):
        st.caption(sentence)
