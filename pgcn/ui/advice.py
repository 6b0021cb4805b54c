"""The card "Will growing pay here?" of the pages Data and Grow: asked by a job, kept in the store."""

from collections.abc import Callable
from typing import TYPE_CHECKING

import streamlit as st

from pgcn.execution.graphs import facts_of
from pgcn.execution.jobs import Job
from pgcn.execution.limits import bytes_text
from pgcn.execution.memory import Memory
from pgcn.source import GraphSource
from pgcn.ui.access import require_control, why_not_control, why_not_start
from pgcn.ui.graphs import store_is_at_hand
from pgcn.ui.refreshing import refreshed
from pgcn.ui.server import job_manager, store, submit, viewer
from pgcn.ui.session import is_running
from pgcn.ui.shell import attempt, show_error
from pgcn.ui.text import plain

if TYPE_CHECKING:
    from pgcn.studies.advice.evidence import Advice

TICK = 1.0
LEAVE = 0.8
"""Share of the time a job may compute that an advice uses at most: it must come to its end to be kept."""
ICONS = {
    "likely": ":material/trending_up:",
    "little": ":material/trending_flat:",
    "unlikely": ":material/trending_down:",
    "unclear": ":material/question_mark:",
    "unknown": ":material/block:",
}
USED = "advice_used"
"""In the session's state: a preset was just taken over, by a click that draws this card alone anew."""
Use = Callable[[str], None]
"""What the button of the card does with the preset that was picked."""


@st.cache_resource(show_spinner=False)
def _known() -> "dict[GraphSource, Advice]":
    return {}


@st.cache_resource(show_spinner=False)
def _jobs() -> dict[GraphSource, str]:
    """Return the job that was last started for a graph: visitors who ask the same share it."""
    return {}


def show_advice(source: GraphSource, known_at_once: str, *, preset: str = "", use: Use | None = None) -> None:
    """Draw the card for a graph; ``preset`` is the one chosen now, ``use`` has the picked one used."""
    with st.container(border=True, key="advice"):
        st.markdown("**Will growing pay here?**")
        st.caption(plain(known_at_once))
        running, waiting = is_running(job_of(source)), not store_is_at_hand()
        ticks = TICK if running or waiting else None
        refreshed(show_answer, ticks, source, running, waiting, preset, use)


def show_answer(source: GraphSource, running: bool, waiting: bool, preset: str, use: Use | None) -> None:
    """Draw what is known, or how far the job is; while it works, this alone runs again.

    So it does while it waits for the store, which the first page of a server does not.
    """
    job = job_of(source)
    if is_running(job) != running or (waiting and store_is_at_hand()) or st.session_state.pop(USED, False):
        st.rerun()
    if job is not None and running:
        show_running(job)
        return
    if job is not None and job.error:
        show_error(job.error)
    advice = known_advice(source)
    if advice is None:
        show_ask(source, "Find out", 0)
        return
    from pgcn.views.advice import sentence_parts

    title, rest = sentence_parts(advice)
    st.markdown(f"{ICONS[advice.kind]} **{plain(title)}.**")
    st.markdown(plain(rest))
    show_evidence(advice)
    choice = advice.choice
    if choice is not None and choice.tried and use is not None and choice.preset != preset:
        how = {"icon": ":material/tune:", "key": "advice_use", "on_click": take, "args": (use, choice.preset)}
        st.button(f"Use the preset {choice.preset}", help=plain(choice.why), **how)
    if advice.left_out:
        show_ask(source, "Measure for ten minutes", 1)


def take(use: Use, preset: str) -> None:
    """Have the picked preset used; the settings, and what the first button says, are drawn by the whole page."""
    attempt(use, preset)
    st.session_state[USED] = True


def show_ask(source: GraphSource, label: str, which: int) -> None:
    """Offer to compute: a page that is opened starts nothing."""
    why = why_not_start()
    minutes = ("two", "ten")[which]
    about = (
        f"Trains GCNs of 16 and 64 neurons and grows with every preset for at most {minutes} minutes, less on a "
        f"small graph, in about {bytes_text(memory_of(source))} of memory. Half of the validation nodes guide the "
        "runs, the other half is held out and measures; then they swap. Test nodes are not used."
    )
    how = {"icon": ":material/science:", "disabled": bool(why), "help": why or about}
    st.button(label, key=f"advice_ask_{which}", on_click=attempt, args=(ask, source, which), **how)


def show_running(job: Job) -> None:
    """Draw what is being done, for how long, and the way to stop it."""
    words = job.doing or "Waiting for a free worker…"
    st.markdown(plain(f"{words}" if not job.begun else f"{words} {job.seconds:.0f} s of computing."))
    why = why_not_control(job)
    how = {"icon": ":material/stop:", "disabled": job.stopping or bool(why), "help": why or None}
    st.button("Stop", key="advice_stop", on_click=attempt, args=(stop, job), **how)


def show_evidence(advice: "Advice") -> None:
    """Draw what the words rest on."""
    from pgcn.views.advice import bullets, counted_lines, measured_lines, preset_lines

    with st.expander("Evidence"):
        st.caption("\n".join(f"- {plain(line)}" for line in counted_lines(advice)))
        if advice.measured:
            st.markdown("**Accuracy on held-out validation nodes**, mean ± sd, and the gain over GCN-16")
            st.caption(bullets([(plain(name), plain(text)) for name, text in measured_lines(advice)]))
        if advice.choice is not None and advice.choice.tried:
            st.markdown("**Presets**, all with the same seeds; behind the best ± standard error")
            st.caption(bullets([(plain(name), plain(text)) for name, text in preset_lines(advice.choice)]))
            st.markdown(plain(advice.choice.why))
        for sentence in advice.left_out:
            st.caption(plain(sentence))


def job_of(source: GraphSource) -> Job | None:
    """Return the job that was last started for a graph; whoever looks at it keeps it running."""
    job = job_manager().get(_jobs().get(source, ""))
    if job is not None:
        viewer().watch(job)
    return job


def known_advice(source: GraphSource) -> "Advice | None":
    """Return the advice that is kept on a graph; the first page does not wait for the store to be imported."""
    known = _known()
    if source not in known and store_is_at_hand():
        from pgcn.studies.advice.cached import cached_advice

        found = cached_advice(store(), source)
        if found is not None:
            known[source] = found
    return known.get(source)


def memory_of(source: GraphSource) -> int:
    """Return the bytes that an advice is estimated to take."""
    from pgcn.studies.advice.plan import most_memory
    from pgcn.ui.graphs import graph_facts

    return most_memory(graph_facts(source.name).of(source), dense=source.dims is not None)


def ask(source: GraphSource, which: int) -> None:
    """Start the job that finds out, unless it is running."""
    from pgcn.studies.advice.cached import BUDGETS

    if is_running(job_of(source)):
        return
    database, limit = store(), job_manager().limits.seconds
    facts_of(source, database)  # it may have been deleted
    most = None if limit is None else LEAVE * limit

    def start(progress: Callable[[str], None]):
        progress("Importing torch…")
        from pgcn.studies.advice.cached import asking

        return asking(source, database, BUDGETS[which], progress, most=most)

    job = submit(start, memory=Memory(memory_of(source)))
    _known().pop(source, None)
    _jobs()[source] = job.id


def stop(job: Job) -> None:
    require_control(job)
    job.cancel("Stopped on the page.")
