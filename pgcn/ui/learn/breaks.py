"""Break it: switches that make the method fail, trained here beside the method as it is."""

from collections.abc import Generator
from typing import Any

import streamlit as st

from pgcn.errors import PgcnError, no_such
from pgcn.execution.jobs import Job
from pgcn.lessons.breaks import BREAKS, GRAPHS, RECIPE, SEEDS, comparison, verdict
from pgcn.ui.access import require_control, require_start, why_not_control, why_not_start
from pgcn.ui.components import show_lesson
from pgcn.ui.learn.jobs import forget_job, known_job, last_state, lesson_job
from pgcn.ui.learn.layout import lesson_columns
from pgcn.ui.refreshing import refreshed
from pgcn.ui.shell import attempt, show_error, show_problems
from pgcn.ui.timing import timed

TICK = 0.5
"""Seconds between two refreshes while runs are trained."""
TOTAL = 2 * len(SEEDS)


def show_breaks() -> None:
    graphs = [str(seed) for seed in GRAPHS]
    name, graph = option_of_link("break", list(BREAKS)), option_of_link("graph", graphs)
    words, figure = lesson_columns()
    with words:
        st.markdown(
            f"Synthetic graphs of {RECIPE['nodes']} nodes in {RECIPE['classes']} classes, 5 of each labelled; "
            "preset `reproduction` with 60 epochs and at most 3 layers of 20 neurons. "
            f"*Run {TOTAL}* trains both variants here, with seeds {SEEDS[0]} to {SEEDS[-1]} each."
        )
        broken = BREAKS[name]
        with st.container(key="lesson_lead"):
            choose("Switch", "break", list(BREAKS), name, lambda key: BREAKS[key].short)
            choose("Graph (its seed)", "graph", graphs, graph, str)
            st.markdown(f"#### {broken.title}")
        st.markdown(f"**What to expect.** {broken.expect}\n\n**Why.** {broken.why}")
    with figure:
        job = comparison_job(name, int(graph))
        running = job is not None and not job.ended
        refreshed(refresh, TICK if running else None, name, int(graph), running)


def option_of_link(key: str, options: list[str]) -> str:
    """Return the option that the link asks for; say so where there is no such option."""
    text = st.query_params.get(key, options[0])
    if text in options:
        return text
    show_problems([f"{no_such(key, text, options)} {options[0]} is shown."])
    return options[0]


def choose(label: str, key: str, options: list[str], value: str, describe) -> None:
    """Draw a choice whose value is in the address."""

    def picked() -> None:
        if chosen := st.session_state[f"learn_{key}"]:
            st.query_params["stop"] = "break"
            st.query_params[key] = chosen

    st.session_state[f"learn_{key}"] = value
    st.segmented_control(label, options, key=f"learn_{key}", format_func=describe, on_change=picked, required=True)


def job_name(name: str, graph_seed: int) -> str:
    return f"break {name} {graph_seed}"


def comparison_job(name: str, graph_seed: int) -> Job | None:
    """Return the job of a comparison, None where nobody has asked for it yet."""
    return known_job(job_name(name, graph_seed))


def start_comparison(name: str, graph_seed: int) -> None:
    """Train both variants, or those of their runs that are missing: runs that have ended are cached."""

    def states() -> Generator[dict[str, Any]]:
        import pgcn.execution.execute  # noqa: F401 - nothing is computed while it is being imported

        yield from comparison(name, graph_seed)

    require_start()
    known = comparison_job(name, graph_seed)
    if known is None or known.ended:
        forget_job(job_name(name, graph_seed))
        if refused := lesson_job(job_name(name, graph_seed), states).error:
            raise PgcnError(refused)


def stop_job(job: Job) -> None:
    require_control(job)
    job.cancel()


@timed("break tick")
def refresh(name: str, graph_seed: int, running: bool) -> None:
    """Draw the runs so far; while more are to come, this alone runs again and again."""
    job = comparison_job(name, graph_seed)
    runs = (last_state(job) if job else None) or {"plain": [], "broken": []}
    done = len(runs["plain"]) + len(runs["broken"])
    show_controls(name, graph_seed, job, done)
    show_lesson({"kind": "compare", "data": scene_of(name, runs, sentence(job, done))}, key=f"lesson_{name}")
    if done == TOTAL:
        st.markdown(f"**Measured, graph {graph_seed}.** {verdict(name, runs)}")
    elif job and job.error:
        show_error(job.error)
    if running != (job is not None and not job.ended):
        st.rerun()


def show_controls(name: str, graph_seed: int, job: Job | None, done: int) -> None:
    """Draw the button that starts or stops the runs; it stays in its place."""
    with st.container(horizontal=True, vertical_alignment="center", key="lesson_controls"):
        if job is not None and not job.ended:
            how = {
                "on_click": attempt,
                "args": (stop_job, job),
                "disabled": bool(why_not_control(job)),
                "icon": ":material/stop:",
            }
            st.button("Stop", key="break_stop", **how)
        else:
            label = f"Run the other {TOTAL - done}" if 0 < done < TOTAL else f"Run {TOTAL}"
            how = {"icon": ":material/play_arrow:", "type": "primary", "help": why_not_start() or None}
            how |= {"on_click": attempt, "args": (start_comparison, name, graph_seed)}
            st.button(label, key="break_run", disabled=done == TOTAL or bool(why_not_start()), **how)
        st.progress(done / TOTAL)


def sentence(job: Job | None, done: int) -> str:
    if done == TOTAL:
        return f"All {TOTAL} runs have ended. Point at a mark to see its seed and its network."
    if job is None:
        return f"Nothing has been run yet: {len(SEEDS)} seeds as it is, and {len(SEEDS)} with the switch."
    if job.ended:
        return f"Stopped after {done} of {TOTAL} runs."
    return f"{done} of {TOTAL} runs have ended. {'' if done else job.doing or 'Waiting for a free worker…'}"


def scene_of(name: str, runs: dict[str, list[dict[str, Any]]], words: str) -> dict[str, Any]:
    """Return the values of the figure that compares both variants."""
    shares = [run[key] for arm in runs.values() for run in arm for key in ("labelled", "val", "test")]
    lowest = min([0.5, *shares])
    return {**runs, "names": ["as it is", BREAKS[name].short], "from": int(10 * lowest) / 10, "sentence": words}
