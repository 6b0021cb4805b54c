"""Train one method live under the id it has in the arena, so that it counts in the table."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import streamlit as st

from pgcn.events import EpochsTrained, Event, RunFinished
from pgcn.execution.jobs import Job
from pgcn.methods.endings import ending_sentence
from pgcn.methods.registry import grows
from pgcn.numbers import percent
from pgcn.studies.arena import ArenaTask, contenders
from pgcn.studies.arena.estimate import seconds_by_task
from pgcn.studies.timing import in_words
from pgcn.ui.access import why_not_control, why_not_start
from pgcn.ui.arena.compare import show_run_links
from pgcn.ui.arena.jobs import stop, train_one
from pgcn.ui.arena.numbers import computed_here, recorded_of, results_of
from pgcn.ui.arena.options import number
from pgcn.ui.arena.question import MOST_BUDGET, task_of
from pgcn.ui.arena.search import show_search_views
from pgcn.ui.arena.session import ArenaSession
from pgcn.ui.arena.widgets import selection
from pgcn.ui.components import plotly_live
from pgcn.ui.server import store
from pgcn.ui.session import is_running
from pgcn.ui.shell import show_error
from pgcn.ui.stored_runs import stored_events
from pgcn.ui.text import plain, plain_title
from pgcn.views.arena.page import short
from pgcn.views.search import is_search, search_of
from pgcn.views.training import growth_figure, growth_lines, training_figure

if TYPE_CHECKING:
    from pgcn.store import StoredRun

SEEDS_TRIED = 100
"""Seeds among which one that is not stored is looked for."""


def show_train(session: ArenaSession) -> None:
    """Draw what is to be trained, and what happens in it."""
    task = task_of(session.question, first_seed(session))
    stored = store().find([task.id]).get(task.id)
    job = session.training.current_job()
    own = job if session.training.run == task.id else None
    left, right = st.columns([0.28, 0.72], gap="medium")
    with left:
        show_choice(session, task, stored, job)
    with right:
        if own is not None and own.error:
            show_error(own.error)
        live = is_running(own)
        events = [one.event for one in own.events()] if live and own else stored_events(stored) if stored else ()
        if live and own:
            show_progress(session, own, events)
        elif stored and stored.status == "finished":
            show_result(session, task, stored)
        show_events(session, task, events)


def first_seed(session: ArenaSession) -> int:
    """Return the seed that is asked for, else the first whose run is not stored."""
    question = session.question
    if question.seed is not None:
        return question.seed
    tasks = [task_of(question, seed) for seed in range(SEEDS_TRIED)]
    known = store().find([task.id for task in tasks])
    return next((task.seed for task in tasks if task.id not in known), 0)


def show_choice(session: ArenaSession, task: ArenaTask, stored: "StoredRun | None", job: Job | None) -> None:
    """Draw the method, its seed and its budget, and the button."""
    question = session.question
    selection(session, "Method", "train", {name: one.title for name, one in contenders().items()})
    about = f"Empty: the first that is not stored. Seeds 0 to {question.runs - 1} count in the table."
    number(session, "Seed", "seed", 0, 10_000, about, placeholder=f"{task.seed}")
    if task.contender.searches:
        about = "The paper's searches tried 1,000."
        number(
            session,
            "Architectures",
            "budget",
            1,
            MOST_BUDGET,
            about,
            part="train",
            placeholder="100 on Cora, else 30",
        )
    finished = stored is not None and stored.status in ("finished", "failed")
    running = is_running(job)
    why = why_not_start() or ("A run is in training." if running else "")
    own = running and session.training.run == task.id
    verb = "Training" if own else "Resume" if stored is not None and not finished else "Train"
    st.button(
        f"{verb} {plain(task.contender.title)}, seed {task.seed}",
        icon=":material/play_arrow:",
        type="primary",
        key="arena_train_start",
        width="stretch",
        disabled=bool(why) or finished,
        help=why or (f"It is stored: {stored.status}." if stored and finished else None),
        on_click=train_one,
        args=(session, task),
    )
    if finished:
        how = {"icon": ":material/skip_next:", "key": "arena_next_seed", "width": "stretch"}
        st.button("Next seed", on_click=session.choose, kwargs={"seed": None}, **how)
    elif not running:
        st.caption(plain(takes(session, task)))
    if running and not own:
        st.caption("Another run is in training here.")


def takes(session: ArenaSession, task: ArenaTask) -> str:
    """Say how long a run takes by those of its method that are known."""
    arena = session.question.arena_of((task.contender,))
    known = [*computed_here(arena), *recorded_of(arena.tasks())]
    seconds = seconds_by_task([task], known)[task.id]
    return "How long it takes is not known yet." if seconds is None else f"It takes {in_words(seconds)}."


def show_what_comes(session: ArenaSession, task: ArenaTask) -> None:
    """Say what will be drawn, and what the method has reached so far."""
    cell = results_of(session.question.arena_of((task.contender,))).cell(task.place, task.contender.name)
    if cell is not None:
        recorded = ", recorded" if cell.recorded else ""
        reached = (
            f"{cell.test.text()} % test** (n = {cell.test.n}{recorded}), {short(cell.parameters.mean)} parameters"
        )
        st.markdown(f"**{plain(task.contender.title)} on {plain_title(task.place.dataset)}: {reached}")
    searched, grown = task.contender.searches, grows(task.contender.method)
    what = "Every architecture it tries" if searched else "Every block it tries" if grown else "Its losses"
    st.caption(f"{what} will be drawn here as it is trained.")


def show_progress(session: ArenaSession, job: Job, events: Sequence[Event]) -> None:
    """Draw how far the run is, and Stop."""
    trained = [event for event in events if isinstance(event, EpochsTrained)]
    share = trained[-1].epoch / trained[-1].epochs if trained else 0.0
    text = f"Epoch {trained[-1].epoch} of {trained[-1].epochs}" if trained else job.doing or "Waiting…"
    if is_search(events) and (tried := search_of(events).proposed):
        text += f" · trial {tried.number}: {tried.text}"
    if job.stopping:
        text = "Stopping…"
    bar, button = st.columns([6, 1], vertical_alignment="center")
    bar.progress(min(1.0, share), text=plain(text))
    why = why_not_control(job)
    click = {"on_click": stop, "args": (session, job), "disabled": bool(why) or job.stopping, "help": why or None}
    button.button("Stop", icon=":material/stop:", key="arena_train_stop", width="stretch", **click)


def show_result(session: ArenaSession, task: ArenaTask, stored: "StoredRun") -> None:
    """Say what a run came to, beside the mean of its method, and where it can be opened."""
    scores = stored.scores or {}
    cell = results_of(session.question.arena_of((task.contender,))).cell(task.place, task.contender.name)
    mean = ""
    if cell is not None and cell.test.n > 1:
        mean = f" The mean of {cell.over_text}{', recorded,' * cell.recorded} is {cell.test.text()} %."
    st.markdown(
        f"**{plain(task.name)}: {percent(scores.get('test_accuracy'))} test**, "
        f"{percent(scores.get('val_accuracy'))} validation, {stored.parameters:,} parameters, "
        f"{stored.seconds:.1f} s.{mean}"
    )
    with st.container(horizontal=True):
        how = {"icon": ":material/table_rows:", "key": "arena_to_table"}
        where = {"view": "compare", "at": task.contender.name}
        st.button("Its place in the table", on_click=session.choose, kwargs=where, **how)
        show_run_links(stored.id, stored.method)


def show_events(session: ArenaSession, task: ArenaTask, events: Sequence[Event]) -> None:
    """Draw what happens in a run: losses, growth, or a search."""
    if not events:
        show_what_comes(session, task)
    elif task.contender.searches:
        show_search_views(session, events, key="arena_trained")
    elif grows(task.contender.method):
        plotly_live(growth_figure(events), key="arena_growth", height=320, about=task.id)
        for line in growth_lines(events):
            st.caption(plain(line))
    else:
        plotly_live(training_figure(events), key="arena_losses", height=360, about=task.id)
    ended = [event for event in events if isinstance(event, RunFinished)]
    if ended:
        st.caption(plain(ending_sentence(ended[-1])))
