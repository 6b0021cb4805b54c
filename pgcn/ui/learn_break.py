"""Break it: switches that make the method fail, really run beside the method as it is."""

from collections.abc import Generator
from typing import Any

import streamlit as st

from pgcn.errors import no_such
from pgcn.execution.jobs import Job
from pgcn.lessons.breaking import BREAKS, GRAPHS, RECIPE, SEEDS, comparison, verdict
from pgcn.ui.clock import timed
from pgcn.ui.components import show_lesson
from pgcn.ui.learn_stops import Stop
from pgcn.ui.learn_work import forget, last_told, lesson_job
from pgcn.ui.shell import show_error

TICK = 0.5


def show_break(stop: Stop) -> None:
    name, graph_seed = asked("break", list(BREAKS)), int(asked("graph", [str(seed) for seed in GRAPHS]))
    words, picture = st.columns([0.38, 0.62], gap="medium")
    with words.container(key="lesson_words"):
        st.markdown(f"### {stop.title}")
        st.markdown(
            f"Synthetic graphs of {RECIPE['nodes']} nodes in {RECIPE['classes']} classes, 5 of each labelled; "
            f"preset `reproduction` with 60 epochs, at most 3 layers of 20 neurons. Each way is grown with seeds "
            f"{SEEDS[0]} to {SEEDS[-1]}, here and now."
        )
        choice("Switch", "break", list(BREAKS), name, lambda key: BREAKS[key].short)
        choice("Graph (its seed)", "graph", [str(seed) for seed in GRAPHS], str(graph_seed), str)
        broken = BREAKS[name]
        st.markdown(f"#### {broken.title}")
        st.markdown(f"**What one should see.** {broken.expect}\n\n**Why.** {broken.why}")
    with picture:
        job = job_of(name, graph_seed)
        st.fragment(look, run_every=None if job.ended else TICK)(name, graph_seed, job.ended)


def asked(key: str, options: list[str]) -> str:
    """Return what the address asks for; say so where it cannot be had."""
    text = st.query_params.get(key, options[0])
    if text in options:
        return text
    st.warning(f"{no_such(key, text, options)} {options[0]} is shown.", icon=":material/rule_settings:")
    return options[0]


def choice(label: str, key: str, options: list[str], value: str, shown) -> None:
    """Show a choice whose value is kept in the address."""

    def picked() -> None:
        if chosen := st.session_state[f"learn_{key}"]:
            st.query_params["stop"] = "break"
            st.query_params[key] = chosen

    st.session_state[f"learn_{key}"] = value
    st.segmented_control(label, options, key=f"learn_{key}", format_func=shown, on_change=picked, required=True)


def job_of(name: str, graph_seed: int) -> Job:
    """Return the comparison's job; one that was given up because nobody looked goes on, its runs are kept."""

    def states() -> Generator[dict[str, Any]]:
        import pgcn.execution.execute  # noqa: F401 - nothing is computed while it is being imported

        yield from comparison(name, graph_seed)

    def job() -> Job:
        return lesson_job(f"break {name} {graph_seed}", states)

    known = job()
    if known.status == "cancelled" and st.session_state.get("break_stopped") != known.id:
        forget(f"break {name} {graph_seed}")
        return job()
    return known


def stop_running(job: Job) -> None:
    """Stop because somebody here wants it."""
    st.session_state["break_stopped"] = job.id
    job.cancel()


@timed("break tick")
def look(name: str, graph_seed: int, ended: bool) -> None:
    """Draw the runs so far; while there are more to come this alone runs again and again."""
    job = job_of(name, graph_seed)
    runs = last_told(job) or {"plain": [], "broken": []}
    done, total = len(runs["plain"]) + len(runs["broken"]), 2 * len(SEEDS)
    show_lesson({"kind": "compare", "data": scene_of(name, runs, sentence(job, done, total))}, key=f"lesson_{name}")
    if done == total:
        st.markdown(f"**Measured, graph {graph_seed}.** {verdict(name, runs)}")
    elif job.error:
        show_error(job.error)
    if not job.ended:
        st.button("Stop", icon=":material/stop:", key="break_stop", on_click=stop_running, args=(job,))
    elif done < total:
        st.button(
            "Run it again", icon=":material/replay:", key="break_again",
            on_click=forget, args=(f"break {name} {graph_seed}",),
        )  # fmt: skip
    if job.ended and not ended:
        st.rerun()


def sentence(job: Job, done: int, total: int) -> str:
    if done == total:
        return f"All {total} runs have ended. Point at a mark for its seed and its network."
    if job.ended:
        return f"Stopped after {done} of {total} runs."
    return f"{done} of {total} runs have ended. {'' if done else job.doing or 'Waiting for a free worker…'}"


def scene_of(name: str, runs: dict[str, list[dict[str, Any]]], words: str) -> dict[str, Any]:
    """Return what the picture of a comparison needs."""
    shares = [run[key] for arm in runs.values() for run in arm for key in ("labelled", "val", "test")]
    lowest = min([0.5, *shares])
    return {**runs, "names": ["as it is", BREAKS[name].short], "from": int(10 * lowest) / 10, "sentence": words}
