"""Where the numbers come from, and what it takes to compute them here: the buttons that run and stop the study."""

from collections.abc import Sequence

import streamlit as st

from pgcn.execution.jobs import Job
from pgcn.numbers import counted
from pgcn.studies.difficulty.estimate import seconds_left
from pgcn.studies.difficulty.results import Outcome, Results
from pgcn.studies.difficulty.words import divergences
from pgcn.studies.timing import in_words
from pgcn.ui.access import why_not_control, why_not_start
from pgcn.ui.difficulty.jobs import WORKERS, run_studies, stop_studies
from pgcn.ui.difficulty.session import DifficultySession
from pgcn.ui.recorded import agreement
from pgcn.ui.session import is_running
from pgcn.ui.shell import show_error
from pgcn.ui.text import plain


def show_progress(session: DifficultySession, job: Job | None, own: Sequence[Outcome], results: Results) -> None:
    """Draw where the numbers come from, the buttons, and how long the rest will take."""
    if job is not None and job.error:
        show_error(job.error)
    tasks = [task for study in session.question.studies for task in study.tasks()]
    missing = len(tasks) - len(own)
    left = seconds_left(tasks, own, WORKERS)
    recorded = sum(outcome.recorded for outcome in results.shown)
    with st.container(border=True, key="study_controls"):
        with st.container(horizontal=True, vertical_alignment="center"):
            for badge in badges(recorded, len(own)):
                st.markdown(badge, width="content")
            if is_running(job):
                show_running(session, job)
                words = running_words(job, len(tasks), missing, in_words(left) if left else "")
            else:
                show_run_button(session, missing, own, recorded)
                words = source_words(len(tasks), missing, recorded, in_words(left) if left else "")
            st.markdown(plain(words), width="content")
        # Always there, so that nothing moves when a study starts or ends.
        st.progress((len(tasks) - missing) / len(tasks))
    notes = [*session.question.left_out, *agreement_words(own), *divergences(results)]
    for sentence in notes:
        st.caption(plain(sentence))


def badges(recorded: int, own: int) -> list[str]:
    """Return marks that keep what came with the program apart from what was computed here."""
    marks = []
    if own:
        marks.append(f":blue-badge[:material/memory: Computed here: {counted(own, 'run')}]")
    if recorded:
        marks.append(f":gray-badge[:material/inventory_2: Shipped with the program: {counted(recorded, 'run')}]")
    return marks


def source_words(total: int, missing: int, recorded: int, left: str) -> str:
    """Say what was computed here and what the rest takes."""
    done = total - missing
    if not missing:
        return "Nothing is missing: all was computed here."
    if done:
        return f"{done:,} of {counted(total, 'run')} computed here so far; the rest takes {left}."
    takes = f"{counted(total, 'run')}, {left} in {counted(WORKERS, 'process', 'processes')}."
    made = "Made on another machine in the reproducible mode."
    return f"{made} Recomputing takes {left}." if recorded else takes


def running_words(job: Job, total: int, missing: int, left: str) -> str:
    if job.stopping:
        return "Stopping…"
    doing = f" · {job.doing}" if job.doing and not job.events() else ""
    return f"{total - missing:,} of {counted(total, 'run')} ended{f' · {left} left' if left else ''}{doing}"


def agreement_words(own: Sequence[Outcome]) -> list[str]:
    both, equal = agreement(own)
    if not both:
        return []
    return [f"{equal} of {counted(both, 'run')} computed here equal those shipped with the program."]


def show_run_button(session: DifficultySession, missing: int, own: Sequence[Outcome], recorded: int) -> None:
    """Draw the button that computes what was not computed here."""
    why = why_not_start()
    label = "Run the rest" if own and missing else "Recompute here" if recorded else "Run"
    st.button(
        label,
        icon=":material/play_arrow:",
        key="study_run",
        type="secondary" if recorded and not own else "primary",
        disabled=not missing or bool(why),
        on_click=run_studies,
        args=(session, session.question.studies),
        help=why or "What ends is stored at once; if it is stopped, it resumes later with what is missing.",
    )


def show_running(session: DifficultySession, job: Job) -> None:
    """Draw Stop, and whether the study goes on when the tab is closed."""
    why = why_not_control(job)
    st.button(
        "Stop",
        icon=":material/stop:",
        key="study_stop",
        on_click=stop_studies,
        args=(session, job),
        disabled=job.stopping or bool(why),
        help=why or "Runs that have ended are saved; run again to continue with the rest.",
    )
    st.toggle(
        "Keep running",
        key="study_keep",
        value=session.keep_running,
        on_change=set_keep_running,
        args=(session, job),
        disabled=bool(why),
        help="Otherwise the study is cancelled a minute after the last tab that shows it is closed.",
    )


def set_keep_running(session: DifficultySession, job: Job) -> None:
    if not why_not_control(job):
        session.keep_running = job.keep_running = st.session_state["study_keep"]
