"""What is missing on a data set: an offer to compute it, with what that takes, and its progress."""

from collections.abc import Sequence
from dataclasses import replace

import streamlit as st

from pgcn.execution.jobs import Job
from pgcn.numbers import counted
from pgcn.studies.arena import Arena, ArenaContender
from pgcn.studies.arena.contenders import ALL
from pgcn.studies.arena.estimate import seconds_by_task
from pgcn.studies.arena.results import ArenaResults, outcomes_as_csv
from pgcn.studies.arena.tables import closing_notes, gaps, paper_tables
from pgcn.studies.timing import Takes, in_words, time_left
from pgcn.ui.access import why_not_control, why_not_start
from pgcn.ui.arena.jobs import compute_missing, stop
from pgcn.ui.arena.numbers import computed_here, recorded_of
from pgcn.ui.arena.session import ArenaSession
from pgcn.ui.session import is_running
from pgcn.ui.shell import show_error
from pgcn.ui.study.jobs import WORKERS
from pgcn.ui.text import plain


def show_missing(session: ArenaSession, arena: Arena, results: ArenaResults) -> None:
    """Draw the offer or the progress, and the exports."""
    job = session.missing.current_job()
    if job is not None and job.error:
        show_error(job.error)
    if is_running(job):
        show_progress(session, job)
        return
    missing = gaps(results, arena)
    number = sum(wanted - have for _, have, wanted in missing)
    with st.container(horizontal=True, vertical_alignment="center", key="arena_missing"):
        label = f"Compute what is missing: {number:,} run{'s' * (number != 1)}" if number else "Compute again here"
        with st.popover(label, icon=":material/play_arrow:", key="arena_compute_more"):
            show_offer(session, arena, [contender for contender, _, _ in missing])
        with st.popover("Export", icon=":material/download:", key="arena_export"):
            show_exports(arena, results)


def show_offer(session: ArenaSession, arena: Arena, missing: Sequence[ArenaContender]) -> None:
    """Draw the choice of methods, how long they take, and the button that starts them."""
    titles = {one.name: one.title for one in arena.contenders}
    usual = [one.name for one in missing if not one.searches] or [one.name for one in missing]
    names = st.multiselect(
        "Methods", list(titles), usual, format_func=titles.get, key=f"arena_to_do_{arena.dataset}"
    )
    if not names:
        st.caption("Choose at least one.")
        return
    asked = replace(arena, contenders=tuple(ALL[name] for name in ALL if name in names))
    left, takes, unknown = estimate(asked)
    st.markdown(plain(offer_words(left, takes, unknown)))
    st.caption("What ends is stored at once; if it is cancelled, it resumes later with what is missing.")
    why = why_not_start()
    st.toggle(
        "Keep running when I leave", key="arena_keep", value=session.keep_running, on_change=keep, args=(session,)
    )
    st.button(
        "Compute",
        icon=":material/play_arrow:",
        type="primary",
        key="arena_compute",
        disabled=bool(why) or not left,
        help=why or None,
        on_click=compute_missing,
        args=(session, asked),
    )


def keep(session: ArenaSession) -> None:
    session.keep_running = st.session_state["arena_keep"]


def estimate(arena: Arena) -> tuple[int, Takes | None, list[str]]:
    """Return how many runs are not stored, about how many seconds they take, and whose time is not known."""
    tasks, own = arena.tasks(), computed_here(arena)
    ended = {outcome.run for outcome in own}
    left = [task for task in tasks if task.id not in ended]
    expected = seconds_by_task(left, [*own, *recorded_of(tasks)])
    unknown = [task.contender.title for task in left if expected[task.id] is None]
    seconds = time_left([takes for takes in expected.values() if takes is not None], WORKERS)
    return len(left), seconds, list(dict.fromkeys(unknown))


def offer_words(left: int, seconds: Takes | None, unknown: Sequence[str]) -> str:
    """Say what computing the rest takes."""
    if not left:
        return "All of these runs were computed here."
    words = f"{left:,} run{'s' * (left != 1)} in {counted(WORKERS, 'process', 'processes')}"
    if seconds:
        words += f", {in_words(seconds)}"
    if unknown:
        words += f"; how long {', '.join(unknown)} take{'s' * (len(unknown) == 1)} is not known yet"
    return f"{words}."


def left_words(session: ArenaSession, done: int) -> tuple[int, str]:
    """Return how many runs are left, and about how long they take where that is known."""
    study = session.missing.study
    if isinstance(study, Arena):
        left, seconds, unknown = estimate(study)
        return left, f" · {in_words(seconds)} left" if seconds and not unknown else ""
    return (max(0, session.missing.total - done), "") if study else (0, "")


def show_progress(session: ArenaSession, job: Job) -> None:
    """Draw how far the runs are, and Stop."""
    done = len(job.events())
    left, words = left_words(session, done)
    total = done + left
    if job.stopping:
        text = "Stopping…"
    elif not done:
        text = job.doing or "Waiting for a free worker…"
    else:
        text = f"{done:,} of {total:,} runs have ended{words}" if left else f"{done:,} runs have ended"
    bar, button = st.columns([8, 1], vertical_alignment="center")
    bar.progress(done / total if total else 0.0, text=plain(text))
    why = why_not_control(job)
    click = {"on_click": stop, "args": (session, job), "disabled": bool(why) or job.stopping, "help": why or None}
    button.button("Stop", icon=":material/stop:", key="arena_stop", width="stretch", **click)


def show_exports(arena: Arena, results: ArenaResults) -> None:
    """Offer the tables and the runs as files."""

    def tables(form: str) -> str:
        from pgcn.views.tables import tables_text

        return tables_text(paper_tables(results, [arena]), closing_notes(results, [arena]), form)

    def offer(label: str, data, file: str, kind: str) -> None:
        how = {"on_click": "ignore", "key": f"arena_as_{file.rpartition('.')[2]}_{label[0]}", "width": "stretch"}
        st.download_button(label, data=data, file_name=file, mime=kind, **how)

    offer("Tables as Markdown", lambda: tables("markdown"), "pgcn-tables.md", "text/markdown")
    offer("Tables as LaTeX", lambda: tables("latex"), "pgcn-tables.tex", "text/x-tex")
    offer("Tables as CSV", lambda: tables("csv"), "pgcn-tables.csv", "text/csv")
    offer("Runs as CSV", lambda: outcomes_as_csv(results.outcomes), "pgcn-arena.csv", "text/csv")
