"""Where the numbers of a study come from, and the buttons that run and stop it."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import streamlit as st

from pgcn.execution.jobs import Job
from pgcn.numbers import counted
from pgcn.studies.timing import Takes, in_words
from pgcn.ui.access import why_not_control, why_not_start
from pgcn.ui.session import is_running
from pgcn.ui.shell import show_error
from pgcn.ui.study.jobs import WORKERS, stop_study
from pgcn.ui.study.session import StudySession
from pgcn.ui.text import plain

NO_RESULTS = "There are no results for this question yet."
NOTHING_ENDED = "No run has ended yet. Results appear here as runs end."
COMPARED = ("topology", "labelled_accuracy", "val_accuracy", "test_accuracy")


def show_progress(
    session: StudySession,
    job: Job | None,
    run: Callable[[], None],
    *,
    total: int,
    own: int,
    recorded: int,
    left: Takes | None,
) -> None:
    """Draw where the numbers come from, the buttons, and how long the rest takes.

    Of ``total`` runs ``own`` were computed here and ``recorded`` came with the program; ``run`` starts the rest.
    """
    if job is not None and job.error:
        show_error(job.error)
    missing, takes = total - own, in_words(left) if left else ""
    with st.container(border=True, key="study_controls"):
        with st.container(horizontal=True, vertical_alignment="center"):
            for badge in badges(recorded, own):
                st.markdown(badge, width="content")
            if is_running(job):
                show_running(session, job)
                words = running_words(job, total, missing, takes)
            else:
                show_run_button(run, missing, own, recorded)
                words = source_words(total, missing, recorded, takes)
            st.markdown(plain(words), width="content")
        # Always there, so that nothing moves when a study starts or ends.
        st.progress((total - missing) / total)


def badges(recorded: int, own: int) -> list[str]:
    """Return marks that keep what came with the program apart from what was computed here."""
    marks = []
    if own:
        marks.append(f":blue-badge[:material/memory: Computed here: {counted(own, 'run')}]")
    if recorded:
        marks.append(f":gray-badge[:material/inventory_2: Recorded: {counted(recorded, 'run')}]")
    return marks


def source_words(total: int, missing: int, recorded: int, left: str) -> str:
    """Say what was computed here and what the rest takes."""
    done = total - missing
    if not missing:
        return "All runs were computed here."
    if done:
        return f"{done:,} of {counted(total, 'run')} computed here so far; the rest takes {left}."
    takes = f"{counted(total, 'run')}, {left} in {counted(WORKERS, 'process', 'processes')}."
    if not recorded:
        return takes
    if recorded < total:
        return f"{total - recorded:,} of {counted(total, 'run')} are not recorded. Running all here takes {left}."
    return f"Computed on another machine in the reproducible mode. Recomputing takes {left}."


def running_words(job: Job, total: int, missing: int, left: str) -> str:
    if job.stopping:
        return "Stopping…"
    doing = f" · {job.doing}" if job.doing and not job.events() else ""
    return f"{total - missing:,} of {counted(total, 'run')} ended{f' · {left} left' if left else ''}{doing}"


def agreement_words(own: Sequence[Any], recorded: Mapping[str, Any]) -> list[str]:
    """Say how many of the outcomes computed here equal those that came with the program, where some did."""
    both = [(one, recorded[one.run]) for one in own if one.run in recorded]
    if not both:
        return []
    equal = sum(all(getattr(one, name) == getattr(two, name) for name in COMPARED) for one, two in both)
    return [f"{equal} of {counted(len(both), 'run')} computed here equal those recorded."]


def show_run_button(run: Callable[[], None], missing: int, own: int, recorded: int) -> None:
    """Draw the button that computes what was not computed here."""
    why = why_not_start()
    label = "Run the rest" if own and missing else "Recompute here" if recorded else "Run"
    st.button(
        label,
        icon=":material/play_arrow:",
        key="study_run",
        type="secondary" if recorded and not own else "primary",
        disabled=not missing or bool(why),
        on_click=run,
        help=why or "What ends is stored at once; if it is stopped, it resumes later with what is missing.",
    )


def show_running(session: StudySession, job: Job) -> None:
    """Draw Stop, and whether the study goes on when the tab is closed."""
    why = why_not_control(job)
    st.button(
        "Stop",
        icon=":material/stop:",
        key="study_stop",
        on_click=stop_study,
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


def set_keep_running(session: StudySession, job: Job) -> None:
    if not why_not_control(job):
        session.keep_running = job.keep_running = st.session_state["study_keep"]
