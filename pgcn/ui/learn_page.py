"""The Learn page: a guided tour of the method, ways to break it, and exercises."""

from typing import Any

import streamlit as st

from pgcn.errors import no_such
from pgcn.lessons.setting import CHANGES, RECIPE, TOUR
from pgcn.ui.clock import timed
from pgcn.ui.components import show_lesson
from pgcn.ui.learn_break import show_break
from pgcn.ui.learn_exercises import show_exercises
from pgcn.ui.learn_paper import show_paper
from pgcn.ui.learn_stops import FIRST, STOPS, Stop
from pgcn.ui.learn_work import forget, last_told, lesson_job, stop_states

TICK = 0.5
NAMES = list(STOPS)
ABOUT = (
    f"Numbers: synthetic graph of {RECIPE['nodes']} nodes, seed {RECIPE['seed']}; random split, 2 labelled nodes "
    f"per class, 10 for validation, 20 for testing. Growth: preset reproduction with "
    f"{', '.join(f'{name} = {value:g}' for name, value in CHANGES.items())}, seed {TOUR.seed}."
)
STYLE = """
.st-key-tour { gap: 0.5rem; }
.st-key-tour [data-testid="stButtonGroup"] > div { row-gap: 0.3rem; }
.st-key-lesson_words h3 { padding-top: 0.2rem; }
.st-key-lesson_words .katex { font-size: 1.12em; }
.st-key-lesson_words .katex-display { overflow: auto hidden; padding: 0.3rem 0; }
.st-key-paper [data-testid="stMarkdownContainer"] { overflow-x: auto; }
.st-key-paper table { min-width: 860px; table-layout: fixed; }
.st-key-paper th:first-child { width: 11rem; }
@media (max-width: 700px) {
  .st-key-learn_stop [data-testid="stButtonGroup"], .st-key-learn_stop [role="radiogroup"] {
    flex-wrap: nowrap; overflow-x: auto; max-width: calc(100vw - 1.4rem); scrollbar-width: thin; }
  .st-key-lesson_words .katex { font-size: 0.98em; }
}
"""


@timed("learn page")
def show_learn_page() -> None:
    st.html(f"<style>{STYLE}</style>")
    name = asked_stop()
    show_steps(name)
    stop = STOPS[name]
    if name == "break":
        show_break(stop)
    elif name == "paper":
        show_paper(stop)
    elif name == "exercises":
        show_exercises(stop)
    else:
        show_stop(name, stop)


def asked_stop() -> str:
    """Return the stop that the address names; say so where there is none of that name."""
    name = st.query_params.get("stop", FIRST)
    if name in STOPS:
        return name
    st.warning(f"{no_such('stop', name, NAMES)} The tour begins at its first.", icon=":material/signpost:")
    return FIRST


def go(name: str) -> None:
    """Move to a stop: the address is the one place where it is written."""
    st.query_params.from_dict({"stop": name})


def show_steps(name: str) -> None:
    """Show where in the tour one is, and the ways on."""
    at = NAMES.index(name)

    def picked() -> None:
        if chosen := st.session_state["learn_stop"]:
            go(chosen)

    st.session_state["learn_stop"] = name
    with st.container(horizontal=True, vertical_alignment="center", key="tour"):
        st.button(
            "Back", icon=":material/arrow_back:", key="tour_back", disabled=at == 0,
            on_click=go, args=(NAMES[max(0, at - 1)],),
        )  # fmt: skip
        st.button(
            "Next", icon=":material/arrow_forward:", icon_position="right", key="tour_next", type="primary",
            disabled=at == len(NAMES) - 1, on_click=go, args=(NAMES[min(at + 1, len(NAMES) - 1)],),
        )  # fmt: skip
        st.segmented_control(
            "Stop", NAMES, key="learn_stop", label_visibility="collapsed", on_change=picked,
            format_func=lambda stop: f"{NAMES.index(stop) + 1} {STOPS[stop].short}", required=True,
        )  # fmt: skip


def show_stop(name: str, stop: Stop) -> None:
    """Show the words and the equation at once, and the picture when its numbers are there."""
    words, picture = st.columns([0.38, 0.62], gap="medium")
    with words.container(key="lesson_words"):
        st.markdown(f"### {stop.title}")
        st.latex(stop.latex)
        st.markdown(stop.words)
    job = lesson_job(name, lambda: stop_states(name), keep_running=True)
    job.wait_for_events(1, 0.25)  # so that what takes a moment is there at once
    following = NAMES[NAMES.index(name) + 1]
    if job.ended and STOPS[following].equation:  # the next stop's numbers, while this one is looked at
        lesson_job(following, lambda: stop_states(following), keep_running=True)
    with picture:
        st.fragment(look, run_every=None if job.ended else TICK)(name, job.ended)
        st.caption(ABOUT)


@timed("learn tick")
def look(name: str, ended: bool) -> None:
    """Draw the picture of a stop; while it is being computed this alone runs again and again."""
    query = st.query_params.to_dict()
    late = query.get("stop", FIRST) in STOPS.keys() - {name}  # this tick still carries the address of another stop
    job = lesson_job(name, lambda: stop_states(name), keep_running=True)
    values = last_told(job)
    # The picture is one element from beginning to end, also while it waits: the browser need not make it anew.
    if values is None:
        words = job.error or job.doing or "Waiting for a free worker…"
        show_lesson({"kind": "waiting", "data": {"sentence": words}}, key=f"lesson_{name}")
        if job.error:
            st.button("Try again", key="lesson_again", on_click=forget, args=(name,))
    else:
        choices, complaints = asked_of_picture(name, values, {} if late else query)
        show_lesson({"kind": name, "data": values, **choices}, key=f"lesson_{name}")
        for complaint in complaints:
            st.warning(complaint, icon=":material/rule_settings:")
    if job.ended and not ended and not late:
        st.rerun()  # there is nothing more to wait for


def asked_of_picture(name: str, values: dict[str, Any], query: dict[str, str]) -> tuple[dict[str, int], list[str]]:
    """Return which frame and node the address asks for, and a sentence for each that cannot be had."""
    limits = {"at": frames_of(values), "node": len(values["rows"]) if name == "convolution" else 0}
    choices, complaints = {}, []
    for key, most in limits.items():
        text = query.get(key, "")
        if text.isdecimal() and int(text) < most:
            choices[key] = int(text)
        elif text and most:
            complaints.append(f"The link asks for {key} = {text}; in this picture it may be 0 to {most - 1}.")
    return choices, complaints


def frames_of(values: dict[str, Any]) -> int:
    """Return how many frames a picture has."""
    for name in ("frames", "steps", "epochs", "sums"):
        if isinstance(values.get(name), list):
            return len(values[name])
    if "runs" in values:
        runs = values["runs"]
        return len(runs) if "epsilon" in runs[0] else max(len(run["steps"]) for run in runs)
    return 5  # the graph and the convolution are told in five steps
